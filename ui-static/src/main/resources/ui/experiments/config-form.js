// The usual keys of a configuration as fields. What the form does not know stays as it is.
import { html, nothing } from "lit";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";

const TYPES = {
  choice: "relu, gelu, tanh",
  uniform: "low, high",
  loguniform: "low, high",
  randint: "low, high (not included)",
  quniform: "low, high, step",
  qloguniform: "low, high, step",
  normal: "mean, deviation",
  lognormal: "mean, deviation",
  qnormal: "mean, deviation, step",
  qlognormal: "mean, deviation, step",
};

/** "0.1, 1e-3, relu" as values: JSON where it is JSON, text otherwise. */
function readValues(text) {
  try {
    return JSON.parse(`[${text}]`);
  } catch {
    return text.split(",").map((part) => part.trim()).filter(Boolean).map(readOne);
  }
}

function readOne(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }
}

const showValues = (values) => (values ?? []).map((value) => (typeof value === "string" && !value.includes(",") ? value : JSON.stringify(value))).join(", ");

class ConfigForm extends Piece {
  static properties = { model: { attribute: false }, errors: { attribute: false }, algorithms: { attribute: false } };

  change(patch) {
    this.tell("changed", { ...this.model, ...patch });
  }

  faultAt(...pointers) {
    return this.errors.filter((error) => pointers.some((pointer) => error.pointer === pointer || error.pointer.startsWith(pointer + "/"))).map((error) => error.message).join(" ");
  }

  field(key, label, { hint = "", span = "two", type = "text", isNumber = false } = {}) {
    const fault = this.faultAt("/" + key);
    const read = (text) => (text === "" ? undefined : isNumber ? Number(text) : text);
    return html`<label class="field ${span}"><span>${label}</span>
      <input name=${key} type=${type} min=${isNumber ? 1 : nothing} spellcheck="false" autocomplete="off"
        aria-invalid=${fault ? "true" : "false"}
        .value=${String(this.model[key] ?? "")} @input=${(event) => this.change({ [key]: read(event.target.value) })}>
      ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  render() {
    const { model } = this;
    const tuner = model.tuner ?? {};
    const named = this.algorithms.filter((it) => it.kind !== "assessor");
    const tunerFault = this.faultAt("/tuner");
    const known = named.find((it) => it.name === tuner.name);
    return html`
      <div class="form-grid">
        ${this.field("experimentName", "Name")}
        ${this.field("trialCodeDirectory", "Code directory", { span: "four", hint: "On the server's machine; trials run in it." })}
        ${this.field("trialCommand", "Command", { span: "six", hint: "What one trial runs. Parameters arrive through nni, as $ORRERY_PARAM_… or as {{params.name}}." })}
        ${this.field("trialConcurrency", "Trials at once", { type: "number", isNumber: true })}
        ${this.field("maxTrialNumber", "Most trials", { type: "number", isNumber: true, hint: "Empty: no limit." })}
        ${this.field("maxExperimentDuration", "Longest time", { hint: "Such as 30m, 2h, 1d. Empty: no limit." })}
        <label class="field four"><span>Tuner</span>
          <select name="tuner" aria-invalid=${tunerFault ? "true" : "false"}
            @change=${(event) => this.change({ tuner: { ...tuner, name: event.target.value } })}>
            ${(named.some((it) => it.name === tuner.name) ? named : [{ name: tuner.name ?? "" }, ...named]).map((it) => html`<option ?selected=${it.name === tuner.name}>${it.name}</option>`)}
          </select>
          ${tunerFault ? html`<span class="fault">${tunerFault}</span>` : html`<small>${known?.summary ?? ""}</small>`}</label>
        <label class="field two"><span>A better metric is</span>
          <select name="mode" @change=${(event) => this.change({ tuner: { ...tuner, classArgs: { ...tuner.classArgs, optimize_mode: event.target.value } } })}>
            ${[["maximize", "higher"], ["minimize", "lower"]].map(([mode, word]) => html`<option value=${mode}
              ?selected=${tuner.classArgs?.optimize_mode === mode}>${word}</option>`)}
          </select></label>
      </div>
      <fieldset class="space-rows">
        <legend><h2>Search space</h2></legend>
        ${this.entries().map(([name, entry], at) => this.entry(name, entry, at))}
        <p><button type="button" class="small" @click=${this.addEntry}>${icon("add")}Parameter</button></p>
        ${this.faultAt("/searchSpace") && this.entries().length === 0 ? html`<p
          class="fault">${this.faultAt("/searchSpace")}</p>` : nothing}
      </fieldset>
    `;
  }

  entries() {
    return Object.entries(this.model.searchSpace ?? {});
  }

  entry(name, entry, at) {
    const fault = this.faultAt("/searchSpace/" + name.replaceAll("~", "~0").replaceAll("/", "~1"));
    return html`<div class="space-row" role="group" aria-label="Parameter ${name}">
      <input aria-label="Name" placeholder="name" spellcheck="false" .value=${name}
        @change=${(event) => this.replace(at, event.target.value.trim(), entry)}>
      <select aria-label="Type" @change=${(event) => this.replace(at, name, { ...entry, _type: event.target.value })}>
        ${Object.keys(TYPES).map((type) => html`<option ?selected=${type === entry._type}>${type}</option>`)}
      </select>
      <input aria-label="Values" spellcheck="false" placeholder=${TYPES[entry._type] ?? ""}
        aria-invalid=${fault ? "true" : "false"} .value=${showValues(entry._value)} @change=${(event) => this.replace(at, name, { ...entry, _value: readValues(event.target.value) })}>
      <button type="button" class="plain square" aria-label="Remove ${name}"
        @click=${() => this.replace(at, null)}>${icon("close")}</button>
      ${fault ? html`<span class="fault">${fault}</span>` : nothing}
    </div>`;
  }

  /** @param name null removes the entry */
  replace(at, name, entry) {
    const entries = this.entries();
    entries.splice(at, 1, ...(name === null ? [] : [[name, entry]]));
    this.change({ searchSpace: Object.fromEntries(entries) });
  }

  addEntry() {
    const taken = new Set(Object.keys(this.model.searchSpace ?? {}));
    let n = taken.size + 1;
    while (taken.has(`parameter_${n}`)) {
      n++;
    }
    this.change({ searchSpace: { ...this.model.searchSpace, [`parameter_${n}`]: { _type: "uniform", _value: [0, 1] } } });
  }
}

define("config-form", ConfigForm);
