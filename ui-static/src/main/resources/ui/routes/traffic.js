// What happened between two looks at the router, which counts from its start.

// The upper ends of the router's buckets; the last bucket has none.
const BOUNDS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000];
const SERVER_ERRORS = 4;

const minus = (now, before) => now.map((count, at) => count - (before?.[at] ?? 0));
const plus = (a, b) => a.map((count, at) => count + b[at]);
const sum = (counts) => counts.reduce((all, count) => all + count, 0);

/** By version; what counts less than before has begun anew. */
function since(now, before, fields) {
  const old = new Map(before.map((one) => [one.version, one]));
  return now.map((one) => {
    const last = old.get(one.version);
    const isNew = last === undefined || sum(one.times) < sum(last.times);
    const differences = fields.map((field) => {
      const value = one[field];
      const was = isNew ? undefined : last[field];
      return [field, Array.isArray(value) ? minus(value, was) : value - (was ?? 0)];
    });
    return { version: one.version, ...Object.fromEntries(differences) };
  });
}

/** @param now and before, the state of a service at two times; @param at and seconds when, and how long that was */
export const sampleOf = (now, before, at, seconds) => ({
  at,
  seconds,
  answers: since(now.answers, before.answers, ["codes", "times"]),
  copies: since(now.copies, before.copies, ["sent", "dropped", "failed", "divergences", "bodyDivergences", "times"]),
});

/** Where a share of the counts lies, in ms, as if they were spread evenly in their bucket; null without any. */
export function quantile(times, share) {
  const all = sum(times);
  if (all === 0) {
    return null;
  }
  let below = 0;
  for (let at = 0; at < BOUNDS_MS.length; at++) {
    if (below + times[at] >= share * all) {
      const low = at === 0 ? 0 : BOUNDS_MS[at - 1];
      return low + ((BOUNDS_MS[at] - low) * (share * all - below)) / times[at];
    }
    below += times[at];
  }
  return BOUNDS_MS.at(-1);
}

const NONE = { codes: new Array(5).fill(0), times: new Array(BOUNDS_MS.length + 1).fill(0) };

/** Requests and errors a second, the share of errors, p50 and p99 of some samples. */
export function figures(samples, version = null) {
  const seconds = samples.reduce((all, sample) => all + sample.seconds, 0);
  const parts = samples.flatMap((sample) => sample.answers).filter((one) => version === null || one.version === version);
  const { codes, times } = parts.reduce((all, one) => ({ codes: plus(all.codes, one.codes), times: plus(all.times, one.times) }), NONE);
  const requests = sum(codes);
  return {
    rate: seconds > 0 ? requests / seconds : 0,
    errorRate: seconds > 0 ? codes[SERVER_ERRORS] / seconds : 0,
    errorShare: requests > 0 ? codes[SERVER_ERRORS] / requests : 0,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

/** Times of the copies for a shadow in some samples: p50 and p99. */
export function timesOfCopies(samples, version) {
  const parts = samples.flatMap((sample) => sample.copies).filter((one) => one.version === version);
  const times = parts.reduce((all, one) => plus(all, one.times), NONE.times);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
