// Starts a run: one field for each parameter of the pipeline, by its type. `before` is waited for and may call it off;
// `started` is told the id, and else the page of the run is opened.
import { html, nothing } from "lit";
import { pipelines } from "../api/pipelines.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { addressIn, navigate } from "../shell/router.js";

class RunForm extends Piece {
  static properties = { pipeline: { attribute: false }, before: { attribute: false }, started: { attribute: false }, errors: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.errors = [];
    this.before = async () => true;
    this.started = (id) => navigate(addressIn("runs", id));
  }

  async start(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const parameters = {};
    for (const [name, field] of Object.entries(this.pipeline.parameters ?? {})) {
      const value = valueOf(field, data, name);
      if (value !== undefined) {
        parameters[name] = value;
      }
    }
    this.busy = true;
    try {
      if (!(await this.before())) {
        return;
      }
      const { id } = await pipelines.run(this.pipeline.name, { parameters, ...(data.get(" fresh") ? { cache: false } : {}) });
      this.started(id);
    } catch (refusal) {
      this.errors = refusal.errors.length > 0 ? refusal.errors : [{ pointer: "", message: refusal.message }];
    } finally {
      this.busy = false;
    }
  }

  faultOf(name) {
    return this.errors.find((error) => error.pointer === `/parameters/${name}`)?.message;
  }

  render() {
    const fields = Object.entries(this.pipeline.parameters ?? {});
    const known = new Set(fields.map(([name]) => `/parameters/${name}`));
    return html`<form class="stack" @submit=${this.start}>
      <header><h2>Run</h2></header>
      ${fields.map(([name, field]) => this.field(name, field))}
      <label class="check"><input type="checkbox" name=" fresh"> <span class="small">Take nothing from the cache</span></label>
      ${this.errors.filter((error) => !known.has(error.pointer)).map((error) => html`<p class="fault" role="alert">${error.message}</p>`)}
      <button class="primary" ?disabled=${this.busy}>${icon("play")}Run</button>
    </form>`;
  }

  field(name, field) {
    const fault = this.faultOf(name);
    return html`<label class="field"><span>${field.label ?? name}</span>
      ${control(name, field, fault)}
      ${field.describe ? html`<small>${field.describe}</small>` : nothing}
      <span class="fault" role="alert">${fault ?? nothing}</span></label>`;
  }
}

const isNumber = (field) => ["int", "float", "double", "number"].includes(field.type);

function control(name, field, fault) {
  const invalid = fault ? "true" : "false";
  const initial = field.default ?? "";
  if (field.type === "bool") {
    return html`<input type="checkbox" name=${name} ?checked=${initial === true} aria-invalid=${invalid}>`;
  }
  if (field.choice ?? field.enum) {
    return html`<select name=${name} aria-invalid=${invalid}>${(field.choice ?? field.enum).map(
      (one) => html`<option value=${JSON.stringify(one)} ?selected=${one === initial}>${one}</option>`,
    )}</select>`;
  }
  if (isNumber(field)) {
    const [min, max] = field.range ?? [];
    return html`<input type="number" name=${name} .value=${String(initial)} min=${min ?? nothing} max=${max ?? nothing}
      step=${field.type === "int" ? "1" : "any"} aria-invalid=${invalid} ?required=${field.require === true || field.require === 1}>`;
  }
  return typeof initial === "object" || field.type === "text"
    ? html`<textarea class="code" name=${name} rows="3" aria-invalid=${invalid} .value=${typeof initial === "object" ? JSON.stringify(initial) : initial}></textarea>`
    : html`<input type="text" name=${name} .value=${initial} aria-invalid=${invalid}>`;
}

/** What was typed, in the type of the parameter; undefined for the default. */
function valueOf(field, data, name) {
  if (field.type === "bool") {
    return data.has(name);
  }
  const text = data.get(name);
  if (text === "" || text === null) {
    return undefined;
  }
  if (field.choice ?? field.enum) {
    return JSON.parse(text);
  }
  if (isNumber(field)) {
    return Number(text);
  }
  return typeof field.default === "object" ? parsed(text) : text;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

define("run-form", RunForm);
