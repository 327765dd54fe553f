// Two parameters, chosen by the reader, as a contour or by rank.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";
import { setQuery } from "../shell/router.js";
import "./pair-chart.js";

const WORDS = { contour: ["Contour", "worse", "better"], rank: ["Rank", "last", "first"] };

class PairView extends Piece {
  static properties = { store: { attribute: false }, kind: {}, across: { state: true }, up: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "points", () => this.requestUpdate());
  }

  render() {
    const names = this.store.points?.parameterNames ?? [];
    const [title, low, high] = WORDS[this.kind];
    if (names.length < 2) {
      return html`<section class="card"><header><h2>${title}</h2></header><p class="soft small">This needs two parameters and trials with results.</p></section>`;
    }
    const across = names.includes(this.across) ? this.across : names[0];
    const up = names.includes(this.up) && this.up !== across ? this.up : names.find((name) => name !== across);
    const choice = (label, value, other, choose) => html`<select aria-label=${label} @change=${(event) => choose(event.target.value)}>
      ${names.filter((name) => name !== other).map((name) => html`<option value=${name} ?selected=${name === value}>${label}: ${name}</option>`)}
    </select>`;
    return html`<section class="card">
      <header><h2>${title}</h2><span class="legend">${low} <i class="ramp"></i> ${high}</span>
        <div class="end">${choice("Across", across, up, (name) => (this.across = name))}${choice("Up", up, across, (name) => (this.up = name))}</div></header>
      <pair-chart .store=${this.store} kind=${this.kind} across=${across} up=${up}
        @trial=${(event) => setQuery({ trial: event.detail }, { step: true })}></pair-chart>
    </section>`;
  }
}

define("pair-view", PairView);
