// A trial with parameters of the user's choice, begun from those of another.
import { html, nothing } from "lit";
import { trials } from "../api.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { attempt } from "../shell/toasts.js";
import { setQuery } from "../shell/router.js";
import { describe, isInside } from "./search-space.js";

class CustomTrial extends Piece {
  static properties = { store: { attribute: false }, values: { state: true }, origin: { state: true } };

  /** @param trial whose parameters stand in the form at first */
  async open(trial) {
    this.origin = trial.id;
    this.values = Object.fromEntries(Object.entries(trial.parameters).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]));
    await this.updateComplete;
    this.querySelector("dialog").showModal();
  }

  close() {
    this.querySelector("dialog").close();
  }

  /** What was typed: JSON where it is JSON, text otherwise. */
  read(name) {
    const text = this.values[name].trim();
    const options = this.space[name]?._type === "choice" ? this.space[name]._value : [];
    if (options.includes(text)) {
      return text;
    }
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }

  get space() {
    return this.store.experiment.config?.searchSpace ?? {};
  }

  async send(event) {
    event.preventDefault();
    const parameters = Object.fromEntries(Object.keys(this.values).map((name) => [name, this.read(name)]));
    const trial = await attempt(() => trials.add(this.store.id, parameters), "Queued: it runs next");
    if (trial) {
      this.close();
      setQuery({ trial: trial.id });
    }
  }

  render() {
    return html`<dialog aria-labelledby="custom-title">
      ${this.values
        ? html`<header><h2 id="custom-title">Customised copy of <span class="code">${this.origin}</span></h2>
              <button type="button" class="plain square" aria-label="Close"
                @click=${this.close}>${icon("close")}</button></header>
            <form @submit=${this.send}>
              <div class="stack">${Object.keys(this.values).map((name) => this.field(name))}</div>
              <footer><button type="button" @click=${this.close}>Cancel</button><button class="primary">Run it</button></footer>
            </form>`
        : nothing}
    </dialog>`;
  }

  field(name) {
    const entry = this.space[name];
    const isOut = entry && !isInside(entry, this.read(name));
    return html`<label class="field"><span>${name}</span>
      <input name=${name} .value=${this.values[name]} spellcheck="false" autocomplete="off"
        @input=${(event) => (this.values = { ...this.values, [name]: event.target.value })}>
      <small class=${isOut ? "warned" : ""}>${entry ? describe(entry) : "not in the search space"}${isOut ? ": this value lies outside; it runs all the same" : ""}</small>
    </label>`;
  }
}

define("custom-trial", CustomTrial);
