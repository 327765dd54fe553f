// The settings of one task, a field for each.
import { html, nothing } from "lit";
import { numberOr } from "../kit/fields.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { argumentFields, indent } from "./argument-fields.js";
import { fieldGroups } from "./arguments.js";
import { kindOf } from "./catalogue.js";
import { usedBy } from "./edges.js";
import { pairRows } from "./pair-rows.js";

/** Kinds that the server does itself have few settings. */
const WITHOUT_PROGRAM = ["experiment", "model", "service", "approval"];

class TaskPanel extends Piece {
  static properties = {
    task: { attribute: false },
    at: { attribute: false },
    names: { attribute: false },
    waitsFor: { attribute: false },
    template: { attribute: false },
    errors: { attribute: false },
    texts: { attribute: false },
    fault: { state: true },
  };

  willUpdate(changed) {
    if (changed.has("task") && changed.get("task")?.name !== this.task.name) {
      this.fault = null;
    }
  }

  set(path, value, isTyped = false) {
    this.tell("set", { path, value, mark: isTyped ? `${this.task.name} ${path.join(" ")}` : null });
  }

  faultAt(pointer) {
    return this.errors
      .filter((error) => error.pointer === pointer || error.pointer?.startsWith(pointer + "/"))
      .map((error) => error.message)
      .join(" ");
  }

  faultOf(key) {
    return this.faultAt(`/tasks/${this.at}/${key}`);
  }

  get kind() {
    return WITHOUT_PROGRAM.find((kind) => kind in this.task) ?? (this.task.template !== undefined ? "template" : "command");
  }

  /** Errors of the task that no field shows. */
  rest() {
    return this.errors.filter((error) => error.pointer === `/tasks/${this.at}`);
  }

  render() {
    const { task } = this;
    return html`<section class="card task-form" aria-label="Task ${task.name}" @keydown=${this.onKey}>
      <header><h2>${task.name}</h2><span class="faint small">${kindOf(task)}</span>
        <div class="end"><button type="button" class="plain square" title="Save, and run this task alone" aria-label="Run this task alone" @click=${() => this.tell("run-task", task.name)}>${icon("play")}</button><button type="button" class="plain square" title="Save, and open a shell in place of the program" aria-label="Debug this task" @click=${() => this.tell("debug-task", task.name)}>${icon("terminal")}</button><button type="button" class="plain square" title="Delete the task" aria-label="Delete the task" @click=${() => this.tell("erase-task", task.name)}>${icon("trash")}</button></div></header>
      ${this.rest().map((error) => html`<p class="fault" role="alert">${error.message}</p>`)}
      ${this.nameField()}
      ${this.own()}
      ${this.waiting()}
      ${WITHOUT_PROGRAM.includes(this.kind) ? nothing : this.handing()}
      <details class="further"><summary>More settings</summary>${this.more()}</details>
    </section>`;
  }

  onKey(event) {
    if (event.key === "Escape") {
      this.tell("leave-task", this.task.name);
      event.preventDefault();
      event.stopPropagation();
    }
  }

  nameField() {
    const fault = this.fault ?? this.faultOf("name");
    return html`<label class="field"><span>Name</span>
      <input name="name" spellcheck="false" autocomplete="off" maxlength="54" aria-invalid=${fault ? "true" : "false"} .value=${this.task.name} @change=${this.rename}>
      ${fault ? html`<span class="fault" role="alert">${fault}</span>` : nothing}</label>`;
  }

  rename(event) {
    const name = event.target.value.trim();
    if (name === this.task.name) {
      return;
    }
    this.fault = name === "" ? "A task has a name." : this.names.includes(name) ? `There is a task of the name ${name}.` : null;
    if (this.fault === null) {
      this.tell("rename", { from: this.task.name, to: name });
    }
  }

  own() {
    switch (this.kind) {
      case "template":
        return this.arguments();
      case "command":
        return this.area("Command", ["command"], { hint: "Runs in a shell. {{parameters.x}} and {{tasks.a.outputs.b}} look values up." });
      case "approval":
        return typeof this.task.approval === "string" ? this.area("What is asked", ["approval"]) : this.yamlArea("Approval", "approval");
      case "model":
        return html`${this.input("Model", ["model", "name"])}
          ${this.input("Files", ["model", "from"], { placeholder: "{{tasks.train.outputs.model}}", hint: "An output of a task that is files." })}
          ${this.input("Alias", ["model", "alias"], { placeholder: "production" })}`;
      default:
        return this.yamlArea(this.kind === "experiment" ? "Experiment" : "Service", this.kind);
    }
  }

  arguments() {
    const { template, task } = this;
    if (template === null) {
      return html`<p class="soft small">The parameters of template ${task.template} are not known yet.</p>`;
    }
    if (template === undefined) {
      return html`<p class="fault">There is no template ${task.template}, or it is not for you to see.</p>`;
    }
    const change = (name, value, isTyped) => this.set(["arguments", name], value, isTyped);
    return html`${template.describe ? html`<p class="soft small">${template.describe}</p>` : nothing}
      ${fieldGroups(template.arguments).map(
        ({ group, fields }) => html`<fieldset class="argument-group"><legend>${group}</legend>
          ${argumentFields(fields, task.arguments, change, (pointer) => this.faultAt(pointer), `/tasks/${this.at}/arguments`)}</fieldset>`,
      )}
      ${this.faultAt(`/tasks/${this.at}/template`) ? html`<p class="fault">${this.faultAt(`/tasks/${this.at}/template`)}</p>` : nothing}`;
  }

  valueAt(path) {
    return path.reduce((value, key) => value?.[key], this.task);
  }

  input(label, path, { placeholder = "", hint = "", read = (text) => text } = {}) {
    const fault = this.faultOf(path.join("/"));
    const value = this.valueAt(path);
    return html`<label class="field" data-key=${path.join(".")}><span>${label}</span>
      <input spellcheck="false" autocomplete="off" placeholder=${placeholder} aria-invalid=${fault ? "true" : "false"} .value=${value === undefined ? "" : String(value)}
        @input=${(event) => this.set(path, event.target.value === "" ? undefined : read(event.target.value), true)}>
      ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  area(label, path, { hint = "" } = {}) {
    const fault = this.faultOf(path.join("/"));
    const value = this.valueAt(path) ?? "";
    return html`<label class="field" data-key=${path.join(".")}><span>${label}</span>
      <textarea class="code" spellcheck="false" autocapitalize="off" rows=${Math.min(14, Math.max(3, String(value).split("\n").length + 1))}
        aria-invalid=${fault ? "true" : "false"} .value=${String(value)} @keydown=${indent} @input=${(event) => this.set(path, event.target.value, true)}></textarea>
      ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  /** A part that is an object, as YAML; it is taken over when the field is left. */
  yamlArea(label, key) {
    const fault = this.unread ?? this.faultOf(key);
    const text = this.texts.written(this.task[key]);
    return html`<label class="field" data-key=${key}><span>${label}</span>
      <textarea class="code" spellcheck="false" autocapitalize="off" rows=${Math.min(22, text.split("\n").length + 2)} aria-invalid=${fault ? "true" : "false"} .value=${text}
        @keydown=${indent} @change=${(event) => this.readYaml(key, event.target.value)}></textarea>
      ${fault ? html`<span class="fault">${fault}</span>` : html`<small>YAML.</small>`}</label>`;
  }

  readYaml(key, text) {
    const { value, errors } = this.texts.parse(text);
    this.unread = errors.length > 0 ? `Line ${errors[0].line}: ${errors[0].message}` : null;
    if (this.unread === null) {
      this.set([key], value);
    } else {
      this.requestUpdate();
    }
  }

  waiting() {
    const { task, names, waitsFor } = this;
    const used = usedBy(task);
    const others = names.filter((name) => name !== task.name && !waitsFor.includes(name));
    return html`<div class="field" role="group" aria-label="Waits for" data-key="after"><span>Waits for</span>
      ${waitsFor.length === 0 ? html`<small>Nothing: it starts with the run.</small>` : html`<ul class="waits">${waitsFor.map(
        (name) => html`<li><span class="code small">${name}</span>${used.has(name)
          ? html`<small>by its outputs</small>`
          : html`<button type="button" class="plain square small" aria-label="No longer wait for ${name}" @click=${() => this.tell("disconnect", { from: name, to: task.name })}>${icon("close")}</button>`}</li>`,
      )}</ul>`}
      ${others.length === 0 ? nothing : html`<select aria-label="Wait for another task" @change=${this.wait}><option value="">Wait for…</option>${others.map((name) => html`<option>${name}</option>`)}</select>`}
      ${this.faultOf("after") ? html`<span class="fault">${this.faultOf("after")}</span>` : nothing}</div>`;
  }

  wait(event) {
    const from = event.target.value;
    event.target.value = "";
    this.tell("connect", { from, to: this.task.name });
  }

  handing() {
    const outputs = {
      noun: "output",
      fresh: { value: "value" },
      show: (output) => (output?.path === undefined ? (output?.value ?? "") : output.path),
      // A path is seen by its slash or its dot.
      read: (text) => (/[/.]/.test(text) ? { path: text } : { value: text }),
      placeholder: "rows, or data/",
      fault: this.faultOf("outputs"),
      hint: "rows is a value that the program tells; data/ and model.bin are files.",
    };
    return html`
      ${pairRows("Inputs", this.task.inputs, (map) => this.set(["inputs"], map), { noun: "input", placeholder: "{{tasks.a.outputs.b}}", fault: this.faultOf("inputs"), hint: "Files of other tasks." })}
      ${pairRows("Outputs", this.task.outputs, (map) => this.set(["outputs"], map), outputs)}`;
  }

  more() {
    const hasProgram = !WITHOUT_PROGRAM.includes(this.kind);
    const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value));
    return html`<div class="stack">
      ${this.input("Only when", ["when"], { placeholder: "{{tasks.a.outputs.rows}} > 100", hint: "Else it is skipped." })}
      ${this.input("Longest time", ["timeout"], { placeholder: "2h" })}
      <div class="two-up">${this.input("Attempts", ["retry", "attempts"], { placeholder: "1", read: numberOr })}${this.input("Pause between", ["retry", "backoff"], { placeholder: "10s" })}</div>
      ${hasProgram
        ? html`${pairRows("Once for each", this.task.each, (map) => this.set(["each"], map), {
              noun: "value",
              fresh: [1, 2],
              show: (values) => (Array.isArray(values) ? values.map(plain).join(", ") : plain(values)),
              read: (text) => (text.includes("{{") ? text : text.split(",").map((part) => numberOr(part.trim()))),
              placeholder: "1, 2, 3",
              fault: this.faultOf("each"),
              hint: "Becomes a step for each value, {{each.NAME}}.",
            })}
            ${pairRows("Environment", this.task.env, (map) => this.set(["env"], map), { noun: "variable", fault: this.faultOf("env"), fresh: "" })}
            <div class="two-up">${this.input("CPU", ["resources", "cpu"], { placeholder: "2" })}${this.input("Memory", ["resources", "memory"], { placeholder: "4G" })}</div>
            <div class="two-up">${this.input("GPUs", ["resources", "gpu"], { placeholder: "0", read: numberOr })}${this.input("Runs on", ["trainingService", "platform"], { placeholder: "local" })}</div>
            ${this.input("Reuse results for", ["cache", "for"], { placeholder: "7d", hint: "Takes the outputs of an equal step." })}
            <div class="two-up">${this.input("Image", ["image"])}${this.input("Cluster", ["cluster"])}</div>
            ${typeof this.task.code === "object" ? nothing : this.input("Code", ["code"], { placeholder: "sha256:…", hint: "Of a directory that orrery pipeline run has sent." })}`
        : nothing}
      ${this.input("Title", ["title"])}
    </div>`;
  }
}

define("task-panel", TaskPanel);
