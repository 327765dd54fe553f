// How the router's numbers read.
import { NOTHING } from "../kit/format.js";

/** 0, 0.4, 12, 3,400 a second */
export const perSecond = (rate) => (rate === 0 ? "0" : rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString());

/** 0.35 ms, 12 ms, 1.4 s */
export function milliseconds(ms) {
  if (ms === null) {
    return NOTHING;
  }
  return ms >= 1000 ? `${Number((ms / 1000).toFixed(1))} s` : `${Number(ms.toFixed(ms < 10 ? 1 : 0))} ms`;
}

/** 0 %, < 0.1 %, 2.5 % */
export const share = (part) => (part === 0 ? "0 %" : part < 0.001 ? "< 0.1 %" : `${Number((100 * part).toFixed(1))} %`);
