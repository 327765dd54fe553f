// The code of an experiment: sent from the browser into the person's workspace, or a directory chosen there.
import { html, nothing } from "lit";
import { files } from "../api/files.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { account } from "../people/account.js";
import { attempt, toast } from "../shell/toasts.js";

const MOST_FILES = 2000;
const MOST_NAMES = 1000;
/** Directories whose content no trial needs. */
const LEFT_OUT = [".git", "__pycache__", ".ipynb_checkpoints", "node_modules", ".venv"];

/** What of the files of a browser is sent, by its path: {path, file}. */
export const sentOf = (list) =>
  [...list]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !path.split("/").some((name) => LEFT_OUT.includes(name)));

/** The directory of an upload: a new one each time, so that no search that runs has its code changed. */
export const directoryOf = (all, now) => {
  const [folder] = all[0].path.includes("/") ? all[0].path.split("/") : ["files"];
  return `code/${folder}-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}`;
};

/** The path below the directory of an upload. */
export const below = (path) => (path.includes("/") ? path.slice(path.indexOf("/") + 1) : path);

class CodeSource extends Piece {
  static properties = { sending: { state: true }, shown: { state: true }, names: { state: true } };

  constructor() {
    super();
    /** What is being sent: {done, all}. */
    this.sending = null;
    /** The directory of the workspace that is looked at; null when the list is closed. */
    this.shown = null;
    this.names = [];
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(account, "change", () => this.requestUpdate());
  }

  get user() {
    return account.who?.user || null;
  }

  async send(event) {
    const all = sentOf(event.target.files);
    event.target.value = "";
    if (all.length === 0 || all.length > MOST_FILES) {
      toast(all.length === 0 ? "There is no file to send." : `A folder of code has at most ${MOST_FILES} files; this one has ${all.length}.`, "bad");
      return;
    }
    const directory = directoryOf(all, new Date());
    this.sending = { done: 0, all: all.length };
    const sent = await attempt(async () => {
      for (const { path, file } of all) {
        await files.upload({ user: this.user }, `${directory}/${below(path)}`, file, () => {});
        this.sending = { done: this.sending.done + 1, all: all.length };
      }
      return true;
    }, `${all.length} file${all.length === 1 ? "" : "s"} sent`);
    this.sending = null;
    if (sent) {
      this.choose(directory);
    }
  }

  choose(directory) {
    this.shown = null;
    this.tell("chosen", ["/mnt", this.user, directory].filter(Boolean).join("/"));
  }

  async look(directory) {
    const page = await attempt(() => files.list({ user: this.user }, directory, { limit: MOST_NAMES }));
    if (page) {
      this.names = page.items.filter((entry) => entry.kind === "directory").map((entry) => entry.name);
      this.shown = directory;
    }
  }

  render() {
    if (!this.user) {
      return nothing;
    }
    return html`<div class="toolbar">
        <label class="button small">Send a folder…<input class="unseen" type="file" webkitdirectory aria-label="Send a folder" ?disabled=${this.sending !== null} @change=${this.send}></label>
        <label class="button small">Send files…<input class="unseen" type="file" multiple aria-label="Send files" ?disabled=${this.sending !== null} @change=${this.send}></label>
        <button type="button" class="small" aria-expanded=${this.shown !== null} @click=${() => (this.shown === null ? this.look("") : (this.shown = null))}>Choose in my files</button>
        ${this.sending ? html`<span role="status" class="small">Sending ${this.sending.done} of ${this.sending.all}</span>` : nothing}
      </div>
      ${this.shown === null ? nothing : this.list()}`;
  }

  list() {
    const { shown } = this;
    const up = shown.includes("/") ? shown.slice(0, shown.lastIndexOf("/")) : "";
    return html`<div class="toolbar" role="group" aria-label="Directories of my files">
      <code>/mnt/${this.user}${shown ? `/${shown}` : ""}</code>
      ${shown === "" ? nothing : html`<button type="button" class="small" @click=${() => this.look(up)}>Up</button>`}
      ${this.names.map((name) => html`<button type="button" class="small" @click=${() => this.look(shown ? `${shown}/${name}` : name)}>${name}/</button>`)}
      ${this.names.length === 0 ? html`<span class="faint small">No directories below.</span>` : nothing}
      <button type="button" class="small primary" @click=${() => this.choose(shown)}>${icon("check")}Use this one</button>
    </div>`;
  }
}

define("code-source", CodeSource);
