// Asks for a token, gives it to the server for a cookie, and forgets it.
import { html, nothing } from "lit";
import { session, signIn } from "../api.js";
import { Piece, define } from "../kit/piece.js";

class SignIn extends Piece {
  static properties = { fault: { state: true }, busy: { state: true } };

  firstUpdated() {
    this.querySelector("input").focus();
  }

  async send(event) {
    event.preventDefault();
    this.busy = true;
    this.fault = null;
    try {
      await signIn(this.querySelector("input").value.trim());
      session.dispatchEvent(new Event("granted"));
    } catch (refusal) {
      this.fault = refusal.status === 401 ? "This server does not know that token." : refusal.message;
    } finally {
      this.busy = false;
    }
  }

  render() {
    return html`<div class="sign-in">
      <form class="card" @submit=${this.send}>
        <h1>Sign in</h1>
        <p class="soft">This server requires a token. Its administrator can give you one; on the server's machine it is in <code>server.json</code>.</p>
        <label class="field"><span>Token</span>
          <input type="password" autocomplete="current-password" required spellcheck="false"
            aria-invalid=${this.fault ? "true" : "false"} aria-describedby="sign-in-fault">
        </label>
        <p id="sign-in-fault" class="fault" role="alert">${this.fault ?? nothing}</p>
        <button class="primary" ?disabled=${this.busy}>Sign in</button>
      </form>
    </div>`;
  }
}

define("sign-in", SignIn);
