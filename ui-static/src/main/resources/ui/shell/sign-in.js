// Asks for a password or a token, gives it to the server for a cookie, and forgets it.
import { html, nothing } from "lit";
import { session, signIn, whoAmI } from "../api.js";
import { Piece, define } from "../kit/piece.js";

class SignIn extends Piece {
  static properties = { fault: { state: true }, busy: { state: true }, users: { state: true }, openId: { state: true }, byToken: { state: true } };

  constructor() {
    super();
    /** Whether the server has accounts; null before it has said so. */
    this.users = null;
    this.openId = false;
    this.byToken = false;
  }

  connectedCallback() {
    super.connectedCallback();
    whoAmI().then(({ passwords, openId }) => ((this.openId = openId), (this.users = passwords)), () => (this.users = false));
  }

  updated(changed) {
    if (changed.has("users") || changed.has("byToken")) {
      this.querySelector("input")?.focus();
    }
  }

  async send(event) {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(event.target));
    this.busy = true;
    this.fault = null;
    try {
      await signIn(data.token === undefined ? { user: data.user.trim(), password: data.password } : { token: data.token.trim() });
      session.dispatchEvent(new Event("granted"));
    } catch (refusal) {
      this.fault = refusal.status === 401 ? (data.token === undefined ? "The name or the password is wrong." : "This server does not know that token.") : refusal.message;
    } finally {
      this.busy = false;
    }
  }

  render() {
    if (this.users === null) {
      return nothing;
    }
    if (this.openId && !this.users && !this.byToken) {
      return html`<div class="sign-in"><div class="card">
        <h1>Sign in</h1>
        ${this.provider()}
        ${this.other("Sign in with a token")}
      </div></div>`;
    }
    const asksToken = this.byToken || !this.users;
    return html`<div class="sign-in">
      <form class="card" @submit=${this.send}>
        <h1>Sign in</h1>
        ${asksToken ? this.token() : this.password()}
        <p id="sign-in-fault" class="fault" role="alert">${this.fault ?? nothing}</p>
        <button class="primary" ?disabled=${this.busy}>Sign in</button>
        ${this.openId && !asksToken ? this.provider() : nothing}
        ${this.users || this.openId
          ? this.other(!this.byToken ? "Sign in with a token" : this.users ? "Sign in with a password" : "Sign in with your organization")
          : nothing}
      </form>
    </div>`;
  }

  /** Leads to the OpenID provider, which leads back to the start of the page. */
  provider() {
    return html`<a class="button" href="api/v1/session/openid">Sign in with your organization</a>`;
  }

  other(words) {
    return html`<button type="button" class="link small" @click=${() => ((this.byToken = !this.byToken), (this.fault = null))}>${words}</button>`;
  }

  password() {
    return html`
      <label class="field"><span>Name</span><input type="text" name="user" autocomplete="username" required spellcheck="false" autocapitalize="off"></label>
      <label class="field"><span>Password</span><input type="password" name="password" autocomplete="current-password" required
        aria-invalid=${this.fault ? "true" : "false"} aria-describedby="sign-in-fault"></label>`;
  }

  token() {
    return html`<p class="soft">This server requires a token. Its administrator can give you one; on the server's machine it is in <code>server.json</code>.</p>
      <label class="field"><span>Token</span>
        <input type="password" name="token" autocomplete="current-password" required spellcheck="false"
          aria-invalid=${this.fault ? "true" : "false"} aria-describedby="sign-in-fault">
      </label>`;
  }
}

define("sign-in", SignIn);
