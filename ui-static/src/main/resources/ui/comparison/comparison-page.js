// Several experiments on one page: the course of each search, their parameters, and the settings that differ.
import { html, nothing } from "lit";
import { experiments } from "../api.js";
import { tagList } from "../annotations/tag-list.js";
import { count, duration, fullTime, lasted, number, parameter, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { pill } from "../kit/status.js";
import { swatch } from "../kit/swatch.js";
import { Stream } from "../live/stream.js";
import { addressOf, navigate, route, setQuery } from "../shell/router.js";
import { directionOf, isHighGood } from "../trials/direction.js";
import { Points } from "../trials/points.js";
import { commonParameters, courseOf, namesOf, settingsOf } from "./differences.js";
import { MOST_COMPARED } from "./limits.js";
import "../analysis/steps-chart.js";
import "../charts/parallel-chart.js";

const REFRESH_MS = 3000;
const MOST_POINTS = 1000;
/** The axis that tells the experiments apart. */
const WHOSE = "experiment";

class ComparisonPage extends Piece {
  static properties = { items: { state: true }, failure: { state: true }, showsAll: { state: true } };

  constructor() {
    super();
    this.items = null;
    this.showsAll = false;
  }

  get ids() {
    return [...new Set(route.current.query.getAll("e"))].slice(0, MOST_COMPARED);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Compare experiments · Orrery";
    const load = paced(() => this.load(), REFRESH_MS);
    const mine = ({ detail }) => this.ids.includes(detail.id) && load();
    const stream = new Stream(null);
    this.listen(stream, "reload", load);
    ["experiment", "annotated", "deleted"].forEach((kind) => this.listen(stream, kind, mine));
    this.listen(route, "change", () => this.load());
    stream.open();
    this.keep(() => (stream.close(), load.cancel()));
  }

  async load() {
    const ids = this.ids;
    try {
      const items = await Promise.all(ids.map(one));
      if (ids.join() === this.ids.join()) {
        this.items = items;
        this.lines = linesOf(items);
        this.rows = rowsOf(items);
        this.axes = [WHOSE, ...commonParameters(items.map((item) => item.points.rows))];
        this.failure = null;
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  takeOut(id) {
    setQuery({ e: this.ids.filter((other) => other !== id) });
  }

  render() {
    return html`<div class="page-head"><h1>Compare experiments</h1>
        <div class="end"><a class="button" href="#/">${icon("previous")}All experiments</a></div></div>
      ${this.body()}`;
  }

  body() {
    if (this.ids.length === 0) {
      return html`<div class="card state"><h2>Nothing to compare yet</h2><p>Tick two or more experiments in the list.</p>
        <a class="button primary" href="#/">To the list</a></div>`;
    }
    if (this.failure) {
      return html`<p class="fault">${this.failure.message}</p>`;
    }
    if (!this.items) {
      return html`<div class="card"><span class="bone w60"></span></div>`;
    }
    return html`<div class="stack">
      <section class="card"><header><h2>Best result so far</h2></header>
        <steps-chart .lines=${this.lines} x="Trial no." y="Best result so far" size="high"></steps-chart></section>
      ${this.parameters()} ${this.settings()}
    </div>`;
  }

  parameters() {
    if (this.axes.length === 1) {
      return html`<section class="card"><header><h2>Parameters</h2></header>
        <p class="hollow soft small">No parameter is in all of these experiments.</p></section>`;
    }
    const { points } = this.items[0];
    const isSample = this.items.some((item) => item.points.isSample);
    return html`<section class="card">
      <header><h2>Common parameters</h2><span class="legend">worse <i class="ramp"></i> better</span></header>
      <parallel-chart .rows=${this.rows} .axes=${this.axes} .isMaximized=${this.items[0].isHighGood} metric=${points.key === "default" ? "metric" : points.key}
        @order=${(event) => (this.axes = event.detail, this.requestUpdate())} @trial=${(event) => this.open(event.detail)}></parallel-chart>
      <p class="faint small">One line for each trial with a result${isSample ? `, ${count(this.rows.length)} of ${count(this.items.reduce((sum, item) => sum + item.points.total, 0))}` : ""}. Drag along an axis to keep the trials that pass there.</p>
    </section>`;
  }

  /** @param trial as a row names it: `<experiment> <trial>` */
  open(trial) {
    const [id, name] = trial.split(" ");
    navigate(addressOf(id, "overview", `trial=${encodeURIComponent(name)}`));
  }

  settings() {
    const experimentsShown = this.items.map((item) => item.experiment);
    const settings = settingsOf(experimentsShown.map((it) => it.config));
    const shown = this.showsAll ? settings : settings.filter((setting) => setting.differs);
    const line = (label, cells) => html`<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
    return html`<section class="card">
      <header><h2>Side by side</h2>
        <div class="end"><label class="small toolbar"><input type="checkbox" .checked=${!this.showsAll}
          @change=${(event) => (this.showsAll = !event.target.checked)}>Only settings that differ</label></div></header>
      <div class="differences" tabindex="0" role="region" aria-label="Settings side by side"><table>
        <thead><tr><td></td>${this.items.map(({ experiment, name }, at) => html`<th scope="col">${swatch(at)} <a href=${addressOf(experiment.id)}>${name}</a>
          <button type="button" class="plain small square" aria-label="Take ${name} out"
            @click=${() => this.takeOut(experiment.id)}>${icon("close")}</button></th>`)}</tr></thead>
        <tbody>
          ${line("Status", experimentsShown.map((it) => pill(it.status)))}
          ${line("Best", experimentsShown.map((it) => html`<b class="number" title=${it.best?.metric ?? ""}>${number(it.best?.metric)}</b>`))}
          ${line("Goal", experimentsShown.map((it) => directionOf(it, "default")))}
          ${line("Trials", this.items.map((item) => html`<span class="number">${count(item.points.total)}</span>`))}
          ${line("Duration", experimentsShown.map((it) => html`<span class="number">${duration(lasted(it))}</span>`))}
          ${line("Started", experimentsShown.map((it) => html`<span class="number" title=${fullTime(it.startedAt)}>${time(it.startedAt)}</span>`))}
          ${experimentsShown.some((it) => it.tags?.length) ? line("Tags", experimentsShown.map((it) => tagList(it.tags))) : nothing}
          ${shown.map(({ path, values, differs }) => html`<tr class=${differs ? "differs" : "same"} data-setting=${path}><th
            scope="row">${path}</th>${values.map((value) => html`<td class="code wrap">${parameter(value)}</td>`)}</tr>`)}
        </tbody>
      </table></div>
      ${shown.length === 0 ? html`<p class="faint small">Their configurations are the same.</p>` : nothing}
    </section>`;
  }
}

async function one(id) {
  const experiment = await experiments.get(id);
  const direction = directionOf(experiment, "default");
  const points = Points.of(await experiments.points(id, { maxPoints: MOST_POINTS, mode: direction }), "default");
  return { experiment, points, isHighGood: isHighGood(direction) };
}

function linesOf(items) {
  const names = namesOf(items.map((item) => item.experiment));
  items.forEach((item, at) => (item.name = names[at]));
  return items.map((item) => ({ name: item.name, ...courseOf(item.points.rows, item.isHighGood) }));
}

/** The trials with a result of all, each with the name of its experiment among its parameters. */
const rowsOf = (items) =>
  items.flatMap((item) =>
    item.points.rows
      .filter((row) => row.metric !== null)
      .map((row) => ({ ...row, trial: `${item.experiment.id} ${row.trial}`, parameters: { [WHOSE]: item.name, ...row.parameters } })),
  );

define("comparison-page", ComparisonPage);
