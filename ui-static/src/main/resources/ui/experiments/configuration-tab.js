// What the experiment was started with, and its search space as people read it.
import { html } from "lit";
import { experiments } from "../api.js";
import { copy } from "../kit/clipboard.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { yaml } from "../kit/yaml.js";
import { describe } from "../trials/search-space.js";

class ConfigurationTab extends Piece {
  static properties = { store: { attribute: false }, form: { state: true }, editing: { state: true }, fault: { state: true } };

  constructor() {
    super();
    this.form = recall("config.form", "YAML");
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "experiment", () => this.requestUpdate());
  }

  get text() {
    const { config } = this.store.experiment;
    return this.form === "YAML" ? yaml(config) : JSON.stringify(config, null, 2);
  }

  choose(form) {
    this.form = form;
    remember("config.form", form);
  }

  async save(event) {
    event.preventDefault();
    try {
      const searchSpace = JSON.parse(this.querySelector("textarea").value);
      await this.store.ask(() => experiments.change(this.store.id, { searchSpace }));
      this.editing = false;
      this.fault = null;
    } catch (refusal) {
      this.fault = [refusal.message, ...(refusal.errors ?? []).map((error) => `${error.pointer} ${error.message}`)].join("\n");
    }
  }

  render() {
    const it = this.store.experiment;
    return html`<div class="board">
      <section class="card">
        <header>
          <h2>Configuration</h2>
          <div class="end">
            <div class="switch" role="group" aria-label="Form">${["YAML", "JSON"].map((form) => html`<button type="button"
              aria-pressed=${form === this.form} @click=${() => this.choose(form)}>${form}</button>`)}</div>
            <button type="button" class="small" @click=${() => copy(this.text, "Configuration")}>${icon("copy")}Copy</button>
            <a class="button small" href="#/new?from=${encodeURIComponent(it.id)}">${icon("fork")}New one like this</a>
          </div>
        </header>
        <pre class="document" tabindex="0" role="region" aria-label="Configuration">${this.text}</pre>
      </section>
      <section class="card">
        <header><h2>Search space</h2>
          <div class="end"><button type="button" class="small" aria-pressed=${!!this.editing}
            @click=${() => (this.editing = !this.editing)}>Edit</button></div></header>
        ${this.editing ? this.editor(it) : this.table(it)}
      </section>
    </div>`;
  }

  table(it) {
    return html`<table class="pairs"><tbody>
      ${Object.entries(it.config?.searchSpace ?? {}).map(
        ([name, entry]) => html`<tr><th scope="row" class="code">${name}</th><td>${describe(entry)} <span
          class="faint">${entry?._type ? `(${entry._type})` : ""}</span></td></tr>`,
      )}
    </tbody></table>`;
  }

  editor(it) {
    return html`<form class="stack" @submit=${this.save}>
      <textarea class="code" rows="14" spellcheck="false" aria-label="Search space as JSON"
        aria-invalid=${this.fault ? "true" : "false"} .value=${JSON.stringify(it.config?.searchSpace, null, 2)}></textarea>
      <p class="fault lines" role="alert">${this.fault}</p>
      <div class="toolbar"><button class="primary">Save</button><span
        class="faint small">Trials that are already planned keep their values.</span></div>
    </form>`;
  }
}

define("configuration-tab", ConfigurationTab);
