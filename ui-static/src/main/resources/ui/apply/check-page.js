// Checks whether the trials of a configuration, or the services of documents, could run where they say. Nothing is created.
import { html, nothing } from "lit";
import { checkPlatform } from "../api.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { UNCHECKED, verdict } from "../kit/verdict.js";
import { chosen } from "../people/chosen-project.js";
import { Applier } from "./applier.js";
import { readManifests, split } from "./manifests.js";
import { joined } from "./opened-files.js";
import "../experiments/config-editor.js";

/** The first line of a document that is applied, also of the second in a text. */
const KIND = /^kind\s*:/m;
const LOOKS = { GOOD: ["Good", "good"], DOUBTFUL: ["Doubtful", "warn"], BAD: ["Bad", "bad"] };
const COULD_RUN = ["Service", "Notebook", "Pipeline", "ImageBuild"];

class CheckPage extends Piece {
  static properties = { text: { state: true }, base: { state: true }, check: { state: true }, found: { state: true } };

  constructor() {
    super();
    this.text = "";
    this.base = recall("new.base", "");
    this.check = UNCHECKED;
    /** {title, items}; null before a check, and after one that could not be made. */
    this.found = null;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Check a platform · Orrery";
    this.listen(chosen, "chosen", () => this.write(this.text));
  }

  write(text) {
    this.text = text;
    this.check = UNCHECKED;
    this.found = null;
  }

  async open(event) {
    const text = await joined([...event.target.files]);
    event.target.value = "";
    this.write(text);
  }

  async ask() {
    const { text } = this;
    this.check = { ...UNCHECKED, state: "asking" };
    this.found = null;
    await chosen.known();
    const { name } = chosen;
    const answer = await (hasKind(text) ? documentsOf(text) : this.experimentOf(text));
    if (text === this.text && name === chosen.name) {
      this.check = answer.check;
      this.found = answer.found;
    }
  }

  async experimentOf(text) {
    try {
      const { platform, items, notices } = await checkPlatform(text, { base: this.base.trim() });
      return { check: { state: "good", errors: [], notices }, found: { title: `The platform is ${platform}.`, items } };
    } catch (refusal) {
      return { check: { state: "bad", errors: refusal.errors ?? [], notices: [], message: refusal.message }, found: null };
    }
  }

  render() {
    const { found } = this;
    return html`
      <div class="page-head">
        <h1>Check a platform</h1>
        <div class="end">
          <label class="button">Open files…<input class="unseen" type="file" multiple accept=".yml,.yaml,.json" aria-label="Open files" @change=${this.open}></label>
          <button type="button" class="primary" ?disabled=${this.text.trim() === "" || this.check.state === "asking"} @click=${this.ask}>${icon("check")}Check</button>
        </div>
      </div>
      <div class="new">
        <div class="stack">
          ${found === null ? nothing : this.table(found)}
          <config-editor .text=${this.text} .errors=${this.check.errors} @written=${(event) => this.write(event.detail)}></config-editor>
        </div>
        <aside class="stack">
          ${verdict(this.check, {
            before: "A configuration of an experiment, or documents of services, notebooks and the like: the server looks at everything that they need where they would run. Nothing is created.",
            good: "The text is right; the table has what was found.",
            show: ({ line }) => this.querySelector("config-editor").show(line ?? 1),
          })}
          <label class="card field"><span>Folder that relative paths start from</span>
            <input type="text" spellcheck="false" placeholder="/home/me/project" .value=${this.base}
              @input=${(event) => ((this.base = event.target.value), remember("new.base", this.base))}>
            <small>On the server's machine. Without it, every path of a configuration must be absolute.</small></label>
        </aside>
      </div>`;
  }

  table({ title, items }) {
    const bad = items.filter((item) => item.verdict === "BAD").length;
    return html`<section class="stack" aria-label="Found"><p role="status">${title} ${bad === 0
        ? "Nothing is in the way."
        : html`<span class="bad">${bad === 1 ? "One thing is" : `${bad} things are`} in the way.</span>`}</p>
      ${items.length === 0 ? nothing : html`<div class="card flush"><table class="objects" aria-label="Findings">
      <thead><tr><th>Verdict</th><th>What</th><th>Found</th></tr></thead>
      <tbody>${items.map((item) => {
        const [word, look] = LOOKS[item.verdict];
        return html`<tr data-what=${item.what}><td><span class="pill ${look}">${word}</span></td><td><b>${item.what}</b></td>
          <td class="wide wrap">${item.found}${item.mend ? html`<div class="small soft hint">${item.mend}</div>` : nothing}</td></tr>`;
      })}</tbody></table></div>`}</section>`;
  }
}

/** A JSON configuration may have the word further inside. */
function hasKind(text) {
  if (!text.trimStart().startsWith("{")) {
    return KIND.test(text);
  }
  const { manifests, findings } = readManifests(text);
  return manifests.length > 0 || findings.some(({ pointer, message }) => pointer !== "/kind" || !message.startsWith("a kind is missing"));
}

/** Documents are checked as before they are applied: the cluster or runtime that a service names is asked. */
async function documentsOf(text) {
  try {
    const { manifests, findings } = readManifests(text);
    const { checked, findings: wrong } = await new Applier(chosen.name).check(manifests);
    const errors = [...findings, ...wrong];
    if (errors.length > 0) {
      return { check: { state: "bad", errors, notices: [] }, found: null };
    }
    const items = checked.map(({ manifest }) => ({
      what: manifest.title,
      verdict: "GOOD",
      found: COULD_RUN.includes(manifest.kind)
        ? "could run"
        : manifest.kind === "Experiment" ? "is right; check its text without kind and name for its platform" : "is right",
    }));
    const count = split(text).length;
    return { check: { state: "good", errors: [], notices: [] }, found: { title: `${count} document${count === 1 ? "" : "s"}.`, items } };
  } catch (refusal) {
    return { check: { state: "bad", errors: [], notices: [], message: refusal.message }, found: null };
  }
}

define("check-page", CheckPage);
