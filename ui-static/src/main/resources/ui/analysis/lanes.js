// Where bars of time are drawn so that none covers another.

/**
 * The lane of each interval: the first that is free when it begins.
 *
 * @param intervals [from, to] in rising order of from
 */
export function lanes(intervals) {
  const free = [];
  return intervals.map(([from, to]) => {
    let lane = free.findIndex((end) => end <= from);
    if (lane < 0) {
      lane = free.length;
    }
    free[lane] = to;
    return lane;
  });
}
