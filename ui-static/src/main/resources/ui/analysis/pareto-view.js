// The Pareto front of an experiment of several objectives: its trials, and the hypervolume that it has reached.
import { html, nothing } from "lit";
import { experiments } from "../api.js";
import { count, finite, number, parameter } from "../kit/format.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { setQuery } from "../shell/router.js";
import { hypervolume, hypervolumeHistory, minimized, worst } from "./hypervolume.js";
import "./pareto-chart.js";
import "./steps-chart.js";

const REFRESH_MS = 5000;
const MOST_POINTS = 10_000;
const MOST_MEMBERS = 1000;
const MOST_LISTED = 100;
/** The exact volume of three and more objectives takes time with the cube of the front. */
const MOST_FOR_VOLUME = 150;

class ParetoView extends Piece {
  static properties = { store: { attribute: false }, front: { state: true }, rows: { state: true }, pair: { state: true }, failure: { state: true } };

  constructor() {
    super();
    this.pair = [0, 1];
  }

  connectedCallback() {
    super.connectedCallback();
    const load = paced(() => this.load(), REFRESH_MS);
    this.listen(this.store, "points", load);
    this.keep(load.cancel);
    load();
  }

  get objectives() {
    return this.store.experiment.objectives.map((objective, at) => ({ ...objective, at }));
  }

  async load() {
    const { id } = this.store;
    try {
      const [front, ...columns] = await Promise.all([
        experiments.front(id, MOST_MEMBERS),
        ...this.objectives.map(({ metric, goal }) => experiments.points(id, { maxPoints: MOST_POINTS, key: metric, mode: goal })),
      ]);
      this.rows = joined(columns);
      this.front = front;
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    if (this.failure && !this.front) {
      return html`<p class="fault">${this.failure.message}</p>`;
    }
    if (!this.front) {
      return html`<section class="card"><span class="bone w60"></span></section>`;
    }
    const { objectives } = this;
    const axes = this.pair.map((at) => objectives[at]);
    const members = new Set(this.front.items.map((member) => member.trial));
    return html`<section class="card">
        <header><h2>Pareto front</h2>
          <span class="faint small number" role="status">${count(this.front.total)} of ${count(this.front.trials)} trials are on it</span>
          ${objectives.length > 2 ? html`<div class="end">${this.axisChoice(0, "Across")}${this.axisChoice(1, "Up")}</div>` : nothing}</header>
        <pareto-chart .rows=${this.rows} .members=${members} .axes=${axes}
          @trial=${(event) => setQuery({ trial: event.detail }, { step: true })}></pareto-chart>
      </section>
      ${this.volume(objectives)} ${this.list(objectives)}`;
  }

  axisChoice(side, name) {
    return html`<select aria-label=${name} @change=${(event) => (this.pair = this.pair.with(side, Number(event.target.value)))}>
      ${this.objectives.map(({ metric, at }) => html`<option value=${at} ?selected=${at === this.pair[side]}>${name}: ${metric}</option>`)}
    </select>`;
  }

  /** The volume between the front and the worst number of each objective. */
  volume(objectives) {
    const goals = objectives.map((objective) => objective.goal);
    const points = this.rows.filter((row) => row.values.every(Number.isFinite)).map((row) => minimized(row.values, goals));
    if (points.length === 0) {
      return nothing;
    }
    const reference = worst(points);
    const members = this.front.items.map((member) => minimized(objectives.map(({ metric }) => member.values[metric]), goals));
    const isExact = objectives.length === 2 || members.length <= MOST_FOR_VOLUME;
    const history = objectives.length === 2 ? hypervolumeHistory(points, reference) : [];
    const value = isExact ? hypervolume(members, reference) : null;
    const corner = objectives.map(({ metric, goal }, at) => `${metric} ${number(goal === "maximize" ? -reference[at] : reference[at])}`).join(", ");
    return html`<section class="card">
      <header><h2>Hypervolume</h2><b class="number" data-hypervolume>${value === null ? "" : number(value)}</b></header>
      ${history.length > 0
        ? html`<steps-chart .lines=${[{ name: "Hypervolume", steps: history.map(([at, volume]) => [at + 1, volume]), last: points.length }]} x="Results" size="low"></steps-chart>`
        : nothing}
      <p class="faint small">${value === null ? `It is worked out for fronts of at most ${MOST_FOR_VOLUME} trials.` : `Measured from the worst results: ${corner}.`}</p>
    </section>`;
  }

  list(objectives) {
    const { items, total } = this.front;
    if (items.length === 0) {
      return nothing;
    }
    const names = [...new Set(items.flatMap((member) => Object.keys(member.parameters)))];
    return html`<section class="card"><header><h2>Trials on the front</h2></header>
      <div class="scroll-box" tabindex="0"><table class="compact front">
        <thead><tr><th>No.</th><th>Trial</th>${objectives.map(({ metric }) => html`<th class="right">${metric}</th>`)}${names.map((name) => html`<th class="right">${name}</th>`)}</tr></thead>
        <tbody>${items.slice(0, MOST_LISTED).map(
          (member) => html`<tr><td class="number soft">${member.sequenceId}</td><td><button type="button" class="link code"
            @click=${() => setQuery({ trial: member.trial }, { step: true })}>${member.trial}</button></td>
            ${objectives.map(({ metric }) => html`<td class="right number" title=${member.values[metric]}>${number(member.values[metric])}</td>`)}
            ${names.map((name) => html`<td class="right number">${parameter(member.parameters[name])}</td>`)}</tr>`,
        )}</tbody></table></div>
      ${total > MOST_LISTED ? html`<p class="faint small">The first ${MOST_LISTED} of ${count(total)}.</p>` : nothing}</section>`;
  }
}

/** One row for each trial that all answers have: {trial, sequenceId, values}. */
function joined(columns) {
  const [first, ...others] = columns;
  const found = others.map((column) => new Map(column.trial.map((trial, at) => [trial, finite(column.metric[at])])));
  return first.trial
    .map((trial, at) => ({ trial, sequenceId: first.sequenceId[at], values: [finite(first.metric[at]), ...found.map((values) => values.get(trial) ?? null)] }))
    .filter((row) => row.values.some(Number.isFinite))
    .sort((a, b) => a.sequenceId - b.sequenceId);
}

define("pareto-view", ParetoView);
