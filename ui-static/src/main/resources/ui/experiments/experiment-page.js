// One experiment: its head, its tabs, and the panel of a trial beside them.
import { html, nothing } from "lit";
import { later } from "../kit/later.js";
import { Piece, define } from "../kit/piece.js";
import { shortcuts } from "../shell/keyboard.js";
import { addressOf, navigate, route, setQuery } from "../shell/router.js";
import { Selection } from "../trials/selection.js";
import { ExperimentStore } from "./experiment-store.js";
import { experimentHead } from "./experiment-head.js";
import "./overview-tab.js";
import "../trials/trials-tab.js";
import "../trials/trial-panel.js";

const TABS = [
  ["overview", "Overview"],
  ["trials", "Trials"],
  ["parameters", "Parameters"],
  ["curves", "Curves"],
  ["analysis", "Analysis"],
  ["compare", "Compare"],
  ["configuration", "Configuration"],
  ["log", "Log"],
];

const MODULES = {
  parameters: () => import("../trials/parameters-tab.js"),
  curves: () => import("../trials/curves-tab.js"),
  analysis: () => import("../analysis/analysis-tab.js"),
  compare: () => import("../trials/compare-tab.js"),
  configuration: () => import("./configuration-tab.js"),
  log: () => import("../log/server-log.js"),
};

const VIEWS = {
  overview: (store, selection) => html`<overview-tab .store=${store} .selection=${selection}></overview-tab>`,
  trials: (store, selection) => html`<trials-tab .store=${store} .selection=${selection}></trials-tab>`,
  parameters: (store, selection) => html`<parameters-tab .store=${store} .selection=${selection}></parameters-tab>`,
  curves: (store, selection) => html`<curves-tab .store=${store} .selection=${selection}></curves-tab>`,
  analysis: (store) => html`<analysis-tab .store=${store}></analysis-tab>`,
  compare: (store, selection) => html`<compare-tab .store=${store} .selection=${selection}></compare-tab>`,
  configuration: (store) => html`<configuration-tab .store=${store}></configuration-tab>`,
  log: (store) => html`<server-log .store=${store}></server-log>`,
};

class ExperimentPage extends Piece {
  static properties = { experimentId: {}, tab: {}, gone: { state: true } };

  constructor() {
    super();
    this.isReady = later(MODULES, () => this.requestUpdate());
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(route, "change", () => this.requestUpdate());
    this.keep(() => this.store?.close());
    const go = (tab) => () => navigate(addressOf(this.experimentId, tab));
    this.keep(
      shortcuts("Experiment", {
        ...Object.fromEntries(TABS.map(([tab, label], at) => [String(at + 1), [label, go(tab)]])),
        Escape: ["Close the trial", () => route.current.query.get("trial") !== null && setQuery({ trial: null })],
      }),
    );
  }

  willUpdate(changed) {
    if (changed.has("experimentId")) {
      this.store?.close();
      this.gone = false;
      this.selection = new Selection(this.experimentId);
      this.store = new ExperimentStore(this.experimentId);
      this.store.addEventListener("experiment", () => this.requestUpdate());
      this.store.addEventListener("gone", () => (this.gone = true));
      this.selection.addEventListener("change", () => this.requestUpdate());
      this.store.open();
    }
  }

  /** On a narrow screen the present tab may lie beyond the edge. */
  updated() {
    if (this.shownTab !== this.tab) {
      const link = this.querySelector(".tabs [aria-current=page]");
      link?.scrollIntoView({ block: "nearest", inline: "nearest" });
      this.shownTab = link ? this.tab : null;
    }
  }

  async leaveAfter(removal) {
    if (await removal()) {
      navigate("#/");
    }
  }

  render() {
    const { experiment, failure } = this.store;
    if (this.gone) {
      return html`<div class="state"><h1>No such experiment</h1><p>There is no experiment <code>${this.experimentId}</code>: it was deleted, or the address is wrong.</p><a class="button" href="#/">All experiments</a></div>`;
    }
    if (!experiment) {
      return failure
        ? html`<div class="state"><h1>The experiment cannot be shown</h1><p>${failure.message}</p></div>`
        : html`<div class="state" role="status"><span class="spinner"></span><span class="unseen">Loading</span></div>`;
    }
    document.title = `${experiment.name || experiment.id} · Orrery`;
    const trial = route.current.query.get("trial");
    return html`
      <div class="experiment-head">
        ${experimentHead(experiment, (name, run) => (name === "remove" ? this.leaveAfter(run) : this.store.ask(run)))}
        <nav class="tabs" aria-label="Experiment">
          ${TABS.map(
            ([tab, label]) => html`<a href=${addressOf(this.experimentId, tab)}
              aria-current=${tab === this.tab ? "page" : "false"}>
              ${label}${tab === "compare" && this.selection.size > 0 ? html` <span
                class="badge">${this.selection.size}</span>` : nothing}</a>`,
          )}
        </nav>
      </div>
      ${this.isReady(this.tab) ? VIEWS[this.tab](this.store, this.selection) : nothing}
      ${trial ? html`<trial-panel .store=${this.store} .trialId=${trial} .selection=${this.selection}></trial-panel>` : nothing}
    `;
  }
}

define("experiment-page", ExperimentPage);
