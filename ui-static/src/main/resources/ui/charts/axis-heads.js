// The names above the axes of parallel coordinates. Drag one to another place, or move it with the
// arrow keys; the parent element is told the new order and draws it.
import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Piece, define } from "../kit/piece.js";
import { styled } from "../kit/styled.js";

/** How far the first and the last axis lie from the edges, in px. */
export const MARGIN = { left: 56, right: 76 };

// A click is no drag.
const LEAST_PX = 4;

class AxisHeads extends Piece {
  /** `names` can be moved, `last` stays at the right end. */
  static properties = { names: { attribute: false }, last: {}, drag: { state: true } };

  constructor() {
    super();
    this.names = [];
    this.drag = null;
  }

  move(name, to) {
    const order = moved(this.names, name, Math.max(0, Math.min(this.names.length - 1, to)));
    if (order.some((other, at) => other !== this.names[at])) {
      this.tell("order", order);
    }
  }

  onKey(event, at) {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.names.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const button = event.currentTarget;
      this.move(this.names[at], to);
      // The order of elements follows the order of axes, which costs the one that moved its focus.
      this.updateComplete.then(() => requestAnimationFrame(() => button.focus()));
    } else if (event.key === "Escape" && this.drag) {
      event.stopPropagation();
      this.tell("order", this.drag.before);
      this.drag = null;
    }
  }

  grasp(event, name) {
    if (event.button === 0) {
      event.currentTarget.setPointerCapture(event.pointerId);
      this.drag = { name, before: this.names, from: event.clientX, x: 0, isMoving: false };
    }
  }

  /** The axes make room at once, so that what is seen is what a drop leaves. */
  pull(event) {
    if (!this.drag) {
      return;
    }
    const box = this.querySelector(".heads").getBoundingClientRect();
    const step = (box.width - MARGIN.left - MARGIN.right) / this.names.length;
    const x = event.clientX - box.left;
    this.drag = { ...this.drag, x, isMoving: this.drag.isMoving || Math.abs(event.clientX - this.drag.from) >= LEAST_PX };
    if (this.drag.isMoving) {
      this.move(this.drag.name, Math.round((x - MARGIN.left) / step));
    }
  }

  render() {
    const { names, drag } = this;
    const held = drag?.isMoving ? drag.name : null;
    // An element that moves in the document loses the pointer: until the drop only places change.
    const heads = (drag?.before ?? names).map((name) => [name, names.indexOf(name)]);
    return html`<div class="heads" role="group" aria-label="Axes">
      ${repeat(heads, ([name]) => name, ([name, at]) => html`<button type="button" class="plain small ${name === held ? "held" : ""}"
        title="Drag ${name} to another place, or use the arrow keys" aria-label="Axis ${name}, ${at + 1} of ${names.length}"
        ${styled({ left: name === held ? `${drag.x}px` : this.place(at), maxWidth: this.room })}
        @keydown=${(event) => this.onKey(event, at)} @pointerdown=${(event) => this.grasp(event, name)}
        @pointermove=${this.pull} @pointerup=${() => (this.drag = null)} @pointercancel=${() => (this.drag = null)}>${name}</button>`)}
      <span class="head" ${styled({ left: this.place(names.length), maxWidth: this.room })} title=${this.last}>${this.last}</span>
    </div>`;
  }

  place(at) {
    const share = this.names.length === 0 ? 0 : at / this.names.length;
    return `calc(${MARGIN.left}px + (100% - ${MARGIN.left + MARGIN.right}px) * ${share})`;
  }

  get room() {
    return `calc((100% - ${MARGIN.left + MARGIN.right}px) / ${Math.max(1, this.names.length)} - 6px)`;
  }
}

function moved(names, name, to) {
  const order = names.filter((other) => other !== name);
  order.splice(to, 0, name);
  return order;
}

define("axis-heads", AxisHeads);
