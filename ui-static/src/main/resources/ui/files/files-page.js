// The directory of the person on the server or in a claim: a list to walk through, upload by drag, download, preview, editing
// of text, a terminal.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { files } from "../api/files.js";
import { loadingRows } from "../experiments/list-states.js";
import { confirm } from "../kit/confirm.js";
import { bytes, fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { account } from "../people/account.js";
import { route, setQuery } from "../shell/router.js";
import { attemptAnew, toast } from "../shell/toasts.js";
import "./file-view.js";
import "./files-terminal.js";
import { addressOf, placeOf, rootOf } from "./place.js";
import "./place-choice.js";

const PAGE = 1000;
const PERCENT = 100;
const PAUSE_MS = 5000;

const joined = (...parts) => parts.filter(Boolean).join("/");

class FilesPage extends Piece {
  static properties = { sending: { state: true }, isOver: { state: true }, moving: { state: true } };

  constructor() {
    super();
    /** What is being sent: {name, share}. */
    this.sending = null;
    this.isOver = false;
    /** The name of the entry that is being moved; null for none. */
    this.moving = null;
    this.poll = new Poll(this, () => (this.user ? files.list(this.place, this.path, { limit: PAGE }) : null), {
      pauseMs: PAUSE_MS,
      about: () => `${JSON.stringify(this.place)} ${this.path}`,
    });
  }

  get user() {
    return account.who?.user ?? null;
  }

  get place() {
    return placeOf(this.user, route.current.query);
  }

  get path() {
    return route.current.query.get("path") ?? "";
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Files · Orrery";
    this.listen(account, "change", () => this.requestUpdate());
    this.listen(route, "change", () => this.requestUpdate());
  }

  run(action, done) {
    return attemptAnew(this.poll, action, done);
  }

  async send(list) {
    for (const file of list) {
      this.sending = { name: file.name, share: 0 };
      try {
        await files.upload(this.place, joined(this.path, file.name), file, (share) => (this.sending = { name: file.name, share }));
        toast(`${file.name} is there`);
      } catch (refusal) {
        toast(`${file.name}: ${refusal.message}`, "bad");
      }
    }
    this.sending = null;
    this.poll.now();
  }

  drop(event) {
    event.preventDefault();
    this.isOver = false;
    this.send([...event.dataTransfer.files]);
  }

  async makeDirectory(event) {
    event.preventDefault();
    const form = event.target;
    const name = new FormData(form).get("name").trim();
    await this.run(() => files.makeDirectory(this.place, joined(this.path, name)), `${name} is there`);
    form.reset();
  }

  /** Opens the form for another path below an entry, or shuts it. */
  async chooseMove(name) {
    const left = this.moving;
    this.moving = name;
    await this.updateComplete;
    this.querySelector(name === null ? `tr[data-name="${CSS.escape(left)}"] [data-move]` : "input[name=to]")?.focus();
  }

  async move(event) {
    event.preventDefault();
    const name = this.moving;
    const to = new FormData(event.target).get("to").trim();
    if (await this.run(() => files.move(this.place, joined(this.path, name), to), `${name} is ${to} now`)) {
      this.chooseMove(null);
    }
  }

  async erase(entry) {
    const agreed = await confirm({
      title: `Delete ${entry.name}?`,
      text: entry.kind === "directory" ? "It is deleted with all below it, for good." : "It is deleted for good.",
      action: "Delete",
    });
    if (agreed) {
      await this.run(() => files.delete(this.place, joined(this.path, entry.name)), `${entry.name} deleted`);
    }
  }

  render() {
    const { answer, failure } = this.poll;
    const shown = route.current.query.get("file");
    return html`
      <div class="page-head"><h1>Files</h1>${answer?.quotaBytes ? html`<span class="soft small number">${bytes(answer.usedBytes)} of ${bytes(answer.quotaBytes)}</span>` : nothing}
        <div class="end"><label class="button primary">${icon("add")}Upload<input type="file" multiple class="unseen" @change=${(event) => this.send([...event.target.files])}></label></div></div>
      ${this.user ? html`<place-choice .place=${this.place}></place-choice>` : nothing}
      <nav class="crumbs toolbar" aria-label="Path">${this.crumbs()}</nav>
      ${this.sending ? html`<p role="status" class="small">Sending ${this.sending.name}: ${Math.floor(this.sending.share * PERCENT)} %</p>` : nothing}
      <div class=${this.isOver ? "drop over" : "drop"} @dragover=${(event) => (event.preventDefault(), (this.isOver = true))} @dragleave=${() => (this.isOver = false)} @drop=${this.drop}>
        ${answer === null
          ? failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()
          : answer.items.length === 0 ? html`<div class="card state"><p>Nothing is here. Drop files to send them.</p></div>` : this.list(answer)}
      </div>
      <form class="inline" aria-label="New directory" @submit=${this.makeDirectory}>
        <label class="field"><span>New directory</span><input type="text" name="name" required maxlength="200" spellcheck="false"></label><button>${icon("add")}Make</button>
      </form>
      ${shown && this.user ? html`<file-view .place=${this.place} .path=${shown}></file-view>` : nothing}
      ${this.user ? html`<files-terminal .place=${this.place} .path=${this.path}></files-terminal>` : nothing}`;
  }

  crumbs() {
    const names = this.path.split("/").filter(Boolean);
    return [html`<a href=${addressOf(this.place, "")}>${rootOf(this.place)}</a>`, ...names.map((name, at) => html`<span aria-hidden="true">/</span><a
      href=${addressOf(this.place, names.slice(0, at + 1).join("/"))}>${name}</a>`)];
  }

  list({ items, next }) {
    return html`<div class="card flush"><table class="objects" aria-label="Files">
      <thead><tr><th>Name</th><th class="right">Size</th><th>Changed</th><th></th></tr></thead>
      <tbody>${repeat(items, (entry) => entry.name, (entry) => [this.row(entry), entry.name === this.moving ? this.moveRow(entry) : nothing])}</tbody></table></div>
      ${next ? html`<p class="more soft small">The first ${PAGE} are shown.</p>` : nothing}`;
  }

  row(entry) {
    const path = joined(this.path, entry.name);
    return html`<tr data-name=${entry.name}>
      <td class="who">${entry.kind === "directory"
        ? html`<a class="name" href=${addressOf(this.place, path)}>${entry.name}/</a>`
        : entry.kind === "file"
          ? html`<button type="button" class="plain name" @click=${() => setQuery({ file: path })}>${entry.name}</button>`
          : html`<span class="name">${entry.name}</span> <span class="faint small">${entry.kind === "link" ? "a link, not followed" : "no plain file"}</span>`}</td>
      <td class="right number soft" data-label="Size">${entry.kind === "file" ? bytes(entry.bytes) : ""}</td>
      <td class="small soft number" data-label="Changed" title=${fullTime(entry.changedAt)}>${time(entry.changedAt)}</td>
      <td class="right"><div class="toolbar">
        ${entry.kind === "file" ? html`<a class="button small" href=${files.address(this.place, path)} download=${entry.name} aria-label="Download ${entry.name}">${icon("download")}</a>` : nothing}
        <button type="button" class="small" data-move aria-label="Move ${entry.name}" aria-expanded=${entry.name === this.moving}
          @click=${() => this.chooseMove(entry.name === this.moving ? null : entry.name)}>Move…</button>
        <button type="button" class="small danger" aria-label="Delete ${entry.name}" @click=${() => this.erase(entry)}>${icon("trash")}</button></div></td>
    </tr>`;
  }

  moveRow(entry) {
    return html`<tr><td colspan="4"><form class="inline" @submit=${this.move}>
      <label class="field"><span>New path of ${entry.name}</span><input type="text" name="to" required maxlength="1000" spellcheck="false"
        .value=${joined(this.path, entry.name)}></label>
      <button class="primary">Move</button><button type="button" @click=${() => this.chooseMove(null)}>Cancel</button></form></td></tr>`;
  }
}

define("files-page", FilesPage);
