// Ticked trials side by side: their curves, and their parameters with the differences marked.
import { html, nothing } from "lit";
import { experiments, trials } from "../api.js";
import { duration, lasted, number, parameter } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { pill } from "../kit/status.js";
import { swatch } from "../kit/swatch.js";
import { addressOf, setQuery } from "../shell/router.js";
import "../charts/curves-chart.js";

const REFRESH_MS = 2000;

class CompareTab extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    items: { state: true },
    curves: { state: true },
    onlyDifferent: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.items = null;
    this.curves = [];
  }

  connectedCallback() {
    super.connectedCallback();
    const load = paced(() => this.load(), REFRESH_MS);
    const mine = (id) => this.selection.has(id);
    this.listen(this.selection, "change", load);
    this.listen(this.store, "reload", load);
    this.listen(this.store, "trials", ({ detail }) => detail.some((trial) => mine(trial.id)) && load());
    this.listen(this.store, "metrics", ({ detail }) => detail.some((point) => mine(point.trial)) && load());
    this.keep(load.cancel);
    load();
  }

  async load() {
    const ids = this.selection.trials;
    try {
      const [items, curves] = await Promise.all([Promise.all(ids.map((id) => trials.get(this.store.id, id))), experiments.curves(this.store.id, ids, { maxPoints: 500 })]);
      this.items = items;
      this.curves = curves.map((curve, at) => ({
        trial: ids[at],
        label: `No. ${items[at].sequenceId} · ${ids[at]}`,
        points: curve.points.filter((point) => point.attempt === items[at].attempt).map((point) => [point.sequence, point.value]),
      }));
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    if (this.selection.size === 0) {
      return html`<div class="card state"><h2>Nothing to compare yet</h2>
        <p>Tick two or more trials in the table, or take the best ones.</p>
        <div class="toolbar"><a class="button" href=${addressOf(this.store.id, "trials")}>To the trials</a>
          <button type="button" class="primary" @click=${this.takeBest}>Compare the best five</button></div></div>`;
    }
    if (this.failure) {
      return html`<p class="fault">${this.failure.message}</p>`;
    }
    return html`<div class="stack">
      <section class="card"><header><h2>Intermediate results</h2></header>
        <curves-chart .curves=${this.curves} @trial=${(event) => setQuery({ trial: event.detail })}
          empty="None of them has reported intermediate results."></curves-chart></section>
      <section class="card"><header><h2>Side by side</h2>
          <div class="end"><label class="small toolbar"><input type="checkbox"
            @change=${(event) => (this.onlyDifferent = event.target.checked)}>Only what differs</label>
            <button type="button" class="small" @click=${() => this.selection.clear()}>Untick all</button></div></header>
        ${this.items ? this.table() : html`<span class="bone w60"></span>`}</section>
    </div>`;
  }

  takeBest() {
    const ranked = this.store.points?.ranked(this.store.isHighGood) ?? [];
    this.selection.replace(ranked.slice(0, 5).map((row) => row.trial));
  }

  table() {
    const { items } = this;
    const names = [...new Set(items.flatMap((trial) => Object.keys(trial.parameters)))];
    const metrics = [...new Set(items.flatMap((trial) => Object.keys(trial.metricDocument ?? {})))].filter((name) => name !== "default");
    const line = (label, cells, plain = cells) => {
      const differs = new Set(plain.map((value) => JSON.stringify(value))).size > 1;
      return this.onlyDifferent && !differs ? nothing : html`<tr
        class=${differs ? "differs" : "same"}><th scope="row">${label}${differs ? html`<span
        class="unseen"> (differs)</span>` : nothing}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>`;
    };
    return html`<div class="differences" tabindex="0"><table>
      <thead><tr><th></th>${items.map(
        (trial, at) => html`<th scope="col">${swatch(at)}<button type="button"
          class="link code" @click=${() => setQuery({ trial: trial.id })}>${trial.id}</button>
          <button type="button" class="plain small square" aria-label="Take ${trial.id} out"
            @click=${() => this.selection.toggle(trial.id)}>${icon("close")}</button></th>`,
      )}</tr></thead>
      <tbody>
        ${line("No.", items.map((trial) => trial.sequenceId))}
        ${line("Status", items.map((trial) => pill(trial.status)), items.map((trial) => trial.status))}
        ${line("Metric", items.map((trial) => number(trial.metric)), items.map((trial) => trial.metric))}
        ${metrics.map((name) => line(name, items.map((trial) => number(trial.metricDocument?.[name])), items.map((trial) => trial.metricDocument?.[name])))}
        ${line("Duration", items.map((trial) => duration(lasted(trial))))}
        ${names.map((name) => line(name, items.map((trial) => parameter(trial.parameters[name])), items.map((trial) => trial.parameters[name])))}
      </tbody>
    </table></div>`;
  }
}

define("compare-tab", CompareTab);
