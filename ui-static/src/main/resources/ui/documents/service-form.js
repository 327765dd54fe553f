// The document of a service as fields: each is read from the text and written into it, where comments and all other keys stay.
// Tells `written` with the text as it is then.
import { html, nothing } from "lit";
import { CORE, set } from "../editor/yaml-document.js";
import { pairRows } from "../editor/pair-rows.js";
import { numberOr } from "../kit/fields.js";
import { Piece, define } from "../kit/piece.js";
import { parseCore } from "./core-yaml.js";

const TYPES = ["internal", "serving", "tfserving", "torch-server", "onnxruntime", "triton-server"];
const STAGES = ["production", "test", "debug"];
const USUAL_TYPE = "internal";
const USUAL_STAGE = "production";

const isPlain = (value) => typeof value !== "object" || value === null;
const isMapOrNone = (value) => value === undefined || value === null || (typeof value === "object" && !Array.isArray(value));

/** A list such as [8080, 9090] as text; undefined when it holds more than plain values. */
export const listed = (value) => (value === undefined ? "" : Array.isArray(value) && value.every(isPlain) ? value.join(", ") : undefined);

/** The list of such a text; undefined for none. */
export function readList(text) {
  const parts = text.split(/[\s,]+/).filter(Boolean).map(numberOr);
  return parts.length > 0 ? parts : undefined;
}

class ServiceForm extends Piece {
  static properties = { text: {}, errors: { attribute: false }, refused: { state: true } };

  constructor() {
    super();
    this.text = "";
    this.errors = [];
    /** The last change that the text could not take: {text, pointer, message}; null for none. */
    this.refused = null;
  }

  set(path, value) {
    try {
      this.tell("written", set(this.text, path, value, CORE));
    } catch (failure) {
      this.refused = { text: this.text, pointer: "/" + path.join("/"), message: `could not write this into the text: ${failure.message}` };
    }
  }

  faultAt(pointer) {
    const { refused } = this;
    if (refused?.text === this.text && refused.pointer === pointer) {
      return refused.message;
    }
    return this.errors.find((error) => error.pointer === pointer || error.pointer?.startsWith(pointer + "/"))?.message ?? "";
  }

  render() {
    const { value } = parseCore(this.text);
    if (value === null) {
      return html`<div class="card state"><p>The document has errors that the form cannot show. Correct them in the text.</p></div>`;
    }
    this.value = value;
    const isOfModel = "model" in value || (value.type ?? USUAL_TYPE) !== USUAL_TYPE;
    return html`<div class="card stack">
      <div class="form-grid">
        ${this.input("Name", ["name"], "two")}
        ${this.input("Title", ["title"], "two")}
        ${this.choice("Type", ["type"], "two", TYPES, USUAL_TYPE)}
      </div>
      ${isOfModel
        ? html`<div class="form-grid">${this.input("Model", ["model", "name"], "two")}${this.input("Version", ["model", "version"], "two")}${this.input(
            "or alias",
            ["model", "alias"],
            "two",
            { placeholder: "production" },
          )}</div>`
        : nothing}
      <div class="form-grid">
        ${"imageOf" in value
          ? this.input("Last image of the build", ["imageOf"], "four", { hint: "Taken at each deployment and restart. Empty for an image by its name." })
          : this.input("Image", ["image"], "four", { placeholder: "python:3.13-slim", hint: "Where a container engine or a cluster is; without it the command is a program of the machine." })}
        ${this.input("Cluster", ["cluster"], "two", { placeholder: "the usual one" })}
        ${this.command()}
      </div>
      <div class="form-grid">
        ${this.ports()}
        ${this.input("Health", ["health"], "two", { placeholder: "8080:/healthz" })}
        ${this.input("Replicas", ["replicas"], "two", { placeholder: "1", read: numberOr })}
        ${this.input("Host", ["host"], "four", { placeholder: "the usual one, by the name" })}
        ${this.choice("Stage", ["stage"], "two", STAGES, USUAL_STAGE)}
      </div>
      <div class="form-grid">
        ${this.input("CPUs", ["resources", "cpu"], "two", { placeholder: "no limit", read: numberOr })}
        ${this.input("Memory", ["resources", "memory"], "two", { placeholder: "no limit, or 2G" })}
        ${this.input("GPUs", ["resources", "gpu"], "two", { placeholder: "0", read: numberOr })}
      </div>
      ${isPlain(value.env ?? {}) || Array.isArray(value.env)
        ? this.inTheText("Environment")
        : pairRows("Environment", value.env, (map) => this.set(["env"], map), { noun: "variable", placeholder: "value", fault: this.faultAt("/env"), hint: "secret:NAME is a secret of the project." })}
    </div>`;
  }

  at(path) {
    return path.reduce((value, key) => value?.[key], this.value);
  }

  input(label, path, width, { placeholder = "", hint = "", read = (text) => text } = {}) {
    const value = this.at(path);
    if (!isPlain(value)) {
      return this.inTheText(label, width);
    }
    const above = path.slice(0, -1);
    if (above.length > 0 && !isMapOrNone(this.at(above))) {
      return html`<div class="field ${width}" data-key=${path.join(".")}><span>${label}</span>
        <span class="fault">${above.join(".")} must be an object to have ${path.at(-1)}: change it in the text.</span></div>`;
    }
    const fault = this.faultAt("/" + path.join("/"));
    return html`<label class="field ${width}" data-key=${path.join(".")}><span>${label}</span>
      <input type="text" spellcheck="false" autocomplete="off" placeholder=${placeholder} aria-invalid=${fault ? "true" : "false"} .value=${String(value ?? "")}
        @input=${(event) => this.set(path, event.target.value === "" ? undefined : read(event.target.value))}>
      ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  choice(label, path, width, words, usual) {
    const value = this.at(path) ?? usual;
    const fault = this.faultAt("/" + path.join("/"));
    return html`<label class="field ${width}" data-key=${path.join(".")}><span>${label}</span>
      <select aria-invalid=${fault ? "true" : "false"} @change=${(event) => this.set(path, event.target.value === usual ? undefined : event.target.value)}>
        ${(words.includes(value) ? words : [value, ...words]).map((word) => html`<option value=${word} .selected=${word === value}>${word}</option>`)}</select>
      ${fault ? html`<span class="fault">${fault}</span>` : nothing}</label>`;
  }

  command() {
    const { command } = this.value;
    const fault = this.faultAt("/command");
    if (!isPlain(command)) {
      return this.inTheText("Command", "six");
    }
    return html`<label class="field six" data-key="command"><span>Command</span>
      <textarea class="code" spellcheck="false" autocapitalize="off" rows=${Math.min(10, Math.max(2, String(command ?? "").split("\n").length))}
        aria-invalid=${fault ? "true" : "false"} .value=${String(command ?? "")}
        @input=${(event) => this.set(["command"], event.target.value === "" ? undefined : event.target.value)}></textarea>
      ${fault ? html`<span class="fault">${fault}</span>` : html`<small>Runs in a shell, and listens on $PORT.</small>`}</label>`;
  }

  ports() {
    const ports = listed(this.value.ports);
    if (ports === undefined) {
      return this.inTheText("Ports", "two");
    }
    const fault = this.faultAt("/ports");
    // What is being typed is no list yet: it is taken when the field is left.
    return html`<label class="field two" data-key="ports"><span>Ports</span>
      <input type="text" spellcheck="false" autocomplete="off" placeholder="8080, 9090" aria-invalid=${fault ? "true" : "false"} .value=${ports}
        @change=${(event) => this.set(["ports"], readList(event.target.value))}>
      ${fault ? html`<span class="fault">${fault}</span>` : nothing}</label>`;
  }

  /** A key whose value is more than a field can hold. */
  inTheText(label, width = "") {
    return html`<div class="field ${width}"><span>${label}</span><small>More than a field holds: change it in the text.</small></div>`;
  }
}

define("service-form", ServiceForm);
