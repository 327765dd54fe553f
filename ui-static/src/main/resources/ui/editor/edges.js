// What waits for what among the tasks of a pipeline, and which further edge may be.
import { dependenciesOf } from "../pipelines/graph.js";

/** From each task's name to the names that it waits for. */
export function waits(tasks) {
  const names = new Set(tasks.map((task) => task.name));
  return new Map(tasks.map((task) => [task.name, dependenciesOf(task, names)]));
}

/** {from, to, isUsed}: isUsed when the later task looks up an output, so that the edge is not one to take away. */
export const edgesOf = (tasks) => {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  return [...waits(tasks)].flatMap(([to, before]) => {
    const used = usedBy(byName.get(to));
    return before.map((from) => ({ from, to, isUsed: used.has(from) }));
  });
};

/** The names whose outputs a task looks up. */
export function usedBy(task) {
  const { after: _, ...rest } = task;
  return new Set([...JSON.stringify(rest).matchAll(/\{\{\s*tasks\.([A-Za-z0-9_-]+)\./g)].map((match) => match[1]));
}

/** The way from a task over those that it waits for to another, both included; null when there is none. */
function way(before, start, goal) {
  const cameFrom = new Map([[start, null]]);
  const next = [start];
  while (next.length > 0) {
    const at = next.shift();
    if (at === goal) {
      const found = [];
      for (let step = at; step !== null; step = cameFrom.get(step)) {
        found.push(step);
      }
      return found.reverse();
    }
    for (const other of before.get(at) ?? []) {
      if (!cameFrom.has(other)) {
        cameFrom.set(other, at);
        next.push(other);
      }
    }
  }
  return null;
}

/** Why a task cannot wait for another; null when it can. */
export function refusalOf(tasks, from, to) {
  if (from === to) {
    return `${to} cannot wait for itself.`;
  }
  const before = waits(tasks);
  if (before.get(to)?.includes(from)) {
    return `${to} waits for ${from} already.`;
  }
  const circle = way(before, from, to);
  return circle === null ? null : `${to} cannot wait for ${from}: ${from} waits for ${circle.slice(1).join(", which waits for ")}, so neither would ever start.`;
}

/** The tasks that cannot be the end of an edge from a task: itself, those that wait for it already, and what it waits for. */
export function closedTo(tasks, from) {
  const before = waits(tasks);
  const closed = new Set([from]);
  const next = [from];
  while (next.length > 0) {
    for (const other of before.get(next.pop()) ?? []) {
      if (!closed.has(other)) {
        closed.add(other);
        next.push(other);
      }
    }
  }
  before.forEach((names, task) => names.includes(from) && closed.add(task));
  return closed;
}
