// Registers a version of a model: of a trial, of an output of a run, of files of this machine, or of a path that it stands for.
import { html, nothing } from "lit";
import { experiments } from "../api.js";
import { models } from "../api/models.js";
import { runs } from "../api/pipelines.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { UNCHECKED, verdict } from "../kit/verdict.js";
import { chosen } from "../people/chosen-project.js";
import { addressIn, navigate, route } from "../shell/router.js";
import { toast } from "../shell/toasts.js";
import { chosenFiles, outputFiles, uploaded } from "./uploads.js";

const STAGES = ["none", "staging", "production", "archived"];
const SOURCES = { experiment: "Experiment", run: "Run", files: "Files", path: "Path" };
const LATEST = 100;
const PERCENT = 100;

class RegistrationPage extends Piece {
  static properties = {
    name: {},
    from: { state: true },
    files: { state: true },
    known: { state: true },
    run: { state: true },
    check: { state: true },
    sending: { state: true },
  };

  constructor() {
    super();
    this.name = "";
    const { query } = route.current;
    this.from = Object.keys(SOURCES).find((key) => query.get(key)) ?? "experiment";
    this.files = [];
    /** Experiments and runs to choose from. */
    this.known = { experiments: [], runs: [] };
    /** The run that is chosen, with its steps; null for none. */
    this.run = null;
    this.check = UNCHECKED;
    /** What is being sent: {at, all, share}; null for nothing. */
    this.sending = null;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Register a version · Orrery";
    this.listen(chosen, "chosen", () => ((this.check = UNCHECKED), this.load()));
    this.load();
  }

  async load() {
    const [some, latest] = await Promise.all([
      experiments.list({ limit: LATEST }).catch(() => ({ items: [] })),
      runs.list({ limit: LATEST }).catch(() => ({ items: [] })),
    ]);
    this.known = { experiments: some.items, runs: latest.items };
    const run = route.current.query.get("run");
    if (run) {
      await this.chooseRun(run);
    }
  }

  async chooseRun(id) {
    this.run = id ? await runs.get(id).catch(() => null) : null;
  }

  choose(from) {
    this.from = from;
    this.check = UNCHECKED;
  }

  /** What is said of the version, and where it comes from; the files are uploaded before, unless it is only checked. */
  async wanted(data, dryRun) {
    const given = (key) => (data.get(key) ?? "").trim();
    const body = { stage: given("stage") };
    for (const key of ["version", "framework", "description"]) {
      if (given(key)) {
        body[key] = given(key);
      }
    }
    const aliases = given("aliases").split(/[\s,]+/).filter(Boolean);
    if (aliases.length > 0) {
      body.aliases = aliases;
    }
    switch (this.from) {
      case "experiment":
        body.source = { experiment: given("experiment") };
        ["trial", "path"].filter((key) => given(key)).forEach((key) => (body.source[key] = given(key)));
        break;
      case "run": {
        const [step, name] = given("output").split("/");
        if (!name) {
          throw new Error("Choose a run and one of its outputs that are files.");
        }
        body.source = { run: this.run.id, step };
        await this.bring(body, dryRun, () => outputFiles(this.run.id, step, name, this.outputs().find((one) => one.key === `${step}/${name}`).output, given("path")));
        break;
      }
      case "files":
        if (this.files.length === 0) {
          throw new Error("Choose files or a folder.");
        }
        await this.bring(body, dryRun, () => this.files);
        break;
      default:
        body.path = given("path");
    }
    return body;
  }

  /** A check sends no files: a path stands for them. */
  async bring(body, dryRun, files) {
    if (dryRun) {
      body.path = "/";
    } else {
      const all = await files();
      body.files = await uploaded(all, (at, share) => (this.sending = { at, all: all.length, share }));
    }
  }

  outputs() {
    return (this.run?.steps ?? []).flatMap((step) =>
      Object.entries(step.outputs)
        .filter(([, output]) => output.kind !== "value")
        .map(([name, output]) => ({ key: `${step.name}/${name}`, output })),
    );
  }

  async submit(dryRun) {
    const form = this.querySelector("form");
    if (!form.reportValidity()) {
      return;
    }
    const data = new FormData(form);
    const name = data.get("model").trim();
    this.check = { ...UNCHECKED, state: "asking" };
    this.sending = { at: 0, all: 0, share: 0 };
    try {
      const body = await this.wanted(data, dryRun);
      const version = await models.register(name, body, { ...(await chosen.within({})), dryRun });
      this.check = { state: "good", errors: [], notices: [] };
      if (!dryRun) {
        toast(`${name} has version ${version.version} now`);
        navigate(addressIn("models", name));
      }
    } catch (refusal) {
      this.check = { state: "bad", errors: refusal.errors ?? [], notices: [], message: refusal.message };
    }
    this.sending = null;
  }

  render() {
    const { sending } = this;
    return html`
      <div class="page-head"><h1>Register a version</h1><div class="end">
        <a class="button" href=${this.name ? addressIn("models", this.name) : "#/models"}>Cancel</a>
        <button type="button" ?disabled=${sending !== null} @click=${() => this.submit(true)}>Check</button>
        <button type="button" class="primary" ?disabled=${sending !== null} @click=${() => this.submit(false)}>${icon("check")}Register</button>
      </div></div>
      <div class="new">
        <form class="card stack" aria-label="Version" @submit=${(event) => (event.preventDefault(), this.submit(false))}>
          <div class="form-grid">
            ${this.field("model", "Model", "three", { value: this.name, required: true, hint: "A new name makes a new model." })}
            ${this.field("version", "Version", "three", { placeholder: "the next number" })}
          </div>
          <div class="switch" role="group" aria-label="From">${Object.entries(SOURCES).map(([key, label]) => html`<button type="button"
            aria-pressed=${this.from === key} @click=${() => this.choose(key)}>${label}</button>`)}</div>
          <div class="form-grid">${this.source()}</div>
          <div class="form-grid">
            <label class="field two"><span>Stage</span><select name="stage">${STAGES.map((stage) => html`<option>${stage}</option>`)}</select></label>
            ${this.field("aliases", "Aliases", "two", { placeholder: "production" })}
            ${this.field("framework", "Framework", "two", { placeholder: "onnx" })}
            ${this.field("description", "Description", "six", {})}
          </div>
          <button class="unseen" tabindex="-1" aria-hidden="true">Register</button>
        </form>
        <aside class="stack">
          ${verdict(this.check, {
            before: "Check asks the server whether it takes this, and stores nothing.",
            good: "The server takes this version.",
            show: ({ pointer }) => this.querySelector(`[name="${pointer.split("/").at(-1)}"]`)?.focus(),
          })}
          ${sending !== null && sending.all > 0
            ? html`<p class="small" role="status">Sending ${sending.at} of ${sending.all}: ${Math.round(sending.share * PERCENT)} %</p>`
            : nothing}
        </aside>
      </div>`;
  }

  field(name, label, width, { value = "", placeholder = "", hint = "", required = false, list = "" }) {
    return html`<label class="field ${width}"><span>${label}</span><input type="text" name=${name} ?required=${required} maxlength="2000"
      placeholder=${placeholder} list=${list || nothing} spellcheck="false" autocomplete="off" value=${value}>${hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  source() {
    const { query } = route.current;
    const asked = (key) => query.get(key) ?? "";
    switch (this.from) {
      case "experiment":
        return html`${this.field("experiment", "Experiment", "two", { value: asked("experiment"), required: true, list: "known-experiments" })}
          <datalist id="known-experiments">${this.known.experiments.map((one) => html`<option value=${one.id}>${one.name ?? ""}</option>`)}</datalist>
          ${this.field("trial", "Trial", "two", { value: asked("trial"), placeholder: "the best one" })}
          ${this.field("path", "Path in its files", "two", { placeholder: "all of them" })}`;
      case "run":
        return html`<label class="field two"><span>Run</span><select @change=${(event) => this.chooseRun(event.target.value)}>
            <option value="">Choose</option>
            ${this.runsToChoose().map((one) => html`<option value=${one.id} .selected=${one.id === this.run?.id}>${one.pipeline} ${one.id}</option>`)}</select></label>
          <label class="field two"><span>Output</span><select name="output">${this.outputs().map(({ key }) => html`<option>${key}</option>`)}</select>
            ${this.run !== null && this.outputs().length === 0 ? html`<small>No step of it has left files.</small>` : nothing}</label>
          ${this.field("path", "Path in it", "two", { placeholder: "all of it" })}`;
      case "files":
        return html`<div class="field six"><span>${this.files.length === 0 ? "No files are chosen" : `${this.files.length} file${this.files.length > 1 ? "s" : ""} chosen`}</span>
          <div class="toolbar">
            <label class="button">Choose a folder…<input class="unseen" type="file" webkitdirectory aria-label="Choose a folder" @change=${this.take}></label>
            <label class="button">Choose files…<input class="unseen" type="file" multiple aria-label="Choose files" @change=${this.take}></label></div>
          ${this.files.slice(0, 10).map(({ path }) => html`<small class="code">${path}</small>`)}</div>`;
      default:
        return this.field("path", "Path or address", "six", { placeholder: "/mnt/models/digits or https://…", required: true, hint: "Nothing is copied: the version stands for it." });
    }
  }

  /** The latest, and the one that the address names. */
  runsToChoose() {
    const { runs: latest } = this.known;
    return this.run === null || latest.some((one) => one.id === this.run.id) ? latest : [this.run, ...latest];
  }

  take(event) {
    this.files = chosenFiles(event.target.files);
  }
}

define("registration-page", RegistrationPage);
