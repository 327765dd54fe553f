// The empirical distribution function: which share of the results is a value or less.

/**
 * Its steps [value, share], rising; equal values are one step, what is not finite counts for nothing.
 *
 * @param values numbers in any order
 */
export function edf(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const steps = [];
  sorted.forEach((value, at) => {
    if (at + 1 === sorted.length || sorted[at + 1] !== value) {
      steps.push([value, (at + 1) / sorted.length]);
    }
  });
  return steps;
}
