// A new experiment: filled into a form, or written and pasted as a configuration. Both are one text
// in the end; the server checks it while it is being written and says what is wrong where it stands.
import { html, nothing } from "lit";
import { experiments, platforms, tuners } from "../api.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { UNCHECKED, verdict } from "../kit/verdict.js";
import { yaml } from "../kit/yaml.js";
import { shortcuts } from "../shell/keyboard.js";
import { addressOf, navigate } from "../shell/router.js";
import { attempt, toast } from "../shell/toasts.js";
import { EXAMPLE } from "./example.js";
import "./config-editor.js";
import "./config-form.js";
import "./simulation-card.js";

const CHECK_MS = 500;

class NewExperiment extends Piece {
  static properties = {
    from: {},
    text: { state: true },
    model: { state: true },
    base: { state: true },
    view: { state: true },
    check: { state: true },
    busy: { state: true },
    changes: { state: true },
    algorithms: { state: true },
    platforms: { state: true },
  };

  constructor() {
    super();
    this.view = recall("new.view", "form");
    this.base = recall("new.base", "");
    this.text = "";
    this.model = null;
    this.check = UNCHECKED;
    /** What became of keys when the text was converted; null when it was not. */
    this.changes = null;
    this.recheck = settled(() => this.ask(), CHECK_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "New experiment · Orrery";
    this.keep(() => this.recheck.cancel());
    this.keep(shortcuts("New experiment", { Escape: ["Back to the experiments", () => navigate("#/")] }));
    this.begin();
    platforms().then((all) => (this.platforms = all.items), () => (this.platforms = []));
    tuners().then((all) => (this.algorithms = all.items), () => (this.algorithms = []));
  }

  async begin() {
    if (this.from) {
      try {
        this.fill((await experiments.get(this.from)).config);
        return;
      } catch (refusal) {
        toast(refusal.message, "bad");
      }
    }
    this.fill(EXAMPLE);
    // An empty form is not a mistake yet.
    this.recheck.cancel();
    this.check = UNCHECKED;
  }

  /** What the form shows, as text. */
  fill(model) {
    this.write(yaml(withoutEmpty(model)));
    this.model = model;
  }

  /** What was written; the form learns of it when the server has understood it. */
  write(text) {
    this.text = text;
    this.model = null;
    this.check = { ...this.check, state: "asking" };
    this.recheck();
  }

  /** What the server thinks of the text, without starting anything. */
  async ask() {
    const { text } = this;
    const answer = await this.submit({ dryRun: true });
    if (text === this.text) {
      this.check = answer;
      this.model ??= answer.config ?? null;
    }
  }

  async submit(options) {
    try {
      const created = await experiments.create(this.text, { ...options, base: this.base.trim() });
      return { state: "good", errors: [], notices: created.notices ?? [], config: created.config, created };
    } catch (refusal) {
      return { state: "bad", errors: refusal.errors, notices: [], message: refusal.message };
    }
  }

  async start() {
    this.busy = true;
    this.recheck.cancel();
    const answer = await this.submit({});
    this.busy = false;
    this.check = answer;
    if (answer.created) {
      answer.notices.forEach((notice) => toast(notice));
      navigate(addressOf(answer.created.id));
    } else {
      this.updateComplete.then(() => this.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" }));
    }
  }

  /** Writes a configuration of NNI 1 in the form of version 3. */
  async convert() {
    const converted = await attempt(() => experiments.convert(this.text));
    if (converted) {
      this.write(yaml(converted.config));
      this.changes = converted.changes;
    }
  }

  choose(view) {
    this.view = view;
    remember("new.view", view);
  }

  async openFile(event) {
    const [file] = event.target.files;
    if (file) {
      this.write(await file.text());
      this.choose("text");
    }
  }

  render() {
    return html`
      <div class="page-head">
        <h1>${this.from ? html`New experiment like <span class="code">${this.from}</span>` : "New experiment"}</h1>
        <div class="end">
          ${this.view === "text" ? html`<button type="button" title="Write a configuration of NNI 1 in the form of version 3"
            @click=${this.convert}>Convert</button>` : nothing}
          <label class="button">Open a file…<input class="unseen" type="file" accept=".yml,.yaml,.json"
            @change=${this.openFile}></label>
          <button type="button" class="primary" ?disabled=${this.busy || this.check.state === "bad"}
            @click=${this.start}>${icon("play")}Start</button>
        </div>
      </div>
      <div class="new">
        <div class="stack">
          <div class="switch" role="group" aria-label="How">
            ${[["form", "Form"], ["text", "Configuration"]].map(([view, label]) => html`<button type="button"
              aria-pressed=${this.view === view} @click=${() => this.choose(view)}>${label}</button>`)}
          </div>
          ${this.view === "form"
            ? this.form()
            : html`<config-editor .text=${this.text} .errors=${this.check.errors}
              @written=${(event) => this.write(event.detail)}></config-editor>`}
        </div>
        <aside class="stack">
          ${verdict(this.check, {
            before: "The server checks what you write while you write it; nothing starts before you say so.",
            good: "The server takes this configuration as it is.",
            show: (error) => this.show(error),
          })}
          ${this.changes ? html`<section class="card" role="status"><header><h2>Converted</h2></header>${this.changes.length === 0
            ? html`<p class="soft small">No key has another name or place now.</p>`
            : html`<ul class="plain-list small">${this.changes.map((change) => html`<li>${change}</li>`)}</ul>`}</section>` : nothing}
          ${this.view === "form" && this.model ? html`<simulation-card .model=${this.model}></simulation-card>` : nothing}
          ${this.view === "text" || this.base ? this.folder() : nothing}
          ${this.view === "form" && this.text ? html`<section class="card"><header><h2>As a file</h2></header>
            <pre class="document beside" tabindex="0" role="region" aria-label="The configuration as YAML">${this.text}</pre></section>` : nothing}
        </aside>
      </div>
    `;
  }

  form() {
    if (this.model === null) {
      return this.check.state === "bad"
        ? html`<div class="card state"><p>The configuration has errors that the form cannot show. Correct them in the text first.</p><button type="button" @click=${() => this.choose("text")}>Show the text</button></div>`
        : html`<div class="card"><span class="bone w60"></span></div>`;
    }
    return html`<config-form class="card" .model=${this.model} .errors=${this.check.errors} .algorithms=${this.algorithms ?? []} .platforms=${this.platforms ?? []}
      @changed=${(event) => this.fill(event.detail)}></config-form>`;
  }

  /** Only a text has relative paths: the form's one folder is absolute. */
  folder() {
    return html`<label class="card field"><span>Folder that relative paths start from</span>
      <input type="text" spellcheck="false" placeholder="/home/me/project" .value=${this.base}
        @input=${(event) => this.move(event.target.value)}>
      <small>On the server's machine. Without it, every path must be absolute.</small></label>`;
  }

  move(base) {
    this.base = base;
    remember("new.base", base);
    this.check = { ...this.check, state: "asking" };
    this.recheck();
  }

  async show(error) {
    if (error.line && this.view !== "text") {
      this.choose("text");
      await this.updateComplete;
    }
    this.querySelector("config-editor")?.show(error.line ?? 1);
  }
}

const withoutEmpty = (model) => Object.fromEntries(Object.entries(model).filter(([, value]) => value !== "" && value !== undefined && value !== null));

define("new-experiment", NewExperiment);
