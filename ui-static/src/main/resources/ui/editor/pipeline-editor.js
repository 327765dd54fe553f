// A pipeline as a picture and as a text: two views of one document, which the server checks while it is changed. Nothing
// changes on the server before it is saved.
import { html, nothing } from "lit";
import { pipelines, templates } from "../api/pipelines.js";
import { documentText } from "../documents/document-text.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { verdict } from "../kit/verdict.js";
import { addressIn, setQuery } from "../shell/router.js";
import { shortcuts } from "../shell/keyboard.js";
import { attempt, toast } from "../shell/toasts.js";
import { catalogue, copies, freeName } from "./catalogue.js";
import { conflict } from "./conflict.js";
import { Draft, tasksOf } from "./draft.js";
import { EditorRun } from "./editor-run.js";
import { waits } from "./edges.js";
import { automatic, freeAt } from "./places.js";
import { SAMPLES } from "./samples.js";
import "../experiments/config-editor.js";
import "../pipelines/run-form.js";
import "./pipeline-canvas.js";
import "./pipeline-settings.js";
import "./task-palette.js";
import "./task-panel.js";

const MOST_TEMPLATES = 500;
const VIEWS = [
  ["picture", "Picture"],
  ["both", "Both"],
  ["text", "Text"],
];
/** Where a copied task stands beside its original. */
const BESIDE = [32, 32];

class PipelineEditor extends Piece {
  static properties = {
    name: {},
    like: {},
    sample: {},
    chosen: { state: true },
    edge: { state: true },
    view: { state: true },
    runs: { state: true },
    templates: { state: true },
  };

  constructor() {
    super();
    this.draft = new Draft(this);
    this.run = new EditorRun(this);
    this.chosen = new Set();
    this.edge = null;
    this.view = recall("editor.view", "picture");
    this.runs = false;
    /** Null until they are known, and when they cannot be had. */
    this.templates = null;
    this.groups = catalogue([]);
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(document, "keydown", (event) => this.onKey(event));
    this.listen(document, "copy", (event) => this.copy(event));
    this.listen(document, "cut", (event) => this.copy(event) && this.eraseChosen());
    this.listen(document, "paste", (event) => this.paste(event));
    this.listen(window, "beforeunload", (event) => this.draft.isChanged && event.preventDefault());
    this.keep(
      shortcuts("Editor of pipelines", {
        c: ["Connect the task to another", () => false],
        Enter: ["Choose the task and go to its settings", () => false],
        "Alt + arrows": ["Move the task", () => false],
        Delete: ["Delete what is chosen", () => this.eraseChosen()],
        Backspace: ["Delete what is chosen", () => this.eraseChosen()],
        "Ctrl Z": ["Undo", () => false],
        "Ctrl Shift Z": ["Redo", () => false],
        "Ctrl C, Ctrl V": ["Copy and paste tasks", () => false],
        "Ctrl A": ["Choose all tasks", () => false],
        "Ctrl S": ["Save", () => false],
      }),
    );
    templates.list({ limit: MOST_TEMPLATES }).then(
      ({ items }) => {
        this.groups = catalogue(items);
        this.templates = items;
      },
      (refusal) => toast(`The templates cannot be had: ${refusal.message}`, "bad"),
    );
  }

  willUpdate(changed) {
    const isOther = ["name", "like", "sample"].some((key) => changed.has(key));
    // After the first save the address names what is open already.
    if (isOther && !(this.draft.isOpen && this.name !== null && this.name === this.draft.name)) {
      document.title = `${this.name ?? "New pipeline"} · Orrery`;
      this.chosen = new Set();
      this.draft.open({ name: this.name, like: this.like, sample: this.sample });
    }
    const { names } = this.draft;
    if ([...this.chosen].some((name) => !names.has(name))) {
      this.chosen = new Set([...this.chosen].filter((name) => names.has(name)));
    }
  }

  change(by, mark) {
    this.edge = null;
    return this.draft.change(by, mark);
  }

  async save() {
    const isDone = await this.draft.save();
    if (!isDone) {
      this.updateComplete.then(() => this.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" }));
    } else if (this.draft.name !== this.name) {
      setQuery({ name: this.draft.name, like: null, sample: null });
    }
    return isDone;
  }

  // ---- tasks -----------------------------------------------------------------------------------

  get canvas() {
    return this.querySelector("pipeline-canvas");
  }

  /** All places, once one of them is chosen by hand: the others stay where they are then. */
  placesWith(more) {
    return { ...Object.fromEntries(this.draft.places), ...more };
  }

  add({ item, at }) {
    if (at && this.canvas?.planeAt(at) === null) {
      return;
    }
    const name = freeName(item.name, this.draft.names);
    const point = at ? this.canvas.planeAt(at).map((part, axis) => part - [92, 28][axis]) : this.nextPlace();
    const places = this.draft.places.size === 0 && !at ? {} : this.placesWith({ [name]: point });
    if (this.change((text) => this.draft.texts.addTasks(text, [{ name, ...item.task }], places))) {
      this.chosen = new Set([name]);
      this.updateComplete.then(() => this.canvas?.reach(name));
    }
  }

  /** To the right of the chosen task, or in the middle of what is seen. */
  nextPlace() {
    const [one] = this.chosen;
    const [x, y] = one === undefined ? (this.canvas?.middle ?? [0, 0]) : this.draft.places.get(one);
    return freeAt(one === undefined ? [x, y] : [x + 248, y], this.draft.places);
  }

  connect({ from, to }) {
    this.change((text) => this.draft.texts.connect(text, from, to));
  }

  disconnect({ from, to }) {
    this.change((text) => this.draft.texts.disconnect(text, from, to));
  }

  eraseChosen() {
    if (this.edge !== null) {
      const { from, to } = this.edge;
      if (this.draft.tasks.find((task) => task.name === to)?.after?.includes(from)) {
        this.disconnect(this.edge);
      } else {
        toast(`${to} uses an output of ${from}: take the lookup out of its settings, then it no longer waits.`, "bad");
      }
      return true;
    }
    if (this.chosen.size === 0) {
      return false;
    }
    const names = [...this.chosen];
    if (this.change((text) => this.draft.texts.eraseTasks(text, names))) {
      toast(names.length === 1 ? `${names[0]} is deleted; Ctrl Z brings it back.` : `${names.length} tasks are deleted; Ctrl Z brings them back.`);
      this.updateComplete.then(() => this.querySelector("pipeline-canvas g[tabindex='0'], pipeline-canvas svg.plane")?.focus({ preventScroll: true }));
    }
    return true;
  }

  rename({ from, to }) {
    if (this.change((text) => this.draft.texts.renameTask(text, from, to))) {
      this.chosen = new Set([to]);
    }
  }

  arrange() {
    this.change((text) => this.draft.texts.set(text, ["layout"], this.draft.value.layout === undefined ? undefined : Object.fromEntries(Object.entries(automatic(this.draft.tasks)))));
    this.updateComplete.then(() => this.canvas?.fit());
  }

  // ---- keys and the clipboard ------------------------------------------------------------------

  /** Whether keys are for the picture: not while something is written. */
  get isOnPicture() {
    const at = document.activeElement;
    return this.draft.isOpen && document.querySelector("dialog[open]") === null && !/^(INPUT|TEXTAREA|SELECT)$/.test(at?.tagName ?? "");
  }

  onKey(event) {
    if (!(event.ctrlKey || event.metaKey) || !this.draft.isOpen) {
      return;
    }
    const key = event.key.toLowerCase();
    if (key === "s") {
      this.save();
    } else if (!this.isOnPicture) {
      return;
    } else if (key === "z" && !event.shiftKey) {
      this.draft.undo();
    } else if (key === "y" || key === "z") {
      this.draft.redo();
    } else if (key === "a") {
      this.chosen = this.draft.names;
    } else if (key === "d") {
      this.pasteTasks(this.draft.tasks.filter((task) => this.chosen.has(task.name)));
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Puts the chosen tasks into the clipboard as YAML; answers whether it has. */
  copy(event) {
    if (!this.isOnPicture || this.chosen.size === 0 || String(document.getSelection()) !== "") {
      return false;
    }
    event.clipboardData.setData("text/plain", this.draft.texts.written({ tasks: this.draft.tasks.filter((task) => this.chosen.has(task.name)) }));
    event.preventDefault();
    return true;
  }

  paste(event) {
    if (!this.isOnPicture) {
      return;
    }
    const { value } = this.draft.texts.parse(event.clipboardData.getData("text/plain"));
    const tasks = Array.isArray(value?.tasks) ? tasksOf(value) : [];
    if (tasks.length > 0) {
      event.preventDefault();
      this.pasteTasks(tasks);
    }
  }

  pasteTasks(tasks) {
    if (tasks.length === 0) {
      return;
    }
    const fresh = copies(tasks, this.draft.names);
    const places = new Map(this.draft.places);
    const middle = this.canvas?.middle ?? [0, 0];
    fresh.forEach(({ name }, at) => {
      const original = this.draft.places.get(tasks[at].name);
      places.set(name, freeAt(original ? original.map((part, axis) => part + BESIDE[axis]) : [middle[0], middle[1]], places));
    });
    if (this.change((text) => this.draft.texts.addTasks(text, fresh, Object.fromEntries(places)))) {
      this.chosen = new Set(fresh.map(({ name }) => name));
      this.updateComplete.then(() => this.canvas?.reach(fresh[0].name));
    }
  }

  // ---- drawing ---------------------------------------------------------------------------------

  choose(view) {
    this.view = view;
    remember("editor.view", view);
    this.updateComplete.then(() => this.canvas?.fit());
  }

  render() {
    if (!this.draft.isOpen) {
      return notShown(this.draft.failure, "pipeline", this.name ?? this.like, ["#/pipelines", "All pipelines"]);
    }
    return html`
      <div class="page-head editor-head">
        <div class="title"><h1>${this.name ? html`<a href=${addressIn("pipelines", this.name)}>${this.name}</a>` : "New pipeline"}</h1>
          ${this.draft.isChanged ? html`<span class="pill warn">Not saved</span>` : nothing}</div>
        <div class="end">
          <button type="button" class="square" title="Undo (Ctrl Z)" aria-label="Undo" ?disabled=${!this.draft.history.canUndo} @click=${() => this.draft.undo()}>${icon("undo")}</button>
          <button type="button" class="square" title="Redo (Ctrl Shift Z)" aria-label="Redo" ?disabled=${!this.draft.history.canRedo} @click=${() => this.draft.redo()}>${icon("redo")}</button>
          <button type="button" @click=${this.arrange} ?disabled=${this.draft.tasks.length === 0}>${icon("arrange")}Arrange</button>
          <div class="switch" role="group" aria-label="View">${VIEWS.map(([view, label]) => html`<button type="button" aria-pressed=${this.view === view}
            @click=${() => this.choose(view)}>${label}</button>`)}</div>
          <button type="button" ?disabled=${this.draft.isBusy || (!this.draft.isChanged && !this.draft.isNew) || this.draft.check.state === "bad"} @click=${this.save}>${icon("check")}Save</button>
          <button type="button" class="primary" ?disabled=${this.draft.isBusy || this.draft.check.state === "bad" || this.draft.tasks.length === 0} aria-expanded=${this.runs}
            @click=${() => (this.runs = !this.runs)}>${icon("play")}Run…</button>
        </div>
      </div>
      ${this.draft.theirs ? conflict(documentText(this.draft.theirs), this.draft.text, (text) => this.draft.settle(text)) : nothing}
      <div class="workbench view-${this.view}" @set=${this.onSet} @add=${({ detail }) => this.add(detail)} @connect=${({ detail }) => this.connect(detail)}
        @disconnect=${({ detail }) => this.disconnect(detail)}>
        ${this.view === "text" ? nothing : html`<task-palette class="card" .groups=${this.groups}></task-palette>
          <pipeline-canvas class="card flush" .tasks=${this.draft.tasks} .places=${this.draft.places} .chosen=${this.chosen} .edge=${this.edge} .faults=${this.draft.faults()} .run=${this.run.run}
            @choose=${({ detail }) => this.chooseTasks(detail)} @choose-edge=${({ detail }) => ((this.edge = detail), (this.chosen = new Set()))}
            @moved=${({ detail }) => this.change((text) => this.draft.texts.place(text, this.placesWith(detail)))} @open-task=${this.openTask}></pipeline-canvas>`}
        ${this.view === "picture" ? nothing : html`<config-editor .text=${this.draft.text} .errors=${this.draft.check.errors} @written=${({ detail }) => this.draft.write(detail, "text")}></config-editor>`}
        <aside class="stack">${this.runs ? this.runCard() : nothing}${this.run.panel()}${this.side()}
          ${verdict(this.draft.check, {
            before: "The server checks the pipeline while you change it; nothing changes before you save it.",
            good: "The server takes this pipeline as it is.",
            show: (error) => this.show(error),
          })}
          ${this.draft.text.includes("#") ? html`<p class="faint small">Comments stay while you edit, and in this browser after that; the server keeps the document without them.</p>` : nothing}
        </aside>
      </div>
      ${this.run.step()}
    `;
  }

  chooseTasks(names) {
    this.chosen = names;
    this.edge = null;
  }

  onSet({ detail: { path, value, mark }, target }) {
    if (target.localName === "task-panel") {
      this.change((text) => this.draft.texts.setOfTask(text, target.task.name, path, value), mark);
    } else {
      this.change((text) => this.draft.texts.set(text, path, value), mark);
    }
  }

  side() {
    const { errors } = this.draft;
    if (this.chosen.size === 1) {
      const [name] = this.chosen;
      const at = this.draft.value.tasks.findIndex((one) => one?.name === name);
      const task = this.draft.value.tasks[at];
      return html`<task-panel .task=${task} .at=${at} .names=${[...this.draft.names]} .waitsFor=${waits(this.draft.tasks).get(name)} .texts=${this.draft.texts} .errors=${errors}
        .template=${this.templates === null ? null : this.templates.find((one) => one.name === task.template)} @rename=${({ detail }) => this.rename(detail)} @erase-task=${this.eraseChosen} @run-task=${({ detail }) => this.runTask(detail)} @debug-task=${({ detail }) => this.debugTask(detail)}
        @leave-task=${({ detail }) => this.canvas?.reach(detail)}></task-panel>`;
    }
    if (this.chosen.size > 1) {
      return html`<section class="card"><header><h2>${this.chosen.size} tasks</h2></header>
        <p class="soft small">Drag one to move them all. Ctrl C copies them, also into another pipeline; Delete takes them away.</p></section>`;
    }
    return html`${this.draft.isNew && this.draft.tasks.length === 0 ? beginnings() : nothing}
      <pipeline-settings .value=${this.draft.value} .errors=${errors} .isNew=${this.draft.isNew}></pipeline-settings>`;
  }

  runCard() {
    return html`<run-form class="card" .pipeline=${{ ...this.draft.value, name: this.name ?? this.draft.value.name }} .before=${() => this.save()}
      .started=${(id) => ((this.runs = false), this.run.follow(id))}></run-form>`;
  }

  /** Saves, and runs one task alone. */
  async runTask(name) {
    if (await this.save()) {
      const started = await attempt(() => pipelines.runTask(this.draft.name, name));
      if (started !== null) {
        this.run.follow(started.id);
      }
    }
  }

  /** Saves, and opens a shell where a task would run. */
  async debugTask(task) {
    if (await this.save()) {
      const started = await attempt(() => pipelines.debugTask(this.draft.name, task));
      if (started !== null) {
        this.run.debug(started.id, task, started.workload);
      }
    }
  }

  openTask() {
    this.updateComplete.then(() => this.querySelector("task-panel input[name=name]")?.focus());
  }

  async show(error) {
    const task = this.draft.taskAt(error.pointer);
    if (task !== undefined && this.view !== "text") {
      this.chosen = new Set([task.name]);
      await this.updateComplete;
      this.canvas.reach(task.name);
      await this.canvas.updateComplete;
      this.querySelector("task-panel [aria-invalid=true]")?.focus();
      return;
    }
    if (this.view === "picture") {
      this.choose("both");
      await this.updateComplete;
    }
    this.querySelector("config-editor").show(error.line ?? 1);
  }
}

const beginnings = () => html`<section class="card"><header><h2>Begin with a sample</h2></header>
  <ul class="samples">${SAMPLES.map(({ id, title, about }) => html`<li><a href="#/editor?sample=${id}">${title}</a><small class="faint">${about}</small></li>`)}</ul></section>`;

define("pipeline-editor", PipelineEditor);
