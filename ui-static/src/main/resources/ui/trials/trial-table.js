// A table of any length: only the rows in sight are in the document.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Piece, define } from "../kit/piece.js";
import { icon } from "../kit/icons.js";
import { shortcuts } from "../shell/keyboard.js";

const MARGIN_ROWS = 10;
// Rows are made anew only after this many have passed.
const STEP_ROWS = 5;

class TrialTable extends Piece {
  static properties = {
    rows: { attribute: false },
    columns: { attribute: false },
    sort: {},
    open: {},
    selection: { attribute: false },
    at: { state: true },
    first: { state: true },
  };

  constructor() {
    super();
    this.at = -1;
    this.first = 0;
    this.visible = 30;
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(
      shortcuts("Trials", {
        j: ["Next trial", () => this.move(1)],
        k: ["Previous trial", () => this.move(-1)],
        Enter: ["Open the trial", (event) => !event.target.closest("a, button, summary") && this.openAt()],
        x: ["Tick the trial", () => this.tick()],
      }),
    );
  }

  firstUpdated() {
    this.scroller = this.querySelector(".rows");
    const observer = new ResizeObserver(() => this.look());
    observer.observe(this.scroller);
    this.keep(() => observer.disconnect());
    this.look();
  }

  updated(changed) {
    if (changed.has("columns")) {
      this.scroller.style.setProperty("--columns", "36px " + this.columns.map((column) => column.width).join(" "));
      this.scroller.style.setProperty("--least", 36 + this.columns.reduce((sum, column) => sum + Number.parseInt(column.width.replace("minmax(", ""), 10), 0) + "px");
    }
    if (changed.has("rows")) {
      this.scroller.scrollTop = 0;
      this.at = -1;
      this.look();
    }
  }

  /** Finds out which rows are in sight. */
  look() {
    this.height = Number.parseFloat(getComputedStyle(this).getPropertyValue("--row")) || 36;
    this.visible = Math.ceil(this.scroller.clientHeight / this.height);
    const top = Math.floor(this.scroller.scrollTop / this.height);
    this.first = Math.max(0, top - (top % STEP_ROWS) - MARGIN_ROWS);
    this.rows.want(this.first, this.first + this.visible + 2 * MARGIN_ROWS);
  }

  move(by) {
    const last = this.rows.count - 1;
    // Enter then opens the row and not what had the focus before.
    this.scroller.focus({ preventScroll: true });
    this.at = Math.max(0, Math.min(last, this.at + by));
    const top = this.at * this.height;
    const head = this.height;
    if (top < this.scroller.scrollTop) {
      this.scroller.scrollTop = top;
    } else if (top + 2 * head > this.scroller.scrollTop + this.scroller.clientHeight) {
      this.scroller.scrollTop = top + 2 * head - this.scroller.clientHeight;
    }
    if (this.open) {
      this.openAt();
    }
  }

  openAt() {
    const trial = this.rows.row(this.at);
    if (trial) {
      this.tell("open-trial", trial.id);
    }
  }

  tick() {
    const trial = this.rows.row(this.at);
    if (trial) {
      this.selection.toggle(trial.id);
      this.requestUpdate();
    }
  }

  onKey(event) {
    const all = this.rows.count;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: this.visible - 2, PageUp: 2 - this.visible, Home: -all, End: all }[event.key];
    if (by !== undefined && !event.target.closest("input")) {
      event.preventDefault();
      this.move(by);
    }
  }

  render() {
    const total = this.rows.count;
    const last = Math.min(total, this.first + this.visible + 2 * MARGIN_ROWS);
    const indices = Array.from({ length: Math.max(0, last - this.first) }, (_, at) => this.first + at);
    return html`<div class="rows" role="grid" aria-label="Trials" aria-rowcount=${total + 1} tabindex="0" @scroll=${this.look}
      @keydown=${this.onKey}>
      <div class="row head" role="row" aria-rowindex="1">
        <span class="cell tick" role="columnheader"><span class="unseen">Ticked</span></span>
        ${this.columns.map((column) => this.head(column))}
      </div>
      <div class="window">${repeat(indices, (at) => at, (at) => this.row(at))}</div>
      <div class="space"></div>
    </div>`;
  }

  willUpdate() {
    // Set outside of the template: a style attribute would be refused.
    this.updateComplete.then(() => {
      const total = this.rows.count;
      const height = this.height ?? 36;
      this.scroller.querySelector(".space").style.height = `${total * height}px`;
      this.scroller.querySelector(".window").style.transform = `translateY(${this.first * height}px)`;
    });
  }

  head(column) {
    const down = this.sort === "-" + column.sort;
    const up = this.sort === column.sort;
    return html`<span class="cell ${column.number ? "number" : ""}" role="columnheader"
      aria-sort=${up ? "ascending" : down ? "descending" : "none"} data-column=${column.key}>
      ${column.sort
        ? html`<button type="button" class="sort" @click=${() => this.tell("sort", down ? column.sort : "-" + column.sort)}>
            <span class="clip">${column.label}</span>${up ? icon("up") : down ? icon("down") : nothing}
          </button>`
        : html`<span class="clip">${column.label}</span>`}
    </span>`;
  }

  row(at) {
    const trial = this.rows.row(at);
    if (!trial) {
      return html`<div class="row" role="row" aria-rowindex=${at + 2}><span class="cell tick"></span><span class="cell"><span
        class="bone w70"></span></span></div>`;
    }
    const isTicked = this.selection.has(trial.id);
    const look = `${at === this.at ? "at" : ""} ${trial.id === this.open ? "open" : ""} ${isTicked ? "ticked" : ""}`;
    return html`<div class="row ${look}" role="row" aria-rowindex=${at + 2} aria-selected=${isTicked} data-trial=${trial.id}
      @click=${(event) => this.onRow(event, at)}>
      <span class="cell tick" role="gridcell"><input type="checkbox" aria-label="Tick trial ${trial.id}" .checked=${isTicked}
        @change=${() => (this.selection.toggle(trial.id), this.requestUpdate())}></span>
      ${this.columns.map((column) => html`<span class="cell ${column.number ? "number" : ""}"
        role="gridcell">${column.cell(trial)}</span>`)}
    </div>`;
  }

  onRow(event, at) {
    if (!event.target.closest("input, a, button") && !getSelection().toString()) {
      this.at = at;
      this.openAt();
    }
  }
}

define("trial-table", TrialTable);
