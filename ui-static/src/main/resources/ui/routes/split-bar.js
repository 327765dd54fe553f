// The division of a service's requests as a bar. The borders between its parts are dragged, or
// moved with the arrow keys (by ten with Shift); the parent element is told the new shares and puts
// them in force.
import { html, nothing } from "lit";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { styled } from "../kit/styled.js";
import { seriesColour, swatch } from "../kit/swatch.js";
import { moveBorder, restOf } from "./split.js";

const KEYS_MS = 500;

class SplitBar extends Piece {
  /** `owner` keeps what the `shares` ({service, percent}) leave. */
  static properties = { owner: {}, shares: { attribute: false }, draft: { state: true } };

  constructor() {
    super();
    this.shares = [];
    this.draft = null;
    this.later = settled(() => this.commit(), KEYS_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.later.cancel());
  }

  willUpdate(changed) {
    // What was put in force comes back with the next table, and so does what was refused.
    if (changed.has("shares") && !this.grip) {
      this.draft = null;
    }
  }

  get shown() {
    return this.draft ?? this.shares;
  }

  commit() {
    this.later.cancel();
    if (this.draft && JSON.stringify(this.draft) !== JSON.stringify(this.shares)) {
      this.tell("split", this.draft);
    }
  }

  /** What is being changed is not what is in force: back to that. */
  reset() {
    this.grip = null;
    this.draft = null;
  }

  onKey(event, at) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      this.draft = moveBorder(this.shown, at, by * (event.shiftKey ? 10 : 1));
      this.later();
    } else if (event.key === "Escape" && this.draft) {
      event.stopPropagation();
      this.later.cancel();
      this.reset();
    }
  }

  grasp(event, at) {
    if (event.button === 0) {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.focus();
      event.preventDefault();
      this.grip = { at, x: event.clientX, shares: this.shown };
    }
  }

  pull(event) {
    if (this.grip) {
      const { at, x, shares } = this.grip;
      const percent = (100 * (event.clientX - x)) / this.querySelector(".bar").clientWidth;
      this.draft = moveBorder(shares, at, Math.round(percent));
    }
  }

  drop() {
    if (this.grip) {
      this.grip = null;
      this.commit();
    }
  }

  render() {
    const shares = this.shown;
    const rest = restOf(shares);
    let before = rest;
    return html`<div class="bar ${this.draft ? "draft" : ""}" role="group" aria-label="How the requests of ${this.owner} are divided">
        ${part(this.owner, rest, 0)}
        ${shares.map(({ service, percent }, at) => part(service, percent, at + 1))}
        ${shares.map(({ service }, at) => {
          const left = before;
          before += shares[at].percent;
          return html`<span class="grip" role="slider" tabindex="0" aria-orientation="horizontal" aria-valuemin="0" aria-valuemax="100"
            aria-valuenow=${left} aria-label="Border between ${at === 0 ? this.owner : shares[at - 1].service} and ${service}"
            aria-valuetext=${`${service} gets ${shares[at].percent} %`} title="Drag, or use the arrow keys" ${styled({ left: `${left}%` })}
            @keydown=${(event) => this.onKey(event, at)} @pointerdown=${(event) => this.grasp(event, at)}
            @pointermove=${this.pull} @pointerup=${this.drop} @pointercancel=${this.reset}></span>`;
        })}
      </div>
      <div class="parts">${[{ service: this.owner, percent: rest }, ...shares].map(
        ({ service, percent }, at) => html`<span>${swatch(at)}<span class="clip">${service}</span> <b
          class="number">${percent} %</b></span>`,
      )}</div>`;
  }
}

const part = (name, percent, at) =>
  percent > 0 ? html`<i class="part" title="${name} ${percent} %" ${styled({ flexGrow: percent, background: seriesColour(at) })}></i>` : nothing;

define("split-bar", SplitBar);
