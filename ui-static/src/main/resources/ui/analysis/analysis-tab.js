// Pictures of a search, one at a time: which one stands in the address.
import { html, nothing } from "lit";
import { count } from "../kit/format.js";
import { later } from "../kit/later.js";
import { Piece, define } from "../kit/piece.js";
import { route, setQuery } from "../shell/router.js";
import { metricChoice } from "../trials/metric-choice.js";

const VIEWS = [
  ["pareto", "Pareto front"],
  ["slice", "Slice"],
  ["contour", "Contour"],
  ["rank", "Rank"],
  ["distribution", "Distribution"],
  ["timeline", "Timeline"],
];

const MODULES = {
  pareto: () => import("./pareto-view.js"),
  slice: () => import("./slice-view.js"),
  contour: () => import("./pair-view.js"),
  rank: () => import("./pair-view.js"),
  distribution: () => import("./distribution-view.js"),
  timeline: () => import("./timeline-view.js"),
};

const PICTURES = {
  pareto: (store) => html`<pareto-view class="stack" .store=${store}></pareto-view>`,
  slice: (store) => html`<slice-view .store=${store}></slice-view>`,
  contour: (store) => html`<pair-view kind="contour" .store=${store}></pair-view>`,
  rank: (store) => html`<pair-view kind="rank" .store=${store}></pair-view>`,
  distribution: (store) => html`<distribution-view .store=${store}></distribution-view>`,
  timeline: (store) => html`<timeline-view .store=${store}></timeline-view>`,
};

class AnalysisTab extends Piece {
  static properties = { store: { attribute: false } };

  constructor() {
    super();
    this.isReady = later(MODULES, () => this.requestUpdate());
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(route, "change", () => this.requestUpdate());
    this.listen(this.store, "experiment", () => this.requestUpdate());
    this.listen(this.store, "points", () => this.requestUpdate());
    this.listen(this.store, "metric", () => this.requestUpdate());
  }

  /** The front only where there are several objectives. */
  get views() {
    const isSeveral = this.store.experiment.objectives?.length > 1;
    return VIEWS.filter(([name]) => name !== "pareto" || isSeveral);
  }

  render() {
    const { views } = this;
    const asked = route.current.query.get("view");
    const view = views.some(([name]) => name === asked) ? asked : views[0][0];
    const { points } = this.store;
    const hasMetric = view !== "pareto" && view !== "timeline";
    return html`<div class="stack">
      <div class="toolbar">
        <div class="switch wrapping" role="group" aria-label="Picture">
          ${views.map(([name, label]) => html`<button type="button" aria-pressed=${name === view}
            @click=${() => setQuery({ view: name })}>${label}</button>`)}
        </div>
        ${hasMetric ? html`<div class="end">${metricChoice(this.store)}</div>` : nothing}
      </div>
      ${this.isReady(view) ? PICTURES[view](this.store) : html`<div class="card"><span class="bone w60"></span></div>`}
      ${hasMetric && view !== "distribution" && points?.isSample ? html`<p class="faint small">${count(points.rows.length)} of ${count(points.total)} trials drawn; the best and the extremes always are.</p>` : nothing}
    </div>`;
  }
}

define("analysis-tab", AnalysisTab);
