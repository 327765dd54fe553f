// One template: its arguments as a form that shows the command they make, and its document.
import { html, nothing } from "lit";
import { templates } from "../api/pipelines.js";
import { documentText } from "../documents/document-text.js";
import { argumentFields } from "../editor/argument-fields.js";
import { fieldGroups } from "../editor/arguments.js";
import { confirm } from "../kit/confirm.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { navigate } from "../shell/router.js";
import { attempt } from "../shell/toasts.js";

const SLOW_MS = 10_000;
const CHECK_MS = 400;
const ARGUMENTS = "/arguments";

class TemplatePage extends Piece {
  static properties = { name: {}, values: { state: true }, command: { state: true }, errors: { state: true } };

  constructor() {
    super();
    this.poll = new Poll(this, () => templates.get(this.name), { pauseMs: SLOW_MS, about: () => this.name });
    this.recheck = settled(() => this.check(), CHECK_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.recheck.cancel());
  }

  willUpdate(changed) {
    if (changed.has("name")) {
      document.title = `${this.name} · Orrery`;
      /** What was filled in; null while the demo of the template stands in the fields. */
      this.values = null;
      /** The words of the command; null when the arguments were not checked, or are wrong. */
      this.command = null;
      this.errors = [];
    }
  }

  async check() {
    const { name, values } = this;
    let command = null;
    let errors = [];
    try {
      ({ command } = await templates.check(name, values ?? this.demo()));
    } catch (refusal) {
      errors = refusal.errors.length > 0 ? refusal.errors : [{ pointer: "", message: refusal.message }];
    }
    if (name === this.name && values === this.values) {
      this.command = command;
      this.errors = errors;
    }
  }

  demo() {
    return this.poll.answer?.demo ?? {};
  }

  change(name, value) {
    const { [name]: _, ...rest } = this.values ?? this.demo();
    this.values = value === undefined ? rest : { ...rest, [name]: value };
    this.recheck();
  }

  async erase() {
    const agreed = await confirm({ title: `Delete ${this.name}?`, text: "Pipelines that use it cannot start runs any more.", action: "Delete" });
    if (agreed && (await attempt(async () => (await templates.remove(this.name), true), `${this.name} deleted`))) {
      navigate("#/templates");
    }
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null) {
      return notShown(failure, "template", this.name, ["#/templates", "All templates"]);
    }
    const { name, title, describe, builtIn, version, owner, project } = answer;
    return html`
      <div class="object-head"><div class="page-head">
        <div class="title"><h1>${name}</h1><span class="pill ${version === "Release" ? "good" : "idle"}">${version}</span>
          <span class="faint small">${builtIn ? "of the server" : html`${owner} in ${project} ·
          <span title=${fullTime(answer.changedAt)}>changed ${time(answer.changedAt)}</span>`}</span></div>
        ${builtIn ? nothing : html`<div class="end"><a class="button" href=${`#/documents/template/change?name=${encodeURIComponent(name)}`}>Change</a>
          <button type="button" class="danger" @click=${this.erase}>${icon("trash")}Delete</button></div>`}
      </div>
      ${title || describe ? html`<p class="soft">${[title, describe].filter(Boolean).join(": ")}</p>` : nothing}</div>
      <div class="stack">
        <section class="card" aria-label="Arguments"><header><h2>Arguments</h2></header>${this.form(answer)}</section>
        <h2>Document</h2>
        <pre class="document" role="region" aria-label="Document of ${name}" tabindex="0">${documentText(answer)}</pre>
      </div>`;
  }

  form(template) {
    const groups = fieldGroups(template.arguments);
    const values = this.values ?? this.demo();
    return html`${groups.length === 0 ? html`<p class="soft small">It takes none.</p>` : nothing}
      ${groups.map(({ group, fields }) => html`<fieldset class="argument-group"><legend>${group}</legend>
        ${argumentFields(fields, values, (name, value) => this.change(name, value), (pointer) => this.faultAt(pointer), ARGUMENTS)}</fieldset>`)}
      <div class="toolbar"><button type="button" @click=${this.check}>${icon("check")}Check arguments</button></div>
      <div role="status" aria-live="polite">
        ${this.command ? html`<p class="small">A task with these arguments runs <code class="wrap">${this.command.join(" ")}</code></p>` : nothing}
        ${this.unplaced(groups).map((error) => html`<p class="fault">${error.message}</p>`)}</div>`;
  }

  faultAt(pointer) {
    return this.errors.find((error) => error.pointer === pointer || error.pointer.startsWith(pointer + "/"))?.message;
  }

  /** Faults that no field shows. */
  unplaced(groups) {
    const known = groups.flatMap(({ fields }) => fields.map((field) => `${ARGUMENTS}/${field.name}`));
    return this.errors.filter(({ pointer }) => !known.some((one) => pointer === one || pointer.startsWith(one + "/")));
  }
}

define("template-page", TemplatePage);
