// Places the tasks of a pipeline in layers, left to right, so that edges point right and cross seldom.

const ROUNDS = 4;

/** The tasks that a task waits for: named in `after`, or whose outputs its text mentions. */
export function dependenciesOf(task, names) {
  const text = JSON.stringify(task);
  const mentioned = [...text.matchAll(/\{\{\s*tasks\.([A-Za-z0-9_-]+)\./g)].map((match) => match[1]);
  return [...new Set([...(task.after ?? []), ...mentioned])].filter((name) => names.has(name) && name !== task.name);
}

/**
 * Layers by longest path from a task without dependencies; within a layer by the mean place of the neighbours
 * (Sugiyama's barycentre heuristic).
 * @param tasks of a pipeline's document
 * @returns {nodes: [{name, task, layer, place}], edges: [{from, to}], layers, places}
 */
export function layout(tasks) {
  const names = new Set(tasks.map((task) => task.name));
  const before = new Map(tasks.map((task) => [task.name, dependenciesOf(task, names)]));
  const layer = new Map();
  const layerOf = (name, path = new Set()) => {
    if (layer.has(name)) {
      return layer.get(name);
    }
    if (path.has(name)) {
      // A cycle, which the server refuses: drawn as if its last edge were not there.
      return 0;
    }
    path.add(name);
    const depth = Math.max(-1, ...before.get(name).map((other) => layerOf(other, path))) + 1;
    path.delete(name);
    layer.set(name, depth);
    return depth;
  };
  tasks.forEach((task) => layerOf(task.name));
  const columns = Array.from({ length: Math.max(0, ...layer.values()) + 1 }, () => []);
  tasks.forEach((task) => columns[layer.get(task.name)].push(task.name));
  const edges = tasks.flatMap((task) => before.get(task.name).map((from) => ({ from, to: task.name })));
  order(columns, edges);
  const places = Math.max(1, ...columns.map((column) => column.length));
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const nodes = columns.flatMap((column, at) =>
    // A short column stands in the middle of the tallest.
    column.map((name, place) => ({ name, task: byName.get(name), layer: at, place: place + (places - column.length) / 2 })),
  );
  return { nodes, edges, layers: columns.length, places };
}

function order(columns, edges) {
  const placeOf = () => new Map(columns.flatMap((column) => column.map((name, place) => [name, place])));
  for (let round = 0; round < ROUNDS; round++) {
    const goesRight = round % 2 === 0;
    for (const column of goesRight ? columns : [...columns].reverse()) {
      const places = placeOf();
      const mean = (name) => {
        const near = edges
          .filter((edge) => (goesRight ? edge.to : edge.from) === name)
          .map((edge) => places.get(goesRight ? edge.from : edge.to));
        return near.length === 0 ? places.get(name) : near.reduce((sum, place) => sum + place, 0) / near.length;
      };
      const means = new Map(column.map((name) => [name, mean(name)]));
      column.sort((a, b) => means.get(a) - means.get(b));
    }
  }
}
