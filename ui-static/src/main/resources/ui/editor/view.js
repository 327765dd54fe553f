// The part of the plane that the canvas shows: {x, y, scale}, where x and y are the plane's origin in pixels.

const LEAST = 0.15;
const MOST = 2;
const EDGE = 32;

const limited = (scale) => Math.min(MOST, Math.max(LEAST, scale));

/** Zoomed so that what is at a point stays there. */
export function zoomed(view, factor, [x, y]) {
  const scale = limited(view.scale * factor);
  const by = scale / view.scale;
  return { x: x - (x - view.x) * by, y: y - (y - view.y) * by, scale };
}

export const moved = (view, dx, dy) => ({ ...view, x: view.x + dx, y: view.y + dy });

/** A point of the canvas on the plane. */
export const onPlane = (view, [x, y]) => [(x - view.x) / view.scale, (y - view.y) / view.scale];

/** All of a rectangle in a canvas of a size, never larger than life. */
export function fitted(bounds, { width, height }) {
  if (bounds === null || width === 0 || height === 0) {
    return { x: EDGE, y: EDGE, scale: 1 };
  }
  const scale = limited(Math.min(1, (width - 2 * EDGE) / bounds.width, (height - 2 * EDGE) / bounds.height));
  return { x: (width - bounds.width * scale) / 2 - bounds.x * scale, y: (height - bounds.height * scale) / 2 - bounds.y * scale, scale };
}

/** Moved as little as shows a rectangle whole. */
export function showing(view, box, { width, height }) {
  const shift = (from, length, size) => (from < EDGE ? EDGE - from : from + length > size - EDGE ? size - EDGE - from - length : 0);
  return moved(
    view,
    shift(box.x * view.scale + view.x, box.width * view.scale, width),
    shift(box.y * view.scale + view.y, box.height * view.scale, height),
  );
}
