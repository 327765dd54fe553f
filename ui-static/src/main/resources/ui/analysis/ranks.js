// Ranks of results.

/**
 * For each value its rank as a share from 0, the worst, to 1, the best; equal values share the mean of their ranks.
 * One value alone is the best.
 *
 * @param values finite numbers
 * @param isHighGood whether more is better
 */
export function ranks(values, isHighGood) {
  const order = values.map((value, at) => at).sort((a, b) => (isHighGood ? values[a] - values[b] : values[b] - values[a]));
  const found = new Array(values.length);
  const last = values.length - 1;
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < last && values[order[to + 1]] === values[order[from]]) {
      to++;
    }
    for (let at = from; at <= to; at++) {
      found[order[at]] = last === 0 ? 1 : (from + to) / 2 / last;
    }
    from = to + 1;
  }
  return found;
}
