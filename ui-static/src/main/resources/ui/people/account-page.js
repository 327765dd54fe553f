// The person who looks: name, projects, and personal tokens for programs.
import { html, nothing } from "lit";
import { signOut, whoAmI } from "../api.js";
import { tokens, users } from "../api/people.js";
import { copy } from "../kit/clipboard.js";
import { confirm } from "../kit/confirm.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { addressIn } from "../shell/router.js";
import { attempt } from "../shell/toasts.js";
import { account } from "./account.js";

const DAYS = [30, 90, 365];
const DAY_MS = 86_400_000;

class AccountPage extends Piece {
  static properties = { items: { state: true }, created: { state: true }, session: { state: true }, failure: { state: true } };

  constructor() {
    super();
    this.items = null;
    /** The token that was created last: it is shown once. */
    this.created = null;
    this.session = null;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Account · Orrery";
    this.listen(account, "change", () => this.requestUpdate());
    whoAmI().then((session) => (this.session = session), () => {});
    this.load();
  }

  async load() {
    try {
      this.items = (await tokens.list()).items;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  async create(event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    const days = Number(data.get("days"));
    const made = await attempt(() =>
      tokens.create({ name: data.get("name").trim(), scope: data.get("scope"), expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
    );
    if (made) {
      this.created = made;
      form.reset();
      this.load();
    }
  }

  async setPassword(event) {
    event.preventDefault();
    const form = event.target;
    const { present, password } = Object.fromEntries(new FormData(form));
    if ((await attempt(async () => (await users.setPassword(account.who.user, { present, password }), true), "Password changed; other sessions are signed out")) !== null) {
      form.reset();
    }
  }

  async revoke(name) {
    const agreed = await confirm({ title: `Revoke ${name}?`, text: "Programs that use it are refused from now on.", action: "Revoke" });
    if (agreed && (await attempt(async () => (await tokens.revoke(name), true), `${name} revoked`))) {
      this.created = this.created?.name === name ? null : this.created;
      this.load();
    }
  }

  render() {
    const { who } = account;
    return html`
      <div class="page-head"><h1>Account</h1>
        ${this.session?.required ? html`<div class="end"><button type="button" @click=${signOut}>Sign out</button></div>` : nothing}</div>
      <div class="stack narrow">
        <section class="card"><header><h2>${who?.displayName || who?.user || "…"}</h2>${who ? html`<span class="pill">${who.role}</span>` : nothing}</header>
          ${who && !this.session?.required ? html`<p class="soft small">This server asks for no sign-in: it listens on this machine only.</p>` : nothing}
          ${who?.projects.length > 0
            ? html`<ul class="plain-list">${who.projects.map(({ name, role }) => html`<li><a href=${addressIn("projects", name)}>${name}</a> <span class="soft small">${role}</span></li>`)}</ul>`
            : html`<p class="soft small">A member of the project <a href="#/projects/public">public</a>, as all users are.</p>`}
        </section>
        ${this.session?.passwords && who?.kind === "person" ? this.password() : nothing}
        ${this.session?.users ? this.tokens() : nothing}
      </div>`;
  }

  password() {
    return html`<section class="card"><header><h2>Password</h2></header>
      <form class="inline" @submit=${this.setPassword}>
        <label class="field"><span>Present password</span><input type="password" name="present" required autocomplete="current-password"></label>
        <label class="field"><span>New password</span><input type="password" name="password" required minlength="8" autocomplete="new-password"></label>
        <button>Change password</button>
      </form></section>`;
  }

  tokens() {
    return html`<section class="card">
      <header><h2>Personal tokens</h2><span class="soft small">for programs that act as you</span></header>
      ${this.failure ? html`<p class="fault">${this.failure.message}</p>` : nothing}
      ${this.created
        ? html`<div class="once" role="status"><p>Copy the token of <b>${this.created.name}</b> now: it is not shown again.</p>
            <div class="toolbar"><code class="code wrap">${this.created.token}</code>
              <button type="button" @click=${() => copy(this.created.token, "Token")}>${icon("copy")}Copy</button></div></div>`
        : nothing}
      ${this.items?.length > 0
        ? html`<table class="objects" aria-label="Personal tokens"><thead><tr><th>Name</th><th>May</th><th>Expires</th><th></th></tr></thead>
            <tbody>${this.items.map((token) => html`<tr><td>${token.name}</td><td class="small soft">${token.scope === "read" ? "read only" : "everything that you may"}</td>
              <td class="small soft" title=${fullTime(token.expiresAt)}>${token.expiresAt ? time(token.expiresAt) : "never"}</td>
              <td class="right"><button type="button" class="small danger" @click=${() => this.revoke(token.name)}>Revoke</button></td></tr>`)}</tbody></table>`
        : html`<p class="soft small">None yet.</p>`}
      <form class="inline" @submit=${this.create}>
        <label class="field"><span>Name</span><input type="text" name="name" required maxlength="64" placeholder="ci" spellcheck="false"></label>
        <label class="field"><span>May</span><select name="scope"><option value="full">everything that you may</option><option value="read">read only</option></select></label>
        <label class="field"><span>Expires</span><select name="days">${DAYS.map((days) => html`<option value=${days}>in ${days} days</option>`)}</select></label>
        <button class="primary">${icon("add")}Create</button>
      </form>
    </section>`;
  }
}

define("account-page", AccountPage);
