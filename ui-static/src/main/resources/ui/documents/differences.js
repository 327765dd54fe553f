// Lines in which two texts differ, by their longest common subsequence.

/** [{side: "-" or "+", line}]: lines of the first text alone, and of the second alone, in their order. */
export function differences(first, second) {
  const a = first.trimEnd().split("\n");
  const b = second.trimEnd().split("\n");
  // common[i][j]: how many lines a from i and b from j have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const found = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
      found.push({ side: "-", line: a[i++] });
    } else {
      found.push({ side: "+", line: b[j++] });
    }
  }
  return found;
}
