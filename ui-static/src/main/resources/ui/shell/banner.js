// Quiet word when the server has gone; goes by itself when it is back.
import { html, nothing } from "lit";
import { Piece, define } from "../kit/piece.js";
import { connection } from "../live/connection.js";

class ConnectionBanner extends Piece {
  connectedCallback() {
    super.connectedCallback();
    this.listen(connection, "change", () => this.requestUpdate());
  }

  render() {
    return html`<div role="status">
      ${connection.lost
        ? html`<div class="banner">
            <span class="spinner" aria-hidden="true"></span>
            <span>The server does not answer. The page shows the last known state; running trials continue.</span>
            <button type="button" class="link" @click=${() => connection.tryNow()}>Try now</button>
          </div>`
        : nothing}
    </div>`;
  }
}

define("connection-banner", ConnectionBanner);
