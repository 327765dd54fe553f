// How much each parameter decides the results, the most important first, as the server worked it out.
import { html, nothing } from "lit";
import { experiments } from "../api.js";
import { count } from "../kit/format.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { styled } from "../kit/styled.js";

// The server grows a forest for each answer while results come in.
const LOOK_AGAIN_MS = 10_000;
const MOST_SHOWN = 20;

class ImportanceBars extends Piece {
  static properties = { store: { attribute: false }, found: { state: true }, failure: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    const look = paced(() => this.load(), LOOK_AGAIN_MS);
    this.listen(this.store, "points", look);
    this.keep(look.cancel);
    look();
  }

  async load() {
    try {
      this.found = await experiments.importance(this.store.id);
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    return html`
      <header>
        <h2>Importance of parameters</h2>
        ${this.found?.items.length > 0 ? html`<span class="legend">share of what each explains alone</span>` : nothing}
      </header>
      ${this.failure && !this.found ? html`<p class="faint small">${this.failure.message}</p>` : this.bars()}
    `;
  }

  bars() {
    if (!this.found) {
      return html`<p class="faint small" role="status">Working it out…</p>`;
    }
    const { items, reason, trials, total } = this.found;
    if (items.length === 0) {
      return html`<p class="faint small">${reason}</p>`;
    }
    return html`<ol class="importance" aria-label="Parameters by importance">
        ${items.slice(0, MOST_SHOWN).map(
          ({ parameter, importance }) => html`<li>
            <span class="name" title=${parameter}>${parameter}</span>
            <span class="track"><i ${styled({ width: `${100 * importance}%` })}></i></span>
            <b class="number">${percent(importance)}</b>
          </li>`,
        )}
      </ol>
      <p class="faint small">By fANOVA from ${count(trials)} of ${count(total)} trials that succeeded.
        ${items.length > MOST_SHOWN ? `The first ${MOST_SHOWN} of ${count(items.length)} parameters.` : ""}</p>`;
  }
}

const percent = (share) => (share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`);

define("importance-bars", ImportanceBars);
