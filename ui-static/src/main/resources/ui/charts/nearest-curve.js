// Which of many lines the pointer is at. The chart library tells of symbols only, and large charts have none.

/** The distance of a point from the line between two others. */
function distance([px, py], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - along * dx, py - ay - along * dy);
}

const isPoint = (point) => Number.isFinite(point[0]) && Number.isFinite(point[1]);

/**
 * The curve that passes nearest to a place, and the index of its nearest point; null when none is within reach.
 *
 * @param curves each a list of points [x, y] in pixels; a point that is not finite interrupts its line
 * @param place [x, y] in pixels
 * @param reach in pixels
 */
export function nearestCurve(curves, place, reach) {
  let found = null;
  let least = reach;
  curves.forEach((points, curve) => {
    for (let at = 0; at < points.length; at++) {
      if (!isPoint(points[at])) {
        continue;
      }
      const before = at > 0 && isPoint(points[at - 1]) ? points[at - 1] : points[at];
      const far = distance(place, before, points[at]);
      if (far <= least) {
        least = far;
        const isBefore = Math.hypot(place[0] - before[0], place[1] - before[1]) < Math.hypot(place[0] - points[at][0], place[1] - points[at][1]);
        found = { curve, point: isBefore ? at - 1 : at };
      }
    }
  });
  return found;
}
