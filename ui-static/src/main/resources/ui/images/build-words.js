// Words about builds of images.
import { bytes, duration } from "../kit/format.js";

const SECOND = 1000;
const SHOWN = 12;

/** The beginning of a digest; – for none. */
export const digest = (text) => (text ? text.replace("sha256:", "").slice(0, SHOWN) : "–");

/** How long a build took, or has taken, and the size of its image. */
export function outcome({ startedAt, endedAt, bytes: size }) {
  if (!startedAt) {
    return "–";
  }
  const seconds = (new Date(endedAt ?? Date.now()) - new Date(startedAt)) / SECOND;
  return size === null || size === undefined ? duration(seconds) : `${duration(seconds)}, ${bytes(size)}`;
}
