// Colours between three, by where a value lies among others.

const parts = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);

const mix = (from, to, share) => `rgb(${from.map((part, at) => Math.round(part + (to[at] - part) * share)).join(",")})`;

/**
 * @param sorted numbers, rising; the lowest twentieth shares one colour, so that a single very bad
 *     result does not leave all the others alike
 * @param colours three, from the worst to the best
 */
export function ramp(sorted, colours) {
  const [low, middle, high] = colours.map(parts);
  const bottom = sorted[Math.floor(sorted.length / 20)];
  const top = sorted.at(-1);
  return (value) => {
    const share = top === bottom ? 1 : Math.max(0, Math.min(1, (value - bottom) / (top - bottom)));
    return share < 0.5 ? mix(low, middle, 2 * share) : mix(middle, high, 2 * share - 1);
  };
}
