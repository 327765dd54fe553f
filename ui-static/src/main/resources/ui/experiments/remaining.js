// How long an experiment will go on.

/**
 * An estimate in seconds: the trials that are left, as many at once as may be, each as long as those before it took on
 * average. Null while nothing is known of their length.
 *
 * @param ended and left, how many trials, those that run among the left ones; @param atOnce how many may run together
 */
export function secondsLeft({ ended, left, meanSeconds, atOnce }) {
  if (ended === 0 || meanSeconds === null || atOnce < 1) {
    return null;
  }
  return left <= 0 ? 0 : Math.ceil(left / atOnce) * meanSeconds;
}

/** The mean of the durations of trials that ran; null without any. */
export function meanDuration(rows) {
  const known = rows.filter((row) => row.duration !== null && row.duration !== undefined && row.duration > 0);
  return known.length === 0 ? null : known.reduce((sum, row) => sum + row.duration, 0) / known.length;
}
