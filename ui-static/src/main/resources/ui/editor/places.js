// Where tasks stand on the canvas: where their author has put them, and else in layers.
import { layout } from "../pipelines/graph.js";

export const WIDTH = 184;
export const HEIGHT = 56;
const GAP_X = 64;
const GAP_Y = 24;

const isPlace = (place) => Array.isArray(place) && place.length === 2 && place.every(Number.isFinite);

/** Places in layers, {name: [x, y]}. */
export function automatic(tasks) {
  return Object.fromEntries(layout(tasks).nodes.map(({ name, layer, place }) => [name, [layer * (WIDTH + GAP_X), Math.round(place * (HEIGHT + GAP_Y))]]));
}

/**
 * @param given the places in the document; tasks without one stand in layers below those that have one
 * @returns a Map from names to [x, y]
 */
export function placesOf(tasks, given) {
  const kept = new Map(tasks.filter((task) => isPlace(given?.[task.name])).map((task) => [task.name, given[task.name]]));
  const free = tasks.filter((task) => !kept.has(task.name));
  if (free.length === 0) {
    return kept;
  }
  const own = automatic(kept.size === 0 ? tasks : free);
  const [left, down] = kept.size === 0 ? [0, 0] : corner([...kept.values()]);
  return new Map(tasks.map(({ name }) => [name, kept.get(name) ?? [own[name][0] + left, own[name][1] + down]]));
}

/** Left, and below, what stands there. */
const corner = (places) => [Math.min(...places.map(([x]) => x)), Math.max(...places.map(([, y]) => y)) + HEIGHT + 2 * GAP_Y];

/** {x, y, width, height} around all tasks; null without any. */
export function bounds(places) {
  if (places.size === 0) {
    return null;
  }
  const all = [...places.values()];
  const [x, y] = [Math.min(...all.map((place) => place[0])), Math.min(...all.map((place) => place[1]))];
  return { x, y, width: Math.max(...all.map((place) => place[0])) + WIDTH - x, height: Math.max(...all.map((place) => place[1])) + HEIGHT - y };
}

/** The first place from here to below where no task stands. */
export function freeAt([x, y], places) {
  const isTaken = (at) => [...places.values()].some(([left, top]) => Math.abs(left - x) < WIDTH + 8 && Math.abs(top - at) < HEIGHT + 8);
  let at = y;
  while (isTaken(at)) {
    at += HEIGHT + GAP_Y;
  }
  return [x, at];
}

/** The task that is nearest in the direction of an arrow key; null when there is none. */
export function nearest(places, name, [right, down]) {
  const [x, y] = places.get(name);
  let found = null;
  let least = Infinity;
  for (const [other, [left, top]] of places) {
    const [along, across] = right ? [(left - x) * right, Math.abs(top - y)] : [(top - y) * down, Math.abs(left - x)];
    const distance = along + 2 * across;
    if (other !== name && along > 8 && distance < least) {
      [found, least] = [other, distance];
    }
  }
  return found;
}
