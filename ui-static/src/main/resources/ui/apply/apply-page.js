// Applies documents of any kind, several at a time: pasted, or opened from files. The server checks all of them while they are
// being written, and nothing is stored before Apply.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { documentText } from "../documents/document-text.js";
import { differences } from "../documents/differences.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { UNCHECKED, verdict } from "../kit/verdict.js";
import { yaml } from "../kit/yaml.js";
import { chosen } from "../people/chosen-project.js";
import { addressIn } from "../shell/router.js";
import { toast } from "../shell/toasts.js";
import { Applier, presentOf } from "./applier.js";
import { sorted } from "./document-fault.js";
import { readManifests } from "./manifests.js";
import { OBJECT_KINDS } from "./object-kinds.js";
import { joined } from "./opened-files.js";
import "../experiments/config-editor.js";

const CHECK_MS = 600;
/** Kinds whose objects are their documents, so that two of them can be compared line by line. */
const WHOLE = ["ImageBuild", "Template", "Pipeline", "Service", "Notebook"];
/** What the server says of an object whose document does not. */
const DEFAULTS = { Template: { version: "Release" } };
const LOOKS = { created: "good", changed: "busy", unchanged: "idle", deleted: "bad" };
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

class ApplyPage extends Piece {
  static properties = {
    text: { state: true },
    check: { state: true },
    plan: { state: true },
    prune: { state: true },
    busy: { state: true },
    shown: { state: true },
  };

  constructor() {
    super();
    this.text = "";
    /** How often the text, or what it is checked against, was changed. */
    this.changes = 0;
    this.check = UNCHECKED;
    /** [{kind, name, outcome, manifest, isDone}] of the text that was checked last; without a manifest: to be deleted. */
    this.plan = [];
    this.prune = false;
    this.busy = false;
    /** The differences that are shown: {title, lines}; null for none. */
    this.shown = null;
    this.applier = null;
    this.recheck = settled(() => this.ask(), CHECK_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Apply documents · Orrery";
    this.keep(() => this.recheck.cancel());
    this.listen(chosen, "chosen", () => this.write(this.text));
  }

  write(text) {
    this.changes++;
    this.text = text;
    this.shown = null;
    this.check = { state: text.trim() === "" ? "none" : "asking", errors: [], notices: [] };
    this.recheck();
  }

  async open(event) {
    const text = await joined([...event.target.files]);
    event.target.value = "";
    this.write(text);
  }

  async ask() {
    if (this.busy) {
      // Asked again when that is over.
      return;
    }
    const { text, prune, changes } = this;
    if (text.trim() === "") {
      this.plan = [];
      this.check = UNCHECKED;
      return;
    }
    const answer = await this.planOf(text, prune);
    if (changes === this.changes && !this.busy) {
      this.plan = answer.plan;
      this.check = answer.check;
    }
  }

  async planOf(text, prune) {
    const bad = (errors, message) => ({ plan: [], check: { state: "bad", errors, notices: [], message } });
    try {
      const { manifests, findings } = readManifests(text);
      await chosen.known();
      const applier = new Applier(chosen.name);
      const { checked, findings: wrong } = await applier.check(manifests);
      const all = [...findings, ...wrong].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
      if (all.length > 0) {
        return bad(all);
      }
      if (manifests.length === 0) {
        return bad([], "there is no document in the text");
      }
      const left = prune ? await applier.left(manifests) : [];
      this.applier = applier;
      return {
        plan: [
          ...checked.map(({ manifest, outcome }) => ({ kind: manifest.kind, name: manifest.name, outcome, manifest, isDone: false })),
          ...left.map((object) => ({ ...object, outcome: "deleted", manifest: null, isDone: false })),
        ],
        check: { state: "good", errors: [], notices: [] },
      };
    } catch (refusal) {
      return bad([], refusal.message);
    }
  }

  async apply() {
    this.busy = true;
    this.recheck.cancel();
    this.shown = null;
    const { changes, plan: todo, applier } = this;
    try {
      for (const [at, step] of todo.entries()) {
        const outcome = step.manifest === null ? (await applier.erase(step), "deleted") : await applier.apply(step.manifest);
        this.plan = this.plan.with(at, { ...step, outcome, isDone: true });
      }
      toast(`${plural(todo.length, "object")} applied`);
    } catch (refusal) {
      const at = this.plan.findIndex((step) => !step.isDone);
      const errors = (refusal.errors ?? []).map((error) => todo[at].manifest?.place(error) ?? error);
      this.check = { state: "bad", errors, notices: [], message: `${todo[at].kind}/${todo[at].name}: ${refusal.message}` };
    }
    this.busy = false;
    if (changes !== this.changes) {
      // The text, or the project, is another since: what stands there now was not checked.
      if (this.check.message) {
        toast(this.check.message, "bad");
      }
      this.write(this.text);
    }
  }

  async compare({ kind, name, manifest }) {
    const title = `${kind}/${name}`;
    if (this.shown?.title === title) {
      this.shown = null;
      return;
    }
    const present = await presentOf(manifest).catch(() => null);
    const wanted = { project: present?.project, ...DEFAULTS[kind], ...manifest.body };
    this.shown = { title, lines: differences(documentText(sorted(present ?? {})), yaml(sorted(wanted))) };
  }

  render() {
    const { check, busy, plan } = this;
    const isDone = plan.length > 0 && plan.every((step) => step.isDone);
    return html`
      <div class="page-head">
        <h1>Apply documents</h1>
        <div class="end">
          <label class="button">Open files…<input class="unseen" type="file" multiple accept=".yml,.yaml,.json" aria-label="Open files" @change=${this.open}></label>
          <label class="button">Open a folder…<input class="unseen" type="file" webkitdirectory aria-label="Open a folder" @change=${this.open}></label>
          <button type="button" class="primary" ?disabled=${busy || isDone || check.state !== "good"} @click=${this.apply}>${icon("check")}Apply</button>
        </div>
      </div>
      <div class="new">
        <div class="stack">
          ${plan.length > 0 ? this.table() : nothing}
          <config-editor .text=${this.text} .errors=${check.errors} @written=${(event) => this.write(event.detail)}></config-editor>
        </div>
        <aside class="stack">
          ${verdict(check, {
            before: "Documents with a kind, YAML or JSON, with lines of --- between them. The server checks them while you write; nothing changes before you apply them.",
            good: isDone ? "Everything is as the documents say." : "The server takes these documents. Apply makes them so.",
            show: ({ line }) => this.querySelector("config-editor").show(line ?? 1),
          })}
          <section class="card"><label class="check"><input type="checkbox" .checked=${this.prune} ?disabled=${busy}
            @change=${(event) => ((this.prune = event.target.checked), this.write(this.text))}> Delete what is not in them any more</label>
            <p class="soft small">Your objects of the kinds and projects that the documents have.</p></section>
        </aside>
      </div>`;
  }

  table() {
    return html`<div class="card flush"><table class="objects" aria-label="Plan">
      <thead><tr><th>Object</th><th>Outcome</th><th><span class="unseen">Difference</span></th></tr></thead>
      <tbody>${repeat(this.plan, ({ kind, name }) => `${kind}/${name}`, (step) => this.row(step))}</tbody></table></div>`;
  }

  row(step) {
    const { kind, name, outcome, isDone, manifest } = step;
    const title = `${kind}/${name}`;
    const { page } = OBJECT_KINDS[kind];
    const isThere = page !== null && outcome !== "deleted" && (isDone || outcome !== "created");
    const isOpen = this.shown?.title === title;
    return html`<tr data-name=${title}>
        <td class="who">${isThere ? html`<a class="name" href=${addressIn(page, name)}>${title}</a>` : html`<b>${title}</b>`}</td>
        <td data-label="Outcome"><span class="pill ${LOOKS[outcome] ?? "idle"}">${outcome}</span> <span class="faint small">${isDone ? "done" : "planned"}</span></td>
        <td class="right">${outcome === "changed" && !isDone && manifest && WHOLE.includes(kind)
          ? html`<button type="button" class="small" aria-expanded=${isOpen ? "true" : "false"} @click=${() => this.compare(step)}>What changes</button>`
          : nothing}</td></tr>
      ${isOpen
        ? html`<tr class="detail"><td colspan="3"><pre class="document" role="region" aria-label="Differences of ${title}" tabindex="0">${this.shown.lines.length === 0
            ? "The server adds nothing that the document does not say."
            : this.shown.lines.map(({ side, line }) => html`<span class=${side === "-" ? "bad" : "good"}>${side} ${line}\n</span>`)}</pre></td></tr>`
        : nothing}`;
  }
}

define("apply-page", ApplyPage);
