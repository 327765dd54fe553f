// A limit that is edited where it stands.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";
import { icon } from "../kit/icons.js";
import { attempt } from "../shell/toasts.js";

const UNITS = [
  ["s", 1],
  ["min", 60],
  ["h", 3600],
  ["d", 86400],
];

const unitOf = (seconds) => [...UNITS].reverse().find(([, size]) => seconds >= size && seconds % size === 0) ?? UNITS[0];

class LimitEditor extends Piece {
  static properties = {
    label: {},
    name: {},
    value: {},
    shown: {},
    isDuration: { type: Boolean },
    isOptional: { type: Boolean },
    change: { attribute: false },
    editing: { state: true },
  };

  async start() {
    this.editing = true;
    await this.updateComplete;
    const input = this.querySelector("input");
    input.focus();
    input.select();
  }

  async finish() {
    this.editing = false;
    await this.updateComplete;
    this.querySelector("button").focus();
  }

  async send(event) {
    event.preventDefault();
    const text = this.querySelector("input").value.trim();
    const unit = this.isDuration ? Number(this.querySelector("select").value) : 1;
    const value = text === "" ? null : Number(text) * unit;
    if (await attempt(() => this.change({ [this.name]: value }), `${this.label} changed`)) {
      this.finish();
    }
  }

  render() {
    if (!this.editing) {
      return html`<div class="limit"><span>${this.label}</span>
        <button type="button" class="value-button" title="Change" aria-label="${this.label}: ${this.shown}. Change"
          data-limit=${this.name} @click=${this.start}>${this.shown}</button></div>`;
    }
    const [unit, size] = this.isDuration && this.value ? unitOf(this.value) : ["min", this.isDuration ? 60 : 1];
    return html`<div class="limit"><span>${this.label}</span>
      <form @submit=${this.send} @keydown=${(event) => event.key === "Escape" && (event.stopPropagation(), event.preventDefault(), this.finish())}>
        <input type="number" min=${this.isDuration ? 0 : 1} step=${this.isDuration ? "any" : 1} aria-label=${this.label}
          placeholder=${this.isOptional ? "no limit" : ""} ?required=${!this.isOptional} .value=${this.value ? String(this.value / size) : ""}>
        ${this.isDuration ? html`<select aria-label="Unit">${UNITS.map(([name, factor]) => html`<option value=${factor}
          ?selected=${name === unit}>${name}</option>`)}</select>` : ""}
        <button class="primary small square" aria-label="Save">${icon("check")}</button>
        <button type="button" class="small square" aria-label="Cancel" @click=${this.finish}>${icon("close")}</button>
      </form></div>`;
  }
}

define("limit-editor", LimitEditor);
