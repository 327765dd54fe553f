// Which share of the results is how good: the empirical distribution function.
import { html } from "lit";
import { experiments } from "../api.js";
import { count, finite } from "../kit/format.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { edf } from "./edf.js";
import "./steps-chart.js";

const REFRESH_MS = 5000;
/** Every result counts: the sample of the other charts has more of the best ones. */
const MOST_POINTS = 20_000;

class DistributionView extends Piece {
  static properties = { store: { attribute: false }, values: { state: true }, failure: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    const load = paced(() => this.load(), REFRESH_MS);
    this.listen(this.store, "points", load);
    this.keep(load.cancel);
    load();
  }

  async load() {
    const { key } = this.store.metric;
    try {
      const points = await experiments.points(this.store.id, { maxPoints: MOST_POINTS, key });
      this.values = points.metric.map(finite).filter((value) => value !== null);
      this.total = points.total;
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    if (!this.values) {
      return html`<section class="card">${this.failure ? html`<p class="fault">${this.failure.message}</p>` : html`<span class="bone w60"></span>`}</section>`;
    }
    const { key } = this.store.metric;
    return html`<section class="card">
      <header><h2>Distribution of results (EDF)</h2><span class="faint small number">${count(this.values.length)} results</span></header>
      <steps-chart .lines=${[{ name: "Share of trials", steps: edf(this.values) }]} x=${key === "default" ? "Metric" : key} y="Share of trials" percent size="high"></steps-chart>
      <p class="faint small">At each value, the share of trials whose result is that value or lower.${this.total > MOST_POINTS ? ` A sample of ${count(MOST_POINTS)} trials that has all of the best.` : ""}</p>
    </section>`;
  }
}

define("distribution-view", DistributionView);
