// How a service's requests are divided: "a:20%,b:5%"; the rest stays with it.

const FORM = /^\s*(.+?)\s*:\s*([0-9.]+)\s*%?\s*$/;

/** [{service, percent}] in their order; of a text that is none of ours, nothing. */
export const sharesOf = (text) =>
  (text ?? "")
    .split(",")
    .map((part) => FORM.exec(part))
    .filter(Boolean)
    .map(([, service, percent]) => ({ service, percent: Number(percent) }));

/** The text again; undefined when nothing is given away. */
export const splitOf = (shares) => (shares.length === 0 ? undefined : shares.map(({ service, percent }) => `${service}:${percent}%`).join(","));

// Whole thousandths of a per cent: sums of binary fractions are not what they look like.
export const rounded = (percent) => Math.round(percent * 1000) / 1000;

/** What stays with the owner. */
export const restOf = (shares) => rounded(100 - shares.reduce((all, { percent }) => all + percent, 0));

/**
 * Moves the border before one share by some per cent to the right, as far as there is room: it loses
 * what its left neighbour gains.
 */
export function moveBorder(shares, at, by) {
  const left = at === 0 ? restOf(shares) : shares[at - 1].percent;
  const moved = Math.max(-left, Math.min(shares[at].percent, by));
  return shares.map((share, n) => {
    const change = n === at ? -moved : n === at - 1 ? moved : 0;
    return change === 0 ? share : { ...share, percent: rounded(share.percent + change) };
  });
}
