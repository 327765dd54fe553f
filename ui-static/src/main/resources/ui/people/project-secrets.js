// The secrets of a project: their names, and forms that set, replace and delete them. No value is ever shown.
import { html, nothing } from "lit";
import { projects } from "../api/people.js";
import { confirm } from "../kit/confirm.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { attempt } from "../shell/toasts.js";

class ProjectSecrets extends Piece {
  static properties = { name: {}, maySet: { type: Boolean }, items: { state: true }, failure: { state: true } };

  constructor() {
    super();
    this.items = null;
    this.failure = null;
  }

  willUpdate(changed) {
    if (changed.has("name")) {
      this.items = null;
      this.load();
    }
  }

  async load() {
    try {
      this.items = (await projects.secrets(this.name)).items;
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  /** Replaces the one that is listed and no newer one; one that is not listed is to be new. */
  async set(event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    const secret = data.get("secret").trim();
    const known = this.items.find((one) => one.name === secret);
    const done = known ? `${secret} has a new value: what starts from now on gets it` : `${secret} set`;
    if ((await attempt(() => projects.setSecret(this.name, secret, data.get("value"), known?.revision ?? null), done)) !== null) {
      form.reset();
    }
    await this.load();
  }

  async erase(secret) {
    const agreed = await confirm({ title: `Delete secret ${secret.name}?`, text: "Programs that name it do not start any more.", action: "Delete" });
    if (agreed) {
      await attempt(() => projects.removeSecret(this.name, secret.name, secret.revision), `${secret.name} deleted`);
      await this.load();
    }
  }

  render() {
    return html`<section class="card"><header><h2>Secrets</h2><span class="soft small">named in env as secret:NAME</span></header>
      ${this.failure ? html`<p class="fault">${this.failure.message}</p>` : nothing}
      ${this.items === null ? nothing : this.items.length === 0
        ? html`<p class="soft small">None yet.</p>`
        : html`<table class="objects" aria-label="Secrets"><thead><tr><th>Name</th><th>Set by</th><th>Changed</th><th></th></tr></thead>
            <tbody>${this.items.map((secret) => html`<tr data-secret=${secret.name}><td class="who"><span class="name">${secret.name}</span></td>
              <td class="small soft" data-label="Set by">${secret.changedBy}</td>
              <td class="small soft number" data-label="Changed" title=${fullTime(secret.changedAt)}>${time(secret.changedAt)}</td>
              <td class="right">${this.maySet ? html`<button type="button" class="plain small danger" aria-label="Delete ${secret.name}"
                @click=${() => this.erase(secret)}>Delete</button>` : nothing}</td></tr>`)}</tbody></table>`}
      ${this.maySet && this.items !== null ? html`<form class="stack" @submit=${this.set}>
        <label class="field"><span>Secret</span><input type="text" name="secret" required maxlength="63" pattern="[a-z0-9][a-z0-9_.\\-]*"
          title="Lower-case letters, digits, '-', '_' and '.'" spellcheck="false" autocomplete="off" placeholder="hub"></label>
        <label class="field"><span>Value</span><textarea class="code" name="value" rows="2" required spellcheck="false" autocomplete="off"></textarea></label>
        <div class="toolbar"><button>${icon("add")}Set</button></div></form>` : nothing}
    </section>`;
  }
}

define("project-secrets", ProjectSecrets);
