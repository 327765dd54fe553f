// Images: their builds, the catalogue with what became of each tag, and the accounts at registries.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { builds, images, registries } from "../api/images.js";
import { loadingRows } from "../experiments/list-states.js";
import { confirm } from "../kit/confirm.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { addressIn } from "../shell/router.js";
import { attemptAnew, toast } from "../shell/toasts.js";
import { digest, outcome } from "./build-words.js";

const PAUSE_MS = 5000;
const UNFINISHED = ["QUEUED", "RUNNING", "PUSHING"];

class ImagesPage extends Piece {
  constructor() {
    super();
    this.builds = new Poll(this, () => builds.list());
    this.images = new Poll(this, () => images.list(), { pauseMs: PAUSE_MS });
    this.registries = new Poll(this, () => registries.list(), { pauseMs: PAUSE_MS });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Images · Orrery";
  }

  async add(event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    const wanted = { name: data.get("name").trim(), description: data.get("description").trim() };
    if (await attemptAnew(this.images, () => images.add(wanted), "Added with the digest that it has now")) {
      form.reset();
    }
  }

  async account(event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    const secret = data.get("secret").trim();
    const wanted = { server: data.get("server").trim(), user: data.get("user").trim(), ...(secret ? { password: `secret:${secret}` } : {}) };
    if (await attemptAnew(this.registries, () => registries.put(data.get("name").trim(), wanted), "Saved; check whether it opens the registry")) {
      form.reset();
    }
  }

  async logIn(name) {
    await attemptAnew(this.registries, async () => {
      const { ok, reason } = await registries.check(name);
      toast(ok ? `${name}: the registry takes the account` : `${name}: ${reason}`, ok ? "good" : "bad");
    });
  }

  async erase(poll, title, text, action) {
    if (await confirm({ title, text, action: "Delete" })) {
      await attemptAnew(poll, action, "Deleted");
    }
  }

  render() {
    return html`
      <div class="page-head"><h1>Images</h1><div class="end">
        <a class="button primary" href=${addressIn("documents", "build", "new")}>${icon("add")}New build</a></div></div>
      <div class="stack">
      ${section("Builds", this.builds, noBuilds, (items) => this.buildTable(items))}
      ${section("Catalogue", this.images, noImages, (items) => this.imageTable(items))}
      <form class="card inline" aria-label="Add an image" @submit=${this.add}>
        <label class="field"><span>Image</span><input type="text" name="name" required maxlength="400" placeholder="hub.example.com/vision/tool:1" spellcheck="false"></label>
        <label class="field"><span>Description</span><input type="text" name="description" maxlength="400"></label>
        <button>${icon("add")}Add</button>
      </form>
      ${section("Registries", this.registries, noRegistries, (items) => this.registryTable(items))}
      <form class="card inline" aria-label="Add an account" @submit=${this.account}>
        <label class="field"><span>Name</span><input type="text" name="name" required maxlength="54" pattern="[a-z][a-z0-9\\-]*[a-z0-9]" spellcheck="false"></label>
        <label class="field"><span>Registry</span><input type="text" name="server" required maxlength="400" placeholder="hub.example.com/vision" spellcheck="false"></label>
        <label class="field"><span>User</span><input type="text" name="user" maxlength="200" spellcheck="false" autocomplete="off"></label>
        <label class="field"><span>Secret with the password</span><input type="text" name="secret" maxlength="100" placeholder="a secret of the project" spellcheck="false" autocomplete="off"></label>
        <button>${icon("add")}Save</button>
      </form></div>`;
  }

  buildTable(items) {
    return html`<table class="objects" aria-label="Builds">
      <thead><tr><th>Name</th><th>Status</th><th>Image</th><th>Digest</th><th>Took</th><th>Ended</th><th></th></tr></thead>
      <tbody>${repeat(items, (item) => item.name, (item) => this.buildRow(item))}</tbody>
    </table>`;
  }

  buildRow({ name, owner, project, target, state }) {
    const act = (command, words) => attemptAnew(this.builds, () => builds.command(name, command), words);
    return html`<tr data-name=${name}>
      <td class="who"><a class="name" href=${addressIn("builds", name)}>${name}</a>
        <span class="faint small">${owner} in ${project}</span>
        ${state.reason ? html`<span class="${state.status === "FAILED" ? "fault" : "soft small"} clip" title=${state.reason}>${state.reason}</span>` : nothing}</td>
      <td>${pill(state.status)}</td>
      <td class="small wrap" data-label="Image">${target}</td>
      <td class="small soft code" data-label="Digest" title=${state.digest ?? ""}>${digest(state.digest)}</td>
      <td class="small soft number" data-label="Took">${outcome(state)}</td>
      <td class="small soft number" data-label="Ended" title=${fullTime(state.endedAt)}>${time(state.endedAt)}</td>
      <td class="right"><div class="toolbar">
        ${UNFINISHED.includes(state.status)
          ? html`<button type="button" class="small" @click=${() => act("cancel", "Ending the build")}>${icon("stop")}Cancel</button>`
          : html`<button type="button" class="small" @click=${() => act("start", "Started again")}>${icon("retry")}Rebuild</button>`}
        <button type="button" class="small danger" aria-label="Delete ${name}"
          @click=${() => this.erase(this.builds, `Delete the build ${name}?`, "Its log goes with it; the image stays in its registry.", () => builds.delete(name))}>${icon("trash")}</button>
      </div></td>
    </tr>`;
  }

  imageTable(items) {
    return html`<table class="objects" aria-label="Catalogue">
      <thead><tr><th>Image</th><th>Tag</th><th>Digest</th><th>Looked at</th><th></th></tr></thead>
      <tbody>${repeat(items, (item) => item.id, (item) => html`<tr data-name=${item.name}>
        <td class="who"><span class="name wrap">${item.name}</span>
          ${item.description ? html`<span class="soft small">${item.description}</span>` : nothing}
          <span class="faint small">${item.owner} in ${item.project}</span>
          ${item.state.reason ? html`<span class="fault clip" title=${item.state.reason}>${item.state.reason}</span>` : nothing}</td>
        <td>${pill(item.state.status)}</td>
        <td class="small soft code" data-label="Digest" title=${item.digest}>${digest(item.digest)}</td>
        <td class="small soft number" data-label="Looked at" title=${fullTime(item.state.checkedAt)}>${time(item.state.checkedAt)}</td>
        <td class="right"><div class="toolbar">
          <button type="button" class="small" @click=${() => attemptAnew(this.images, () => images.check(item.id), "Looked")}>${icon("retry")}Look again</button>
          <button type="button" class="small danger" aria-label="Delete ${item.name}"
            @click=${() => this.erase(this.images, `Delete ${item.name}?`, "It leaves the catalogue; the image stays in its registry.", () => images.delete(item.id))}>${icon("trash")}</button>
        </div></td></tr>`)}</tbody>
    </table>`;
  }

  registryTable(items) {
    return html`<table class="objects" aria-label="Registries">
      <thead><tr><th>Name</th><th>Registry</th><th>User</th><th>Password</th><th></th></tr></thead>
      <tbody>${repeat(items, (item) => item.name, ({ name, owner, project, server, user, passwordFrom }) => html`<tr data-name=${name}>
        <td class="who"><span class="name">${name}</span><span class="faint small">${owner} in ${project}</span></td>
        <td class="small wrap" data-label="Registry">${server}</td>
        <td class="small soft" data-label="User">${user || "–"}</td>
        <td class="small soft" data-label="Password">${passwordFrom ? html`the secret <span class="code">${passwordFrom}</span>` : "–"}</td>
        <td class="right"><div class="toolbar">
          <button type="button" class="small" @click=${() => this.logIn(name)}>${icon("check")}Check</button>
          <button type="button" class="small danger" aria-label="Delete ${name}"
            @click=${() => this.erase(this.registries, `Delete the account ${name}?`, "Private images of this registry cannot be pulled any more.", () => registries.delete(name))}>${icon("trash")}</button>
        </div></td></tr>`)}</tbody>
    </table>`;
  }
}

/** A heading and a list, what is there instead while it is loaded or empty, or why it cannot be had. */
const section = (title, { answer, failure }, empty, table) => html`<section class="stack"><h2>${title}</h2>
  ${answer === null
    ? failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()
    : answer.items.length === 0 ? html`<div class="card state">${empty()}</div>` : html`<div class="card flush">${table(answer.items)}</div>`}</section>`;

const noBuilds = () => html`<p>A build makes an image of a Containerfile and pushes it to a registry, without privileges.</p>
  <p class="small">From a shell: <code>orrery apply -f build.yml</code></p>`;

const noImages = () => html`<p>The catalogue keeps the digest that a tag had, and says when it is gone or names another image.</p>`;

const noRegistries = () => html`<p>An account opens a private registry for the builds, services, notebooks and steps of its project. Its password is a
  secret of the project: <code>orrery project secret</code>.</p>`;

define("images-page", ImagesPage);
