// The page's colours as a canvas can use them: resolved, for the theme that is shown.
import { SERIES } from "../kit/swatch.js";

const NAMES = {
  text: "--text",
  soft: "--text-soft",
  faint: "--text-faint",
  line: "--line",
  lineStrong: "--line-strong",
  raised: "--raised",
  surface: "--surface",
  accent: "--accent",
  good: "--good",
  busy: "--busy",
  warn: "--warn",
  bad: "--bad",
  idle: "--idle",
  low: "--scale-low",
  middle: "--scale-middle",
  high: "--scale-high",
};

/** @param place an element of the page, whose theme counts */
export function colours(place) {
  // A custom property answers with its text; only a real property is resolved by the browser.
  const probe = document.createElement("i");
  probe.hidden = true;
  place.append(probe);
  const resolve = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const found = Object.fromEntries(Object.entries(NAMES).map(([key, name]) => [key, resolve(name)]));
  found.series = Array.from({ length: SERIES }, (_, at) => resolve(`--series-${at + 1}`));
  probe.remove();
  return found;
}
