// The runs of one tracked experiment or several, filtered and sorted as clients of MLflow do.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { tracking } from "../api/tracking.js";
import { loadingRows } from "../experiments/list-states.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { addressIn, route, setQuery } from "../shell/router.js";
import { idOf, keysOf, lasts, metricsOf, parametersOf, trialLink, value } from "./run-parts.js";

const PAGE = 50;
const SLOW_MS = 5000;
const TYPING_MS = 400;
const MOST_COLUMNS = 4;
const MOST_COMPARED = 10;
const STANDARD = [
  ["", "Newest first"],
  ["start_time ASC", "Oldest first"],
  ["run_name ASC", "Name"],
  ["status ASC", "Status"],
];

class TrackedRuns extends Piece {
  static properties = { ids: {}, ticked: { state: true }, older: { state: true }, next: { state: true } };

  constructor() {
    super();
    this.ticked = [];
    this.older = [];
    this.next = null;
    this.poll = new Poll(this, () => this.first(), { pauseMs: SLOW_MS, about: () => this.subject });
    this.filter = settled((text) => this.choose({ filter: text }), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Tracked runs · Orrery";
    this.keep(() => this.filter.cancel());
  }

  willUpdate(changed) {
    if (changed.has("ids")) {
      this.experiments = null;
      this.ticked = [];
      this.older = [];
      this.next = null;
    }
  }

  get wanted() {
    const { query } = route.current;
    const order = query.get("order") ?? "";
    return { experiments: this.ids.split(","), filter: query.get("filter") ?? "", order: order ? [order] : [], limit: PAGE };
  }

  get subject() {
    return JSON.stringify(this.wanted);
  }

  async first() {
    const { subject } = this;
    this.experiments ??= await Promise.all(this.ids.split(",").map((id) => tracking.experiment(id)));
    const page = await tracking.runs(this.wanted);
    if (this.older.length === 0 && subject === this.subject) {
      this.next = page.next_page_token ?? null;
    }
    return page.runs ?? [];
  }

  choose(changes) {
    this.older = [];
    this.next = null;
    setQuery(changes);
    this.requestUpdate();
  }

  async more() {
    const { subject } = this;
    const page = await tracking.runs({ ...this.wanted, token: this.next });
    if (subject === this.subject) {
      this.older = [...this.older, ...page.runs];
      this.next = page.next_page_token ?? null;
    }
  }

  tick(id) {
    const { ticked } = this;
    this.ticked = ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id];
  }

  render() {
    const { answer, failure } = this.poll;
    if (this.experiments === null && (answer === null || failure?.status === 404)) {
      return notShown(failure, "experiment", this.ids, ["#/tracking", "All tracked experiments"]);
    }
    const names = this.experiments.map((one) => one.name);
    document.title = `${names.join(", ")} · Orrery`;
    return html`<div class="page-head"><h1>${names.length > 1 ? `Runs of ${names.length} experiments` : names[0]}</h1>
        <div class="end">${this.comparison()}<a class="button" href="#/tracking">${icon("previous")}All tracked experiments</a></div></div>
      ${names.length > 1 ? html`<p class="soft small">${names.join(", ")}</p>` : nothing}
      ${this.body(answer, failure)}`;
  }

  comparison() {
    const { length } = this.ticked;
    if (length === 0) {
      return nothing;
    }
    return html`<button type="button" class="plain" @click=${() => (this.ticked = [])}>Untick</button>
      ${length < 2 || length > MOST_COMPARED
        ? html`<span class="soft small hint">${length < 2 ? "Tick another one to compare" : `At most ${MOST_COMPARED} can be compared`}</span>`
        : html`<a class="button" href="#/compare-tracked?${new URLSearchParams(this.ticked.map((id) => ["r", id]))}">Compare ${length}</a>`}`;
  }

  body(answer, failure) {
    const { wanted } = this;
    const known = new Set((answer ?? []).map(idOf));
    const runs = [...(answer ?? []), ...this.older.filter((run) => !known.has(idOf(run)))];
    return html`
      <div class="toolbar filters"><label class="search grow">${icon("search")}<span class="unseen">Filter</span>
          <input type="search" spellcheck="false" placeholder="metrics.loss < 0.3 AND params.optimizer = 'Adam'" .value=${wanted.filter}
            aria-invalid=${failure?.status === 400} @input=${(event) => this.filter(event.target.value.trim())}></label>
        ${this.orders(runs, wanted.order[0] ?? "")}</div>
      ${failure ? html`<p class="fault" role="alert">${failure.message}</p>` : nothing}
      ${answer === null
        ? failure ? nothing : loadingRows()
        : runs.length === 0
          ? html`<div class="card state"><p>${wanted.filter ? "No run fits." : "There is no run in it yet."}</p></div>`
          : this.table(runs)}
      ${this.next ? html`<p class="more"><button type="button" @click=${() => this.more()}>Show more</button></p>` : nothing}`;
  }

  orders(runs, order) {
    const keys = [...keysOf(runs, metricsOf).map((key) => `metrics.\`${key}\``), ...keysOf(runs, parametersOf).map((key) => `params.\`${key}\``)];
    const options = [...STANDARD, ...keys.flatMap((key) => [[`${key} ASC`, `${words(key)}, lowest first`], [`${key} DESC`, `${words(key)}, highest first`]])];
    return html`<select aria-label="Order" @change=${(event) => this.choose({ order: event.target.value })}>
      ${[...options, ...(options.some(([key]) => key === order) ? [] : [[order, order]])].map(
        ([key, text]) => html`<option value=${key} ?selected=${key === order}>${text}</option>`,
      )}</select>`;
  }

  table(runs) {
    const metrics = keysOf(runs, metricsOf).slice(0, MOST_COLUMNS);
    const parameters = keysOf(runs, parametersOf).slice(0, MOST_COLUMNS);
    return html`<div class="card flush sideways" tabindex="0" role="region" aria-label="Runs"><table class="objects" aria-label="Runs">
      <thead><tr><th><span class="unseen">Tick</span></th><th>Run</th><th>Status</th><th>By</th><th>Started</th><th class="right">Duration</th>
        ${metrics.map((key) => html`<th class="right">${key}</th>`)}${parameters.map((key) => html`<th>${key}</th>`)}</tr></thead>
      <tbody>${repeat(runs, idOf, (run) => this.row(run, metrics, parameters))}</tbody></table></div>`;
  }

  row(run, metrics, parameters) {
    const { info } = run;
    const values = metricsOf(run);
    const set = parametersOf(run);
    return html`<tr data-run=${info.run_id}>
      <td class="tick"><input type="checkbox" aria-label="Tick ${info.run_name} to compare" .checked=${this.ticked.includes(info.run_id)}
        @change=${() => this.tick(info.run_id)}></td>
      <td class="who"><a class="name" href=${addressIn("tracked", info.run_id)}>${info.run_name}</a><span class="small">${trialLink(run)}</span></td>
      <td>${pill(info.status)}</td>
      <td class="small soft" data-label="By">${info.user_id}</td>
      <td class="small soft number" data-label="Started" title=${fullTime(info.start_time)}>${time(info.start_time)}</td>
      <td class="right small soft number" data-label="Duration">${lasts(info)}</td>
      ${metrics.map((key) => html`<td class="right number" data-label=${key} title=${values[key] ?? ""}>${value(values[key])}</td>`)}
      ${parameters.map((key) => html`<td class="small" data-label=${key}><span class="clip" title=${set[key] ?? ""}>${set[key] ?? "–"}</span></td>`)}</tr>`;
  }
}

const words = (key) => key.replace(/^\w+\.`(.*)`$/, "$1");

define("tracked-runs", TrackedRuns);
