// Curves with as many points as a chart needs.

const MOST = 1000;

/** The points of each bucket that are lowest and highest, so that no peak is lost; short curves as they are. */
export function thinned(points, most = MOST) {
  if (points.length <= most) {
    return points;
  }
  const buckets = Math.floor(most / 2);
  const kept = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * points.length) / buckets);
    const to = Math.floor(((bucket + 1) * points.length) / buckets);
    let low = from;
    let high = from;
    for (let at = from + 1; at < to; at++) {
      const [, y] = points[at];
      low = points[low][1] === null || (y !== null && y < points[low][1]) ? at : low;
      high = points[high][1] === null || (y !== null && y > points[high][1]) ? at : high;
    }
    kept.push(...[...new Set([low, high])].sort((a, b) => a - b).map((at) => points[at]));
  }
  return kept;
}

/** Whether a line has a number to draw. */
export const isDrawable = ({ points }) => points.some(([, y]) => y !== null);

export const drawable = (curves) => curves.filter(isDrawable).map((curve) => ({ ...curve, points: thinned(curve.points) }));
