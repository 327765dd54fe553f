// All notebooks that the person sees: their states with reasons, and what can be done with them.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { documents } from "../api/documents.js";
import { builds, images } from "../api/images.js";
import { notebooks } from "../api/notebooks.js";
import { documentText } from "../documents/document-text.js";
import { loadingRows } from "../experiments/list-states.js";
import { confirm } from "../kit/confirm.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { account } from "../people/account.js";
import { attemptAnew } from "../shell/toasts.js";
import "./notebook-detail.js";

const PAGE = 1000;
const NAMES = /[\s,]+/;
const OPEN = ["RUNNING", "IDLE"];
const AT_REST = ["STOPPED", "FAILED", "UNREACHABLE"];

class NotebooksPage extends Piece {
  static properties = { open: { state: true }, sharing: { state: true }, environments: { state: true } };

  constructor() {
    super();
    /** The name of the notebook whose events are shown. */
    this.open = null;
    /** The name of the notebook whose users are being changed. */
    this.sharing = null;
    /** Names of environments and images that can be chosen. */
    this.environments = [];
    this.poll = new Poll(this, () => notebooks.list({ limit: PAGE }));
  }

  /** What there is to choose from; the field takes any other name too. */
  async choices() {
    try {
      const [built, known] = await Promise.all([builds.list(), images.list()]);
      this.environments = ["host", ...built.items.map((each) => each.target), ...known.items.map((each) => each.name)];
    } catch {
      this.environments = ["host"];
    }
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Notebooks · Orrery";
    this.choices();
    this.listen(account, "change", () => this.requestUpdate());
  }

  run(action, done) {
    return attemptAnew(this.poll, action, done);
  }

  async create(event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    const name = data.get("name").trim();
    const share = data.get("share").split(NAMES).filter(Boolean);
    const wanted = { ide: data.get("ide"), share, expiry: { idle: data.get("idle") }, ...(name ? { name } : {}), ...further(data) };
    if (await this.run(() => notebooks.create(wanted), "Starting the notebook")) {
      form.reset();
    }
  }

  async share(event, notebook) {
    event.preventDefault();
    const share = new FormData(event.target).get("share").split(NAMES).filter(Boolean);
    const text = documentText({ ...notebook, share });
    if (await this.run(() => documents.put("/notebooks", notebook.name, text, { revision: notebook.revision }), "Shared as you said")) {
      this.sharing = null;
    }
  }

  async erase(notebook) {
    const agreed = await confirm({
      title: `Delete ${notebook.name}?`,
      text: "Its program ends. Your files stay.",
      action: "Delete",
    });
    if (agreed) {
      await this.run(() => notebooks.delete(notebook.name), `${notebook.name} deleted`);
    }
  }

  render() {
    const { answer, failure } = this.poll;
    return html`
      <div class="page-head"><h1>Notebooks</h1><div class="end"><a class="button" href="#/files">Files</a></div></div>
      ${this.form()}
      ${answer === null
        ? failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()
        : answer.items.length === 0 ? noNotebooks() : this.list(answer.items)}`;
  }

  form() {
    return html`<form class="card inline" aria-label="New notebook" @submit=${this.create}>
      <label class="field"><span>Name</span><input type="text" name="name" maxlength="54" pattern="[a-z][a-z0-9\\-]*[a-z0-9]" placeholder="a free one" spellcheck="false"></label>
      <label class="field"><span>Program</span><select name="ide"><option value="jupyter">Jupyter</option><option value="vscode">Visual Studio Code</option><option value="tensorboard">TensorBoard</option></select></label>
      <label class="field"><span>Share with</span><input type="text" name="share" placeholder="bob, eve" spellcheck="false"></label>
      <label class="field"><span>Stop when unused for</span><select name="idle"><option value="2h">2 hours</option><option value="24h" selected>a day</option><option value="7d">a week</option></select></label>
      <details class="further"><summary>Where it runs, and with what</summary>
        <div class="inline">
          <label class="field"><span>Cluster</span><input type="text" name="cluster" placeholder="of the project" spellcheck="false"></label>
          <label class="field"><span>Image or environment</span><input type="text" name="image" list="notebook-images" placeholder="host" spellcheck="false"></label>
          <label class="field"><span>Processors</span><input type="text" name="cpu" placeholder="all" inputmode="decimal"></label>
          <label class="field"><span>Memory</span><input type="text" name="memory" placeholder="all, or 8G"></label>
          <label class="field"><span>GPUs</span><input type="text" name="gpu" placeholder="0"></label>
          <label class="field"><span>Open first</span><input type="text" name="open" placeholder="/mnt/you/x.ipynb" spellcheck="false"></label>
        </div></details>
      <datalist id="notebook-images">${(this.environments ?? []).map((each) => html`<option value=${each}></option>`)}</datalist>
      <button class="primary">${icon("add")}Create</button>
    </form>`;
  }

  list(items) {
    return html`<div class="card flush"><table class="objects" aria-label="Notebooks">
      <thead><tr><th>Name</th><th>Status</th><th>Program</th><th>Owner</th><th>Shared with</th><th>Stops</th><th></th></tr></thead>
      <tbody>${repeat(items, (notebook) => notebook.name, (notebook) => this.row(notebook))}</tbody>
    </table></div>`;
  }

  row(notebook) {
    const { name, state } = notebook;
    const shared = notebook.share ?? [];
    return html`<tr data-name=${name}>
      <td class="who"><button type="button" class="plain name" aria-expanded=${this.open === name}
          @click=${() => (this.open = this.open === name ? null : name)}>${icon(this.open === name ? "down" : "next")}${name}</button>
        ${notebook.title ? html`<span class="faint small">${notebook.title}</span>` : nothing}
        ${state.reason ? html`<span class="${state.status === "FAILED" ? "fault" : "soft small"} clip" title=${state.reason}>${state.reason}</span>` : nothing}</td>
      <td>${pill(state.status)}</td>
      <td class="small soft" data-label="Program">${notebook.ide}</td>
      <td class="small soft" data-label="Owner">${notebook.owner}<span class="faint"> in ${notebook.project}</span></td>
      <td class="small soft" data-label="Shared with">${shared.join(", ") || "–"}</td>
      <td class="small soft number" data-label="Stops" title=${fullTime(state.expiresAt)}>${state.expiresAt ? time(state.expiresAt) : "–"}</td>
      <td class="right">${this.actions(notebook)}</td>
    </tr>
    ${this.sharing === name ? html`<tr class="detail"><td colspan="7"><form class="inline" aria-label="Share ${name}" @submit=${(event) => this.share(event, notebook)}>
        <label class="field"><span>Users who may enter besides the owner</span><input type="text" name="share" .value=${shared.join(", ")} spellcheck="false"></label>
        <button class="primary">Save</button><button type="button" @click=${() => (this.sharing = null)}>Cancel</button></form></td></tr>` : nothing}
    ${this.open === name ? html`<tr class="detail"><td colspan="7"><notebook-detail .name=${name} .owner=${notebook.owner} .state=${state}></notebook-detail></td></tr>` : nothing}`;
  }

  actions(notebook) {
    const { name, owner, share, state } = notebook;
    const who = account.who?.user;
    const enters = who === owner || (share ?? []).includes(who);
    const act = (command, words) => this.run(() => notebooks.command(name, command), words);
    return html`<div class="toolbar">
      ${OPEN.includes(state.status) && enters
        ? html`<a class="button small primary" href=${notebooks.enterAddress(name)} target="_blank" rel="noopener">Open</a>`
        : nothing}
      ${AT_REST.includes(state.status)
        ? html`<button type="button" class="small primary" @click=${() => act("start", "Starting; its files are as they were")}>${icon("play")}Start</button>`
        : html`<button type="button" class="small" @click=${() => act("stop", "Stopping; its files stay")}>${icon("stop")}Stop</button>`}
      ${OPEN.includes(state.status)
        ? html`<button type="button" class="small" title="Count as a use" @click=${() => act("renew", "It stops later now")}>Renew</button>
            <button type="button" class="small" title="End the program and start it anew" @click=${() => act("reset", "Starting anew")}>${icon("retry")}Reset</button>`
        : nothing}
      <button type="button" class="small" @click=${() => (this.sharing = name)}>Share</button>
      <button type="button" class="small danger" aria-label="Delete ${name}" @click=${() => this.erase(notebook)}>${icon("trash")}</button>
    </div>`;
  }
}

/** The keys of the document for the fields that were filled in. */
const further = (data) => {
  const text = (name) => data.get(name).trim();
  const some = (names) => Object.fromEntries(names.filter(text).map((name) => [name, text(name)]));
  const resources = some(["cpu", "memory", "gpu"]);
  return { ...some(["cluster", "image", "open"]), ...(Object.keys(resources).length ? { resources } : {}) };
};

const noNotebooks = () => html`<div class="card state">
  <h2>No notebooks yet</h2>
  <p>A notebook is Jupyter or Visual Studio Code in your own directory on the server, at an address of its own. It is stopped when it is not
    used; your files stay.</p>
  <p class="small">From a shell: <code>orrery notebook create</code>, then <code>orrery notebook open</code></p>
</div>`;

define("notebooks-page", NotebooksPage);
