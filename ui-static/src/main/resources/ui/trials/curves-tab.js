// Intermediate results of many trials at once.
import { html, nothing } from "lit";
import { experiments, trials } from "../api.js";
import { paced, settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { route, setQuery } from "../shell/router.js";
import { metricChoice } from "./metric-choice.js";
import { isRange, passes, rangeOf, textOf } from "./ranges.js";
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
const TYPING_MS = 300;

class CurvesTab extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    curves: { state: true },
    which: { state: true },
    many: { state: true },
    logarithmic: { state: true },
    reports: { state: true },
    values: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.curves = null;
    this.which = recall("curves.which", "best");
    this.many = recall("curves.many", 20);
    this.logarithmic = recall("curves.log", false);
    this.reports = rangeOf("");
    this.values = rangeOf("");
  }

  connectedCallback() {
    super.connectedCallback();
    this.load = paced(() => this.read(), REFRESH_MS);
    this.listen(this.store, "reload", this.load);
    this.listen(this.store, "metrics", this.load);
    this.listen(this.store, "metric", () => this.read());
    this.listen(this.store, "points", () => this.requestUpdate());
    this.listen(this.selection, "change", this.load);
    this.listen(route, "change", () => this.readRanges());
    this.later = settled(() => setQuery({ reports: textOf(this.reports), values: textOf(this.values) }), TYPING_MS);
    this.keep(this.load.cancel);
    this.keep(this.later.cancel);
    this.readRanges();
    this.load();
  }

  /** The address has them; what is being typed is in it soon. */
  readRanges() {
    const { query } = route.current;
    const reports = query.get("reports") ?? "";
    const isOther = reports !== this.asked;
    if (textOf(this.reports) !== reports) {
      this.reports = rangeOf(reports);
    }
    if (textOf(this.values) !== (query.get("values") ?? "")) {
      this.values = rangeOf(query.get("values") ?? "");
    }
    if (isOther && this.asked !== undefined) {
      this.read();
    }
    this.asked = reports;
  }

  get wanted() {
    return `${this.which} ${this.many} ${this.store.metric.key} ${textOf(this.reports)}`;
  }

  async read() {
    const { key } = this.store.metric;
    const { wanted } = this;
    const { from, to } = isRange(this.reports) ? this.reports : {};
    try {
      const items = await this.choose();
      const found = await experiments.curves(this.store.id, items.map((trial) => trial.id), { maxPoints: POINTS, key, from, to });
      if (wanted !== this.wanted) {
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
    const drawn = this.curves?.filter((curve) => curve.points.length > 0) ?? [];
    const kept = isRange(this.values) ? drawn.filter((curve) => passes(curve.points, this.values)) : drawn;
    return html`<section class="card">
      <header>
        <h2>Intermediate results</h2><span class="faint small number" role="status">${kept.length < drawn.length ? `${kept.length} of ` : ""}${drawn.length} trials</span>
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
      ${this.ranges()}
      ${this.failure
        ? html`<p class="fault">${this.failure.message}</p>`
        : html`<curves-chart size="high" .curves=${kept} .logarithmic=${this.logarithmic}
          @trial=${(event) => setQuery({ trial: event.detail })}
            empty=${this.curves === null ? "Loading…" : this.says(drawn)}></curves-chart>`}
      <p class="faint small">Click a line for its trial; hold Ctrl and turn the wheel to zoom.</p>
    </section>`;
  }

  says(drawn) {
    if (drawn.length > 0) {
      return "No curve of these trials passes there.";
    }
    return textOf(this.reports) ? "None of these trials has reported there." : "None of these trials has reported intermediate results.";
  }

  /** Which part of the curves is drawn, and which curves: those with a value in the range, in that part. */
  ranges() {
    const end = (range, name, label, hint) => html`<input inputmode="decimal" aria-label=${label} placeholder=${hint}
      aria-invalid=${!Number.isFinite(Number(this[range][name]))} .value=${this[range][name]}
      @input=${(event) => this.narrow(range, { [name]: event.target.value.trim() })}>`;
    return html`<div class="toolbar ranges">
      <span class="range" role="group" aria-label="Reports"><span>Reports</span>${end("reports", "from", "First report", "first")}<span
        class="faint">–</span>${end("reports", "to", "Last report", "last")}</span>
      <span class="range" role="group" aria-label="Values"><span>Values</span>${end("values", "from", "Value at least", "at least")}<span
        class="faint">–</span>${end("values", "to", "Value at most", "at most")}</span>
      ${textOf(this.reports) || textOf(this.values) ? html`<button type="button" class="plain small"
        @click=${() => setQuery({ reports: null, values: null })}>All curves</button>` : nothing}
    </div>`;
  }

  narrow(name, change) {
    this[name] = { ...this[name], ...change };
    if (isRange(this[name])) {
      this.later();
    } else {
      this.later.cancel();
    }
  }
}

define("curves-tab", CurvesTab);
