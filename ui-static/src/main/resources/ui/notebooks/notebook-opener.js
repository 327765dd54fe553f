// Copies files of a step, a trial or a version of a model into one's own directory, and opens them in a notebook of one's own.
import { html, nothing } from "lit";
import { files } from "../api/files.js";
import { notebooks } from "../api/notebooks.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { pill } from "../kit/status.js";
import { account } from "../people/account.js";

const PAUSE_MS = 1000;
const PAGE = 1000;
const PROGRAMS = ["jupyter", "vscode"];
const OPEN = ["RUNNING", "IDLE"];
const AT_REST = ["STOPPED", "FAILED", "UNREACHABLE"];

class NotebookOpener extends Piece {
  static properties = {
    from: { attribute: false },
    copy: { state: true },
    own: { state: true },
    isBusy: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.#forget();
  }

  #timer = null;

  #forget() {
    /** {path, copied, files, bytes}: the directory that is opened. */
    this.copy = null;
    this.own = [];
    this.isBusy = false;
    this.failure = null;
    clearTimeout(this.#timer);
  }

  willUpdate(changed) {
    if (changed.has("from") && JSON.stringify(changed.get("from")) !== JSON.stringify(this.from)) {
      this.#forget();
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  async run(action) {
    this.isBusy = true;
    this.failure = null;
    try {
      await action();
    } catch (refusal) {
      this.failure = refusal;
    }
    this.isBusy = false;
  }

  open() {
    const { from } = this;
    return this.run(async () => {
      const copy = await files.copy(account.who.user, from);
      if (from === this.from) {
        await this.load();
        this.copy = copy;
      }
    });
  }

  /** The notebooks that show the directory; asked for again while one of them is on its way. */
  async load() {
    clearTimeout(this.#timer);
    const { items } = await notebooks.list({ owner: account.who.user, limit: PAGE });
    this.own = items.filter((each) => each.owner === account.who.user && PROGRAMS.includes(each.ide));
    if (this.isConnected && this.own.some(({ state }) => !OPEN.includes(state.status) && !AT_REST.includes(state.status))) {
      this.#timer = setTimeout(() => this.run(() => this.load()), PAUSE_MS);
    }
  }

  act(action) {
    return this.run(async () => {
      await action();
      await this.load();
    });
  }

  render() {
    return html`<div class="opener stack small">
      ${this.copy === null
        ? html`<div><button type="button" class="small" ?disabled=${this.isBusy} @click=${this.open}>${icon("terminal")}Open in a notebook</button>
            ${this.isBusy ? html`<span class="soft" role="status"><span class="spinner"></span>Copying into your directory</span>` : nothing}</div>`
        : this.found()}
      ${this.failure ? html`<p class="fault" role="alert">${this.failure.message}</p>` : nothing}
    </div>`;
  }

  found() {
    const { path, copied } = this.copy;
    const below = path.split("/").slice(3).join("/");
    return html`<p>${copied ? "Copied to" : "Already copied to"} <a href=${`#/files?path=${encodeURIComponent(below)}`}>${path}</a></p>
      ${this.own.length === 0
        ? html`<div><button type="button" class="small primary" ?disabled=${this.isBusy}
            @click=${() => this.act(() => notebooks.create({ ide: "jupyter" }))}>${icon("add")}Create a notebook</button></div>`
        : html`<div class="stack" role="list" aria-label="Notebooks">${this.own.map((each) => this.line(each))}</div>`}`;
  }

  line({ name, state }) {
    return html`<div class="toolbar" role="listitem">
      ${OPEN.includes(state.status)
        ? html`<a class="button small primary" href=${notebooks.enterAddress(name, { open: this.copy.path })} target="_blank" rel="noopener">Open in ${name}</a>`
        : AT_REST.includes(state.status)
          ? html`<button type="button" class="small" ?disabled=${this.isBusy} @click=${() => this.act(() => notebooks.command(name, "start"))}>${icon("play")}Start ${name}</button>`
          : html`<span>${name}</span> ${pill(state.status)}`}
      ${state.reason && !OPEN.includes(state.status) ? html`<span class="soft">${state.reason}</span>` : nothing}
    </div>`;
  }
}

define("notebook-opener", NotebookOpener);
