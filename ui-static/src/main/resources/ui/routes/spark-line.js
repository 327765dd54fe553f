// A curve of some numbers, small enough to stand in a row.
import { svg, html } from "lit";

const WIDTH = 96;
const HEIGHT = 24;
const POINTS = 60;

/** @param values the newest last, which stands at the right end */
export function sparkLine(values) {
  const shown = values.slice(-POINTS);
  const most = Math.max(...shown, 1e-9);
  const place = (value, at) => `${(WIDTH - ((shown.length - 1 - at) * WIDTH) / (POINTS - 1)).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 3)).toFixed(1)}`;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${shown.length > 1 ? svg`<polyline points=${shown.map(place).join(" ")} />` : ""}</svg>`;
}
