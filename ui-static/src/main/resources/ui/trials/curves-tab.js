// Intermediate results of many trials at once.
import { html } from "lit";
import { experiments, trials } from "../api.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { setQuery } from "../shell/router.js";
import { metricChoice } from "./metric-choice.js";
import "../charts/curves-chart.js";

const WHICH = [
  ["best", "Best"],
  ["newest", "Newest"],
  ["running", "Running"],
  ["ticked", "Ticked"],
];
const HOW_MANY = [10, 20, 50];
const REFRESH_MS = 3000;
const POINTS = 300;

class CurvesTab extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    curves: { state: true },
    which: { state: true },
    many: { state: true },
    logarithmic: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.curves = null;
    this.which = recall("curves.which", "best");
    this.many = recall("curves.many", 20);
    this.logarithmic = recall("curves.log", false);
  }

  connectedCallback() {
    super.connectedCallback();
    this.load = paced(() => this.read(), REFRESH_MS);
    this.listen(this.store, "reload", this.load);
    this.listen(this.store, "metrics", this.load);
    this.listen(this.store, "metric", () => this.read());
    this.listen(this.store, "points", () => this.requestUpdate());
    this.listen(this.selection, "change", this.load);
    this.keep(this.load.cancel);
    this.load();
  }

  async read() {
    const { key } = this.store.metric;
    const asked = `${this.which} ${this.many} ${key}`;
    try {
      const items = await this.choose();
      const found = await experiments.curves(this.store.id, items.map((trial) => trial.id), { maxPoints: POINTS, key });
      if (asked !== `${this.which} ${this.many} ${this.store.metric.key}`) {
        return;
      }
      this.curves = found.map((curve, at) => ({
        trial: curve.trial,
        label: `No. ${items[at].sequenceId} · ${curve.trial}`,
        points: curve.points.filter((point) => point.attempt === items[at].attempt).map((point) => [point.sequence, point.value]),
      }));
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  async choose() {
    const { id } = this.store;
    const page = (options) => trials.list(id, { limit: this.many, ...options });
    switch (this.which) {
      case "best":
        return this.bestOf(page);
      case "running":
        return (await page({ status: "RUNNING", sort: "-sequenceId" })).items;
      case "ticked":
        return Promise.all(this.selection.trials.map((trial) => trials.get(id, trial)));
      default:
        return (await page({ sort: "-sequenceId" })).items;
    }
  }

  /** Those with the best results; where there are few yet, others stand behind them. */
  async bestOf(page) {
    const best = (await page(this.store.bestFirst())).items;
    if (best.length === this.many) {
      return best;
    }
    const known = new Set(best.map((trial) => trial.id));
    const others = (await page({ sort: "-sequenceId" })).items.filter((trial) => !known.has(trial.id));
    return [...best, ...others].slice(0, this.many);
  }

  change(name, value) {
    this[name] = value;
    remember(`curves.${name}`, value);
    this.read();
  }

  render() {
    const drawn = this.curves?.filter((curve) => curve.points.length > 0).length ?? 0;
    return html`<section class="card">
      <header>
        <h2>Intermediate results</h2><span class="faint small number">${drawn} trials</span>
        <div class="end">
          <div class="switch" role="group" aria-label="Which trials">
            ${WHICH.map(([name, label]) => html`<button type="button" aria-pressed=${this.which === name}
              @click=${() => this.change("which", name)}>${label}</button>`)}
          </div>
          <select aria-label="How many" ?disabled=${this.which === "ticked"}
            @change=${(event) => this.change("many", Number(event.target.value))}>
            ${HOW_MANY.map((many) => html`<option value=${many} ?selected=${many === this.many}>${many}</option>`)}
          </select>
          ${metricChoice(this.store)}
          <button type="button" class="small plain" aria-pressed=${this.logarithmic}
            @click=${() => ((this.logarithmic = !this.logarithmic), remember("curves.log", this.logarithmic))}>Log scale</button>
        </div>
      </header>
      ${this.failure
        ? html`<p class="fault">${this.failure.message}</p>`
        : html`<curves-chart size="high" .curves=${this.curves ?? []} .logarithmic=${this.logarithmic}
          @trial=${(event) => setQuery({ trial: event.detail })}
            empty=${this.curves === null ? "Loading…" : "None of these trials has reported intermediate results."}></curves-chart>`}
      <p class="faint small">Click a line for its trial; hold Ctrl and turn the wheel to zoom.</p>
    </section>`;
  }
}

define("curves-tab", CurvesTab);
