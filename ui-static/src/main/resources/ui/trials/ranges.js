// Ranges as they are typed and as the address has them: "3..20", "..20", "0.5..".

const BETWEEN = "..";

/** {from, to}, each the text of a number or empty */
export function rangeOf(text) {
  const at = text.indexOf(BETWEEN);
  return at < 0 ? { from: "", to: "" } : { from: text.slice(0, at), to: text.slice(at + BETWEEN.length) };
}

/** Empty for a range without ends. */
export const textOf = ({ from, to }) => (from === "" && to === "" ? "" : from + BETWEEN + to);

/** Whether it can be used: each end is a number or open. */
export const isRange = ({ from, to }) => Number.isFinite(Number(from)) && Number.isFinite(Number(to));

/** Whether one of the points [x, y] has a y in the range. */
export function passes(points, { from, to }) {
  const least = from === "" ? -Infinity : Number(from);
  const most = to === "" ? Infinity : Number(to);
  const isOpen = from === "" && to === "";
  return isOpen || points.some(([, y]) => typeof y === "number" && y >= least && y <= most);
}
