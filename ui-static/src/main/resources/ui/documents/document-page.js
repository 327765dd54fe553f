// Writes a new document or changes one. The server checks the text while it is being written; nothing changes before
// it is saved, and what another person saved meanwhile is not overwritten without asking.
import { html, nothing } from "lit";
import { documents } from "../api/documents.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { chosen } from "../people/chosen-project.js";
import { UNCHECKED, verdict } from "../kit/verdict.js";
import { addressIn, navigate, route } from "../shell/router.js";
import { toast } from "../shell/toasts.js";
import { parseCore } from "./core-yaml.js";
import { differences } from "./differences.js";
import { documentText } from "./document-text.js";
import { KINDS } from "./kinds.js";
import { NAMELESS, nameIn } from "./name-in.js";
import "../experiments/config-editor.js";

const CHECK_MS = 500;

class DocumentPage extends Piece {
  static properties = {
    kind: {},
    isNew: { attribute: false },
    text: { state: true },
    check: { state: true },
    failure: { state: true },
    theirs: { state: true },
    busy: { state: true },
    view: { state: true },
  };

  constructor() {
    super();
    this.text = null;
    this.check = UNCHECKED;
    this.failure = null;
    /** The document that another person saved meanwhile. */
    this.theirs = null;
    /** "form" or "text", for kinds that have both. */
    this.view = recall("document.view", "form");
    this.recheck = settled(() => this.ask(), CHECK_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.recheck.cancel());
    this.listen(chosen, "chosen", () => this.isNew && this.text !== null && this.write(this.text));
  }

  get of() {
    return KINDS[this.kind];
  }

  willUpdate(changed) {
    if (changed.has("kind") && this.of) {
      document.title = `${this.isNew ? "New" : "Change"} ${this.of.word} · Orrery`;
      this.of.form?.load();
      this.begin();
    }
  }

  async begin() {
    this.name = this.isNew ? null : route.current.query.get("name");
    if (this.isNew) {
      this.text = this.of.example;
      return;
    }
    try {
      this.take(await this.of.get(this.name));
      this.text = this.saved;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  /** The document that changes start from. */
  take(object) {
    this.revision = object.revision;
    this.saved = documentText(object);
  }

  write(text) {
    this.text = text;
    this.check = { ...this.check, state: "asking" };
    this.recheck();
  }

  async ask() {
    await chosen.known();
    const { text } = this;
    const { name } = chosen;
    const answer = await this.submit(true);
    if (text === this.text && name === chosen.name) {
      this.check = answer;
    }
  }

  /** The chosen project for a new document that names none; null otherwise. */
  get project() {
    return this.isNew && !parseCore(this.text).value?.project && chosen.name ? chosen.name : null;
  }

  async submit(dryRun) {
    const name = this.name ?? nameIn(this.text);
    if (!name) {
      return this.nameless();
    }
    try {
      const done = await documents.put(this.of.path, name, this.text, { dryRun, revision: dryRun ? null : this.revision, project: this.project });
      return { state: "good", errors: [], notices: done.notices ?? [], done, name };
    } catch (refusal) {
      return { state: "bad", errors: refusal.errors, notices: [], message: refusal.message, status: refusal.status };
    }
  }

  /** The missing name, and what else is wrong. */
  async nameless() {
    const others = await documents.put(this.of.path, NAMELESS, this.text, { dryRun: true, project: this.project }).then(
      () => [],
      (refusal) => refusal.errors,
    );
    return { state: "bad", errors: [{ pointer: "/name", message: "the document needs a line such as name: my-name", line: 1 }, ...others], notices: [] };
  }

  async save() {
    this.busy = true;
    this.recheck.cancel();
    await chosen.known();
    const answer = await this.submit(false);
    this.busy = false;
    this.check = answer;
    if (answer.status === 409 || answer.status === 412) {
      this.theirs = await this.of.get(this.name).catch(() => null);
      return;
    }
    if (answer.state !== "good") {
      this.updateComplete.then(() => this.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" }));
      return;
    }
    answer.notices.forEach((notice) => toast(notice));
    navigate(addressIn(this.of.home, answer.name));
  }

  render() {
    if (!this.of) {
      return html`<div class="state"><h1>There is no such page</h1><p><a href="#/">All experiments</a></p></div>`;
    }
    if (this.text === null) {
      return notShown(this.failure, this.of.word, this.name, [`#/${this.of.home}`, "Back"]);
    }
    return html`
      <div class="page-head">
        <h1>${this.isNew ? `New ${this.of.word}` : html`Change <span class="code">${this.name}</span>`}</h1>
        <div class="end">
          <a class="button" href=${this.isNew ? `#/${this.of.home}` : addressIn(this.of.home, this.name)}>Cancel</a>
          <button type="button" class="primary" ?disabled=${this.busy || this.check.state === "bad" || this.text === this.saved}
            @click=${this.save}>${icon("check")}${this.of.deploys ? "Save and deploy" : "Save"}</button>
        </div>
      </div>
      ${this.theirs ? this.conflict() : nothing}
      ${this.of.form ? this.withForm() : this.asText()}
    `;
  }

  asText() {
    return html`<div class="new">${this.editor()}<aside class="stack">${this.verdict()}</aside></div>`;
  }

  /** Fields on the left, and the text that they write on the right; or the text alone. */
  withForm() {
    const isForm = this.view === "form";
    const views = html`<div class="switch" role="group" aria-label="How">${[["form", "Form"], ["text", "Text"]].map(([view, label]) => html`<button type="button"
      aria-pressed=${this.view === view} @click=${() => this.choose(view)}>${label}</button>`)}</div>`;
    return isForm
      ? html`<div class="new halves"><div class="stack">${views}${this.of.form.draw(this.text, this.check.errors, (event) => this.write(event.detail))}</div>
          <aside class="stack">${this.verdict()}${this.editor()}</aside></div>`
      : html`<div class="new"><div class="stack">${views}${this.editor()}</div><aside class="stack">${this.verdict()}</aside></div>`;
  }

  choose(view) {
    this.view = view;
    remember("document.view", view);
  }

  editor() {
    return html`<config-editor .text=${this.text} .errors=${this.check.errors} @written=${(event) => this.write(event.detail)}></config-editor>`;
  }

  verdict() {
    return verdict(this.check, {
      before: "The server checks what you write while you write it; nothing changes before you save it.",
      good: "The server takes this document as it is.",
      show: ({ line }) => this.querySelector("config-editor").show(line ?? 1),
    });
  }

  conflict() {
    return html`<div class="card trouble" role="alert">
      <h2>Another person changed it while you wrote</h2>
      <p>Lines that theirs has and yours has not, and the other way round:</p>
      <pre class="document">${differences(documentText(this.theirs), this.text).map(
        ({ side, line }) => html`<span class=${side === "-" ? "bad" : "good"}>${side} ${line}\n</span>`,
      )}</pre>
      <div class="toolbar">
        <button type="button" @click=${() => this.settle(documentText(this.theirs))}>Take theirs</button>
        <button type="button" @click=${() => this.settle(this.text)}>Keep mine over theirs</button>
      </div>
    </div>`;
  }

  settle(text) {
    this.take(this.theirs);
    this.theirs = null;
    this.write(text);
  }
}

define("document-page", DocumentPage);
