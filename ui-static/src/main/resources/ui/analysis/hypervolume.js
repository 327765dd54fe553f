// Pareto fronts and the hypervolume below them (Zitzler and Thiele, 1998). Everything is minimized here: an objective
// that is maximized comes with its sign turned.

/** The same values with the sign of those turned whose objective is maximized. */
export const minimized = (values, goals) => values.map((value, at) => (goals[at] === "maximize" ? -value : value));

const dominates = (a, b) => a.every((value, at) => value <= b[at]) && a.some((value, at) => value < b[at]);

/** The points that no other one dominates, each once. */
export function front(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const kept = [];
  for (const point of sorted) {
    const isEqual = (other) => other.every((value, at) => value === point[at]);
    if (!kept.some((other) => isEqual(other) || dominates(other, point))) {
      kept.push(point);
    }
  }
  return kept;
}

/** The worst value of each objective. */
export const worst = (points) => points[0].map((_, at) => points.reduce((most, point) => Math.max(most, point[at]), -Infinity));

/**
 * The volume that points dominate, up to a reference that is worse than they are. Points beyond it add nothing.
 * Exact: slices along the last objective, so its time grows with the size of the front to the power of the objectives
 * less one.
 *
 * @param points lists of equal length, one or more numbers each
 */
export function hypervolume(points, reference) {
  const inside = points.filter((point) => point.every((value, at) => value < reference[at]));
  if (inside.length === 0) {
    return 0;
  }
  const last = reference.length - 1;
  if (last === 0) {
    return reference[0] - Math.min(...inside.map(([value]) => value));
  }
  const sorted = front(inside).sort((a, b) => a[last] - b[last]);
  const rest = reference.slice(0, last);
  let volume = 0;
  sorted.forEach((point, at) => {
    const depth = (sorted[at + 1]?.[last] ?? reference[last]) - point[last];
    if (depth > 0) {
      volume += depth * hypervolume(sorted.slice(0, at + 1).map((other) => other.slice(0, last)), rest);
    }
  });
  return volume;
}

/**
 * The hypervolume after each of many points of two objectives, as steps [index, volume] where it grows.
 *
 * @param points pairs in the order of time
 */
export function hypervolumeHistory(points, reference) {
  let kept = [];
  const steps = [];
  points.forEach((point, at) => {
    if (point.every((value, axis) => value < reference[axis]) && !kept.some((other) => other[0] <= point[0] && other[1] <= point[1])) {
      kept = [...kept.filter((other) => !dominates(point, other)), point];
      steps.push([at, hypervolume(kept, reference)]);
    }
  });
  return steps;
}
