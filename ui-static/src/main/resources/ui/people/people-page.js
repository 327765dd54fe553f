// All accounts, for administrators: who is there, with which role, and who may still sign in.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { users } from "../api/people.js";
import { loadingRows } from "../experiments/list-states.js";
import { copy } from "../kit/clipboard.js";
import { fullTime } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { attempt } from "../shell/toasts.js";

const PAGE = 200;
const ROLES = ["admin", "user", "viewer"];
const TYPING_MS = 200;

class PeoplePage extends Piece {
  static properties = { items: { state: true }, next: { state: true }, failure: { state: true }, created: { state: true }, forgetful: { state: true } };

  constructor() {
    super();
    this.items = null;
    this.failure = null;
    /** The account that was added last, with the code by which its owner sets a password. */
    this.created = null;
    /** The name of the account whose password is being set; null for none. */
    this.forgetful = null;
    this.wanted = { q: "", role: "", active: "" };
    this.search = settled((text) => this.filter({ q: text }), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "People · Orrery";
    this.keep(() => this.search.cancel());
    this.load();
  }

  filter(changed) {
    this.wanted = { ...this.wanted, ...changed };
    this.load();
  }

  /** @param cursor of the page after what is shown; null to begin anew */
  async load(cursor = null) {
    const { wanted } = this;
    try {
      const page = await users.list({ ...wanted, limit: PAGE, cursor });
      if (wanted === this.wanted) {
        this.items = cursor ? [...this.items, ...page.items] : page.items;
        this.next = page.next;
        this.failure = null;
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  async add(event) {
    event.preventDefault();
    const form = event.target;
    const data = Object.fromEntries(new FormData(form));
    const made = await attempt(() => users.add({ name: data.name.trim(), displayName: data.displayName.trim() || undefined, role: data.role }));
    if (made) {
      form.reset();
      this.created = made;
      this.load();
    }
  }

  async setPassword(event) {
    event.preventDefault();
    const name = this.forgetful;
    const { password } = Object.fromEntries(new FormData(event.target));
    if ((await attempt(async () => (await users.setPassword(name, { password }), true), `${name} has a new password and is signed out everywhere`)) !== null) {
      this.choose(null);
      this.load();
    }
  }

  /** Opens the form for a password below the row of an account, or shuts it. */
  async choose(name) {
    const left = this.forgetful;
    this.forgetful = name;
    await this.updateComplete;
    this.querySelector(name === null ? `tr[data-user="${left}"] [data-password]` : "input[name=password]")?.focus();
  }

  async change(name, patch, done) {
    if (await attempt(() => users.change(name, patch), done)) {
      this.load();
    }
  }

  render() {
    return html`
      <div class="page-head"><h1>People</h1></div>
      ${this.created?.setupCode
        ? html`<section class="card once below" role="status"><p><b>${this.created.name}</b> sets a password at <code>${new URL("setup", document.baseURI).href}</code> with this code, once, until
            ${fullTime(this.created.setupUntil)}:</p>
            <div class="toolbar"><code class="wrap">${this.created.setupCode}</code><button type="button"
              @click=${() => copy(this.created.setupCode, "Code")}>${icon("copy")}Copy</button></div></section>`
        : nothing}
      <div class="toolbar filters"><label class="search">${icon("search")}<span class="unseen">Search people</span>
        <input type="search" placeholder="Name or mail address" @input=${(event) => this.search(event.target.value.trim())}></label>
        <select aria-label="Filter by role" @change=${(event) => this.filter({ role: event.target.value })}>
          <option value="">All roles</option>${ROLES.map((role) => html`<option>${role}</option>`)}</select>
        <select aria-label="Filter by state" @change=${(event) => this.filter({ active: event.target.value })}>
          <option value="">All states</option><option value="true">active</option><option value="false">disabled</option></select></div>
      ${this.items === null
        ? this.failure ? html`<div class="card state"><p>${this.failure.message}</p></div>` : loadingRows()
        : this.items.length === 0
          ? html`<div class="card state"><p>${Object.values(this.wanted).some(Boolean) ? "No account fits." : "There are no accounts: this server does not ask people to sign in."}</p></div>`
          : html`<div class="card flush"><table class="objects" aria-label="People">
              <thead><tr><th>Name</th><th>Role</th><th>State</th><th></th></tr></thead>
              <tbody>${repeat(this.items, (user) => user.name, (user) => [this.row(user), user.name === this.forgetful ? this.passwordRow(user) : nothing])}</tbody></table></div>`}
      ${this.next ? html`<p class="more"><button type="button" @click=${() => this.load(this.next)}>Show more</button></p>` : nothing}
      <section class="card below"><header><h2>New account</h2></header>
        <form class="inline" @submit=${this.add}>
          <label class="field"><span>Name</span><input type="text" name="name" required spellcheck="false" autocomplete="off"></label>
          <label class="field"><span>Shown name</span><input type="text" name="displayName" autocomplete="off"></label>
          <label class="field"><span>Role</span><select name="role">${ROLES.map((role) => html`<option ?selected=${role === "user"}>${role}</option>`)}</select></label>
          <button class="primary">${icon("add")}Add</button></form></section>`;
  }

  row(user) {
    return html`<tr data-user=${user.name}>
      <td class="who"><span class="name">${user.name}</span>${user.displayName && user.displayName !== user.name ? html`<span class="faint small">${user.displayName}</span>` : nothing}</td>
      <td><select aria-label="Role of ${user.name}" @change=${(event) => this.change(user.name, { role: event.target.value }, `${user.name} is ${event.target.value} now`)}>
        ${ROLES.map((role) => html`<option ?selected=${role === user.role}>${role}</option>`)}</select></td>
      <td class="small soft">${user.active ? (user.passwordSet ? "active" : "has no password yet") : "disabled"}</td>
      <td class="right"><button type="button" class="plain small" data-password aria-expanded=${user.name === this.forgetful}
          aria-label="Set the password of ${user.name}" @click=${() => this.choose(user.name === this.forgetful ? null : user.name)}>Password…</button>
        <button type="button" class="small ${user.active ? "danger" : ""}"
        @click=${() => this.change(user.name, { active: !user.active }, user.active ? `${user.name} is signed out everywhere` : `${user.name} may sign in again`)}>${user.active ? "Disable" : "Enable"}</button></td>
    </tr>`;
  }

  passwordRow(user) {
    return html`<tr><td colspan="4"><form class="inline" @submit=${this.setPassword}>
      <label class="field"><span>New password of ${user.name}</span><input type="password" name="password" required minlength="8" autocomplete="new-password"></label>
      <button class="primary">Set</button><button type="button" @click=${() => this.choose(null)}>Cancel</button></form></td></tr>`;
  }
}

define("people-page", PeoplePage);
