// The settings of a pipeline as a whole.
import { html, nothing } from "lit";
import { numberOr } from "../kit/fields.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { pairRows } from "./pair-rows.js";

const TYPES = ["str", "int", "float", "bool", "text", "enum", "multiple", "list", "file", "json"];

class PipelineSettings extends Piece {
  static properties = { value: { attribute: false }, errors: { attribute: false }, isNew: { attribute: false } };

  set(path, value, isTyped = false) {
    this.tell("set", { path, value, mark: isTyped ? path.join(" ") : null });
  }

  faultOf(key) {
    const pointer = `/${key}`;
    return this.errors.filter((error) => error.pointer === pointer || error.pointer?.startsWith(pointer + "/")).map((error) => error.message).join(" ");
  }

  render() {
    return html`<section class="card task-form" aria-label="Settings of the pipeline">
      <header><h2>Pipeline</h2></header>
      ${this.input("Name", ["name"], { isFixed: !this.isNew, hint: this.isNew ? "" : "A pipeline keeps its name; New one like this copies it." })}
      ${this.input("Title", ["title"])}
      <details class="further"><summary>More settings</summary><div class="stack">
        ${this.isNew ? this.input("Project", ["project"], { placeholder: "public" }) : nothing}
        ${this.input("Description", ["describe"])}
        ${this.input("Steps at once", ["parallelism"], { placeholder: "3", read: numberOr })}
        ${pairRows("Environment", this.value.env, (map) => this.set(["env"], map), { noun: "variable", fault: this.faultOf("env") })}
        ${this.exit()}
      </div></details>
      ${this.parameters()}
    </section>`;
  }

  input(label, path, { placeholder = "", hint = "", isFixed = false, read = (text) => text } = {}) {
    const fault = this.faultOf(path.join("/"));
    const value = path.reduce((at, key) => at?.[key], this.value);
    return html`<label class="field" data-key=${path.join(".")}><span>${label}</span>
      <input spellcheck="false" autocomplete="off" placeholder=${placeholder} ?disabled=${isFixed} aria-invalid=${fault ? "true" : "false"} .value=${value === undefined ? "" : String(value)}
        @input=${(event) => this.set(path, event.target.value === "" ? undefined : read(event.target.value), true)}>
      ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  exit() {
    const { onExit } = this.value;
    if (onExit && onExit.command === undefined) {
      return html`<p class="small soft">At the end runs ${onExit.name}; the text has it.</p>`;
    }
    const fault = this.faultOf("onExit");
    const put = (command) => this.set(["onExit"], command === "" ? undefined : { ...onExit, name: onExit?.name ?? "on-exit", command });
    return html`<label class="field" data-key="onExit"><span>Command at the end</span>
      <textarea class="code" rows="2" spellcheck="false" aria-invalid=${fault ? "true" : "false"} .value=${onExit?.command ?? ""} @change=${(event) => put(event.target.value)}></textarea>
      ${fault ? html`<span class="fault">${fault}</span>` : html`<small>Runs whatever became of the run: $ORRERY_RUN_STATUS.</small>`}</label>`;
  }

  parameters() {
    const entries = Object.entries(this.value.parameters ?? {});
    const put = (list) => this.set(["parameters"], list.length > 0 ? Object.fromEntries(list) : undefined);
    return html`<fieldset class="pairs-field" data-map="parameter"><legend>Parameters</legend>
      ${entries.map(([name, parameter], at) => this.parameter(name, parameter, (changed) => put(changed === null ? entries.toSpliced(at, 1) : entries.with(at, changed))))}
      <button type="button" class="small" @click=${() => put([...entries, [freshName(entries), { type: "str", default: "" }]])}>${icon("add")}Parameter</button>
      ${this.faultOf("parameters") && entries.length === 0 ? html`<span class="fault">${this.faultOf("parameters")}</span>` : nothing}
    </fieldset>`;
  }

  parameter(name, parameter, put) {
    const fault = this.faultOf(`parameters/${name}`);
    const type = parameter.type ?? "str";
    const change = (key, value) => {
      const { [key]: _, ...rest } = parameter;
      put([name, value === undefined ? rest : { ...parameter, [key]: value }]);
    };
    const hasChoice = ["enum", "multiple"].includes(type);
    const read = (text) => (["int", "float"].includes(type) ? numberOr(text) : type === "bool" ? text === "true" : text);
    return html`<div class="parameter" role="group" aria-label="Parameter ${name}">
      <div class="pair-row">
        <input aria-label="Name of parameter" spellcheck="false" autocomplete="off" .value=${name} @change=${(event) => event.target.value.trim() && put([event.target.value.trim(), parameter])}>
        <select aria-label="Type of ${name}" @change=${(event) => put([name, ofType(parameter, event.target.value)])}>${TYPES.map((one) => html`<option ?selected=${one === type}>${one}</option>`)}</select>
        <button type="button" class="plain square" aria-label="Remove parameter ${name}" @click=${() => put(null)}>${icon("close")}</button>
      </div>
      <div class="pair-row">
        <input aria-label="Default of ${name}" placeholder="default" .value=${parameter.default === undefined ? "" : String(parameter.default)}
          @change=${(event) => change("default", event.target.value === "" ? undefined : read(event.target.value))}>
        ${hasChoice
          ? html`<input aria-label="Choices of ${name}" placeholder="a, b, c" .value=${(parameter.choice ?? []).join(", ")} @change=${(event) => change("choice", event.target.value.split(",").map((part) => part.trim()).filter(Boolean))}>`
          : html`<input aria-label="Range of ${name}" placeholder=${["int", "float"].includes(type) ? "1, 100" : ""} ?disabled=${!["int", "float"].includes(type)} .value=${(parameter.range ?? []).toString()}
              @change=${(event) => change("range", event.target.value.trim() === "" ? undefined : event.target.value.split(",").map((part) => numberOr(part.trim())))}>`}
        <span></span>
      </div>
      ${fault ? html`<span class="fault">${fault}</span>` : nothing}</div>`;
  }
}

/** A parameter of another type keeps what still fits. */
function ofType(parameter, type) {
  const { choice: _, range: __, default: usual, ...rest } = parameter;
  const choice = ["enum", "multiple"].includes(type) ? { choice: ["a", "b"], default: type === "enum" ? "a" : ["a"] } : {};
  const kept = ["str", "text", "file"].includes(type) && typeof usual !== "object" ? { default: String(usual ?? "") } : {};
  const standard = { int: { default: 1 }, float: { default: 1 }, bool: { default: false } }[type] ?? {};
  return { ...rest, type, ...kept, ...standard, ...choice };
}

function freshName(entries) {
  let n = entries.length + 1;
  while (entries.some(([name]) => name === `parameter_${n}`)) {
    n++;
  }
  return `parameter_${n}`;
}

define("pipeline-settings", PipelineSettings);
