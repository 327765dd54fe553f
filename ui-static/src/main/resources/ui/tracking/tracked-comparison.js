// Tracked runs side by side, trials among them: the curves of their metrics, and what differs.
import { html, nothing } from "lit";
import { tracking } from "../api/tracking.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { pill } from "../kit/status.js";
import { addressIn, navigate, route, setQuery } from "../shell/router.js";
import { drawable, isDrawable } from "./drawable.js";
import { idOf, keysOf, lasts, metricsOf, parametersOf, trialLink, value } from "./run-parts.js";
import "../charts/curves-chart.js";

const MOST_COMPARED = 10;
const MOST_CURVES = 8;

class TrackedComparison extends Piece {
  static properties = { runs: { state: true }, missing: { state: true }, curves: { state: true }, failure: { state: true }, showsAll: { state: true } };

  constructor() {
    super();
    this.runs = null;
    /** The runs that could not be had: {id, message}. */
    this.missing = [];
    this.curves = [];
    this.failure = null;
    this.showsAll = false;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Compare runs · Orrery";
    this.listen(route, "change", () => this.load());
    this.load();
  }

  get ids() {
    return [...new Set(route.current.query.getAll("r"))].slice(0, MOST_COMPARED);
  }

  async load() {
    const { ids } = this;
    try {
      const answers = await Promise.allSettled(ids.map((id) => tracking.run(id)));
      const runs = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
      const missing = answers.flatMap(({ status, reason }, at) => (status === "rejected" ? [{ id: ids[at], message: reason.message }] : []));
      const curves = await Promise.all(keysOf(runs, metricsOf).slice(0, MOST_CURVES).map(async (key) => ({ key, lines: await linesOf(runs, key) })));
      if (ids.join() === this.ids.join()) {
        this.runs = runs;
        this.missing = missing;
        this.curves = curves;
        this.failure = null;
      }
    } catch (refusal) {
      if (ids.join() === this.ids.join()) {
        this.failure = refusal;
      }
    }
  }

  render() {
    return html`<div class="page-head"><h1>Compare runs</h1>
        <div class="end"><a class="button" href="#/tracking">${icon("previous")}All tracked experiments</a></div></div>
      ${this.body()}`;
  }

  /** The curves that have a line. */
  get drawn() {
    return this.curves.map(({ key, lines }) => ({ key, lines: lines.filter(isDrawable) })).filter(({ lines }) => lines.length > 0);
  }

  body() {
    if (this.ids.length === 0) {
      return html`<div class="card state"><h2>Nothing to compare yet</h2><p>Tick two or more runs in a list.</p></div>`;
    }
    if (this.failure) {
      return html`<p class="fault">${this.failure.message}</p>`;
    }
    if (this.runs === null) {
      return html`<div class="card"><span class="bone w60"></span></div>`;
    }
    const absent = this.missing.map(({ id, message }) => html`<p class="fault" role="alert">Run ${id} is not shown: ${message}</p>`);
    if (this.runs.length === 0) {
      return html`<div class="stack">${absent}</div>`;
    }
    return html`<div class="stack">
      ${absent}
      ${this.drawn.length === 0 ? nothing : html`<section class="card"><header><h2>Curves</h2></header><div class="pair-of-charts">${this.drawn.map(
        ({ key, lines }) => html`<div data-series=${key}>
          <h3>${key}${lines.length === 1 ? html` <span class="faint small">of ${lines[0].label}</span>` : nothing}</h3>
          <curves-chart size="low" across="Step" .says=${`${key} of the runs by step`} .curves=${drawable(lines)}
            @trial=${(event) => navigate(addressIn("tracked", event.detail))}></curves-chart></div>`,
      )}</div></section>`}
      ${this.table()}</div>`;
  }

  table() {
    const { runs } = this;
    const line = (label, cells, plain) => {
      const differs = new Set(plain.map((it) => JSON.stringify(it))).size > 1;
      return !this.showsAll && !differs ? nothing : html`<tr class=${differs ? "differs" : "same"} data-line=${label}><th
        scope="row">${label}</th>${cells.map((cell) => html`<td class="number wrap">${cell}</td>`)}</tr>`;
    };
    const always = (label, cells) => html`<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>`;
    const part = (of, show) => keysOf(runs, of).map((key) => {
      const values = runs.map((run) => of(run)[key]);
      return line(key, values.map(show), values);
    });
    return html`<section class="card"><header><h2>Side by side</h2><div class="end"><label class="small toolbar"><input type="checkbox"
        .checked=${!this.showsAll} @change=${(event) => (this.showsAll = !event.target.checked)}>Only what differs</label></div></header>
      <div class="differences" tabindex="0" role="region" aria-label="Runs side by side"><table>
        <thead><tr><td></td>${runs.map((run) => html`<th scope="col"><a href=${addressIn("tracked", idOf(run))}>${run.info.run_name}</a>
          <button type="button" class="plain small square" aria-label="Take ${run.info.run_name} out"
            @click=${() => setQuery({ r: this.ids.filter((id) => id !== idOf(run)) })}>${icon("close")}</button></th>`)}</tr></thead>
        <tbody>
          ${always("Status", runs.map((run) => pill(run.info.status)))}
          ${always("By", runs.map((run) => run.info.user_id))}
          ${always("Started", runs.map((run) => html`<span title=${fullTime(run.info.start_time)}>${time(run.info.start_time)}</span>`))}
          ${always("Duration", runs.map((run) => lasts(run.info)))}
          ${always("Trial", runs.map(trialLink))}
          ${part(metricsOf, value)} ${part(parametersOf, (it) => it ?? "–")}
        </tbody></table></div></section>`;
  }
}

/** A line of each run that has the metric; one whose points cannot be had, as of a run that was just deleted, has none. */
const linesOf = async (runs, key) => {
  const answers = await Promise.allSettled(
    runs
      .filter((run) => key in metricsOf(run))
      .map(async (run) => ({ trial: idOf(run), label: run.info.run_name, points: (await tracking.history(idOf(run), key)).points })),
  );
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
};

define("tracked-comparison", TrackedComparison);
