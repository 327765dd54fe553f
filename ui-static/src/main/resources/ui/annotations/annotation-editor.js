// The note and the tags of an experiment, or of one of its trials, to read and to change.
import { html, nothing } from "lit";
import { annotations } from "../api.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { attempt } from "../shell/toasts.js";

const MOST_NOTE = 20_000;
const MOST_TAG = 40;

class AnnotationEditor extends Piece {
  static properties = {
    store: { attribute: false },
    /** Of a trial; null for the experiment itself. */
    trialId: {},
    kept: { state: true },
    isWriting: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.trialId = null;
    this.kept = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "annotated", ({ detail }) => detail.trial === this.trialId && this.load());
    this.listen(this.store, "reload", () => this.load());
  }

  willUpdate(changed) {
    if (changed.has("trialId") || changed.has("store")) {
      this.kept = null;
      this.isWriting = false;
      this.load();
    }
  }

  async load() {
    const of = this.trialId;
    try {
      const kept = await annotations.get(this.store.id, of);
      if (of === this.trialId) {
        this.kept = kept;
        this.failure = null;
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  async change(patch, done) {
    const kept = await attempt(() => annotations.change(this.store.id, this.trialId, patch), done);
    if (kept) {
      this.kept = kept;
    }
    return kept !== null;
  }

  async addTag(event) {
    event.preventDefault();
    const field = this.querySelector("input.new-tag");
    const tag = field.value.trim();
    if (tag !== "" && !this.kept.tags.includes(tag) && !(await this.change({ tags: [...this.kept.tags, tag] }))) {
      return;
    }
    field.value = "";
    field.focus();
  }

  removeTag(tag) {
    return this.change({ tags: this.kept.tags.filter((other) => other !== tag) });
  }

  write() {
    this.isWriting = true;
    this.updateComplete.then(() => this.querySelector("textarea").focus());
  }

  async save(event) {
    event.preventDefault();
    if (await this.change({ note: this.querySelector("textarea").value.trim() }, "Note saved")) {
      this.leave();
    }
  }

  leave() {
    this.isWriting = false;
    this.updateComplete.then(() => this.querySelector("button.note-button")?.focus());
  }

  render() {
    if (!this.kept) {
      return this.failure ? html`<p class="fault">${this.failure.message}</p>` : html`<span class="bone w38"></span>`;
    }
    return html`<div class="annotation">
      <div class="tag-line">
        ${this.kept.tags.map((tag) => html`<span class="chip"><b>${tag}</b><button type="button" aria-label="Remove the tag ${tag}"
          @click=${() => this.removeTag(tag)}>${icon("close")}</button></span>`)}
        <form @submit=${this.addTag}><label><span class="unseen">New tag</span>
          <input class="new-tag" placeholder="Add a tag" maxlength=${MOST_TAG} autocomplete="off"></label></form>
        ${this.isWriting ? nothing : html`<button type="button" class="small plain note-button"
          @click=${this.write}>${this.kept.note ? "Edit the note" : "Write a note"}</button>`}
      </div>
      ${this.isWriting ? this.form() : this.kept.note ? html`<p class="note" title="changed ${fullTime(this.kept.changedAt)}">${this.kept.note}</p>` : nothing}
    </div>`;
  }

  form() {
    const onKey = (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.leave();
      } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        this.save(event);
      }
    };
    return html`<form class="note-form" @submit=${this.save}>
      <label><span class="unseen">Note</span>
        <textarea rows="5" maxlength=${MOST_NOTE} .value=${this.kept.note} @keydown=${onKey}></textarea></label>
      <div class="toolbar"><button class="primary small">Save</button>
        <button type="button" class="small" @click=${this.leave}>Cancel</button>
        ${this.kept.changedAt ? html`<span class="faint small">last changed ${time(this.kept.changedAt)}</span>` : nothing}</div>
    </form>`;
  }
}

define("annotation-editor", AnnotationEditor);
