// A surface through scattered results: the mean of those near, weighted by the inverse cube of their distance.

const NEAR = 1e-4;

/**
 * The values at the middles of size × size cells of the unit square, rows from below; null without any point.
 *
 * @param points [x, y, value] with x and y from 0 to 1
 */
export function surface(points, size) {
  const cells = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      cells.push([column, row, valueAt(points, (column + 0.5) / size, (row + 0.5) / size)]);
    }
  }
  return cells;
}

function valueAt(points, x, y) {
  let sum = 0;
  let weights = 0;
  for (const [px, py, value] of points) {
    const weight = 1 / ((px - x) ** 2 + (py - y) ** 2 + NEAR) ** 1.5;
    sum += weight * value;
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}
