// What a pointer does on the canvas. While it moves, only the moved elements are touched; the document changes once, at the
// end.
import { HEIGHT, WIDTH } from "./places.js";
import { moved, zoomed } from "./view.js";

/** Pixels that a pointer may move and still click. */
const STILL = 4;
const WHEEL = 0.0015;

/** The path of an edge between two places. */
export function curve([x1, y1], [x2, y2]) {
  const bend = Math.max(32, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

export const outOf = ([x, y]) => [x + WIDTH, y + HEIGHT / 2];
export const into = ([x, y]) => [x, y + HEIGHT / 2];

/** Follows one gesture from its first event to its last. */
export class Gestures {
  #canvas;
  #frame = null;
  #gesture = null;
  /** Pointers that are down, for two fingers. */
  #pointers = new Map();

  constructor(canvas) {
    this.#canvas = canvas;
  }

  wheel(event) {
    event.preventDefault();
    const canvas = this.#canvas;
    canvas.view =
      event.ctrlKey || event.metaKey ? zoomed(canvas.view, Math.exp(-event.deltaY * WHEEL), canvas.pointOf(event)) : moved(canvas.view, -event.deltaX, -event.deltaY);
  }

  down(event) {
    if (event.button > 1) {
      return;
    }
    const canvas = this.#canvas;
    const at = canvas.pointOf(event);
    canvas.isRefused = false;
    canvas.hint = "";
    this.#pointers.set(event.pointerId, at);
    canvas.plane.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 2) {
      if (this.#gesture !== null) {
        cancelAnimationFrame(this.#frame);
        this.#frame = null;
        canvas.abandon();
      }
      this.#gesture = { kind: "pinch" };
      return;
    }
    const task = event.target.closest("[data-task]")?.dataset.task ?? null;
    const edge = event.target.closest("[data-edge]")?.dataset.edge ?? null;
    const base = { from: at, last: at, isMoved: false, task, edge, adds: event.shiftKey || event.ctrlKey || event.metaKey };
    if (task !== null && event.target.closest(".out") && event.button === 0) {
      this.#gesture = { ...base, kind: "connect" };
      canvas.beginEdge(task);
    } else if (task !== null && event.button === 0) {
      const names = canvas.chosen.has(task) ? [...canvas.chosen] : [task];
      this.#gesture = { ...base, kind: "drag", names };
    } else {
      this.#gesture = { ...base, kind: event.shiftKey ? "frame" : "pan" };
    }
    if (event.button === 1) {
      event.preventDefault();
    }
  }

  move(event) {
    if (!this.#pointers.has(event.pointerId) || this.#gesture === null) {
      return;
    }
    const at = this.#canvas.pointOf(event);
    if (this.#gesture.kind === "pinch") {
      this.#pinch(event.pointerId, at);
      return;
    }
    this.#pointers.set(event.pointerId, at);
    const gesture = this.#gesture;
    gesture.isMoved ||= Math.hypot(at[0] - gesture.from[0], at[1] - gesture.from[1]) > STILL;
    gesture.to = at;
    gesture.over = gesture.kind === "connect" ? (document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-task]")?.dataset.task ?? null) : null;
    if (gesture.isMoved) {
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = null;
        this.#show();
      });
    }
  }

  #pinch(pointer, at) {
    const [[other, fixed]] = [...this.#pointers].filter(([id]) => id !== pointer);
    const before = this.#pointers.get(pointer);
    const distance = (point) => Math.max(1, Math.hypot(point[0] - fixed[0], point[1] - fixed[1]));
    this.#pointers.set(pointer, at);
    this.#pointers.set(other, fixed);
    this.#canvas.view = zoomed(this.#canvas.view, distance(at) / distance(before), fixed);
  }

  #show() {
    const gesture = this.#gesture;
    const canvas = this.#canvas;
    if (!gesture?.to) {
      return;
    }
    const [dx, dy] = [gesture.to[0] - gesture.last[0], gesture.to[1] - gesture.last[1]];
    switch (gesture.kind) {
      case "pan":
        canvas.view = moved(canvas.view, dx, dy);
        break;
      case "drag":
        canvas.shift(gesture.names, this.#shifted(gesture));
        break;
      case "connect":
        canvas.drawEdge(gesture.task, gesture.to, gesture.over);
        break;
      case "frame":
        canvas.drawFrame(gesture.from, gesture.to);
        break;
    }
    gesture.last = gesture.to;
  }

  #shifted({ from, to }) {
    const { scale } = this.#canvas.view;
    return [(to[0] - from[0]) / scale, (to[1] - from[1]) / scale];
  }

  up(event) {
    if (!this.#pointers.delete(event.pointerId)) {
      return;
    }
    cancelAnimationFrame(this.#frame);
    this.#frame = null;
    const gesture = this.#gesture;
    this.#gesture = null;
    if (gesture === null || gesture.kind === "pinch") {
      return;
    }
    const canvas = this.#canvas;
    if (event.type === "pointercancel") {
      canvas.abandon();
    } else if (gesture.kind === "connect") {
      canvas.endEdge(gesture.task, gesture.over ?? null);
    } else if (!gesture.isMoved) {
      canvas.click(gesture);
    } else if (gesture.kind === "drag") {
      canvas.drop(gesture.names, this.#shifted(gesture));
    } else if (gesture.kind === "frame") {
      canvas.chooseIn(gesture.from, gesture.to, gesture.adds);
    }
  }
}
