// Tasks that can be put on the canvas: dragged there, or added with a click or Enter.
import { html } from "lit";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { found } from "./catalogue.js";

/** Pixels that a pointer may move and still click. */
const STILL = 5;

class TaskPalette extends Piece {
  static properties = { groups: { attribute: false }, text: { state: true } };

  constructor() {
    super();
    this.groups = [];
    this.text = "";
    this.drag = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.put();
  }

  render() {
    const groups = found(this.groups, this.text);
    return html`
      <label class="search">${icon("search")}<span class="unseen">Search tasks</span>
        <input type="search" placeholder="Search tasks" .value=${this.text} @input=${(event) => (this.text = event.target.value)} @keydown=${this.onSearchKey}></label>
      ${groups.length === 0 ? html`<p class="soft small">No task fits.</p>` : groups.map(
        ({ group, items }) => html`<details open class="palette-group"><summary>${group}</summary>
          <ul>${items.map((item) => html`<li><button type="button" class="item" data-item=${item.id} title=${item.about}
            @click=${(event) => this.clicked(event, item)} @pointerdown=${(event) => this.take(event, item)} @pointermove=${this.carry}
            @pointerup=${this.leave} @pointercancel=${this.put}><span>${item.label}</span><small class="faint">${item.about || item.name}</small></button></li>`)}</ul></details>`,
      )}`;
  }

  onSearchKey(event) {
    if (event.key === "Enter" && this.text.trim() !== "") {
      const [first] = found(this.groups, this.text);
      if (first) {
        this.tell("add", { item: first.items[0] });
      }
    } else if (event.key === "ArrowDown") {
      this.querySelector("button.item")?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  clicked(event, item) {
    // The click after a drag is no click.
    if (this.wasDragged) {
      this.wasDragged = false;
      return;
    }
    this.tell("add", { item });
  }

  take(event, item) {
    // A finger scrolls the list; it adds with a tap.
    if (event.button !== 0 || event.pointerType === "touch") {
      return;
    }
    this.wasDragged = false;
    this.drag = { item, x: event.clientX, y: event.clientY, ghost: null };
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  carry(event) {
    const { drag } = this;
    if (drag === null || (drag.ghost === null && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STILL)) {
      return;
    }
    if (drag.ghost === null) {
      drag.ghost = Object.assign(document.createElement("div"), { className: "ghost", textContent: drag.item.label });
      document.body.append(drag.ghost);
    }
    drag.ghost.style.transform = `translate(${event.clientX + 4}px, ${event.clientY + 4}px)`;
  }

  leave(event) {
    const { drag } = this;
    if (drag?.ghost) {
      this.wasDragged = true;
      this.tell("add", { item: drag.item, at: { clientX: event.clientX, clientY: event.clientY } });
    }
    this.put();
  }

  put() {
    this.drag?.ghost?.remove();
    this.drag = null;
  }
}

define("task-palette", TaskPalette);
