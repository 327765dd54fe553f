// What clients of MLflow log to, and the searches of this server beside it.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ownExperiment, tracking } from "../api/tracking.js";
import { loadingRows } from "../experiments/list-states.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { chosen } from "../people/chosen-project.js";
import { addressIn, route, setQuery } from "../shell/router.js";

const PAGE = 100;
const SLOW_MS = 10_000;
const TYPING_MS = 250;
const MOST_TICKED = 20;

class TrackingPage extends Piece {
  static properties = { ticked: { state: true }, older: { state: true }, next: { state: true } };

  constructor() {
    super();
    this.ticked = [];
    this.older = [];
    this.next = null;
    this.poll = new Poll(this, () => this.first(), { pauseMs: SLOW_MS, about: () => this.subject });
    this.search = settled((text) => this.look(text), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Tracked runs · Orrery";
    this.listen(chosen, "change", () => this.requestUpdate());
    this.keep(() => this.search.cancel());
  }

  get text() {
    return route.current.query.get("q") ?? "";
  }

  get subject() {
    return JSON.stringify([this.text, chosen.name]);
  }

  get wanted() {
    const text = this.text.replaceAll("'", "''");
    return { filter: text ? `name ILIKE '%${text}%'` : "", limit: PAGE };
  }

  async first() {
    const { subject } = this;
    const page = await tracking.experiments(this.wanted);
    if (this.older.length === 0 && subject === this.subject) {
      this.next = page.next_page_token ?? null;
    }
    return page.experiments ?? [];
  }

  look(text) {
    this.older = [];
    this.next = null;
    setQuery({ q: text });
    this.requestUpdate();
  }

  async more() {
    const { subject } = this;
    const page = await tracking.experiments({ ...this.wanted, token: this.next });
    if (subject === this.subject) {
      this.older = [...this.older, ...page.experiments];
      this.next = page.next_page_token ?? null;
    }
  }

  tick(id) {
    const { ticked } = this;
    this.ticked = ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id].slice(-MOST_TICKED);
  }

  render() {
    return html`<div class="page-head"><h1>Tracked runs</h1><div class="end">
        ${this.ticked.length > 0 ? html`<button type="button" class="plain" @click=${() => (this.ticked = [])}>Untick</button>
          <a class="button" href=${addressIn("tracking", this.ticked.join(","))}>Runs of ${this.ticked.length}</a>` : nothing}
        <a class="button" href="#/">${icon("previous")}All experiments</a></div></div>
      ${this.body()}`;
  }

  body() {
    const { answer, failure } = this.poll;
    // The field is there before the answer, or it would go while one types in it.
    return html`
      <div class="toolbar filters"><label class="search">${icon("search")}<span class="unseen">Search experiments</span>
        <input type="search" placeholder="Name" .value=${this.text} @input=${(event) => this.search(event.target.value.trim())}></label></div>
      ${answer !== null ? this.found(answer) : failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()}`;
  }

  found(answer) {
    const known = new Set(answer.map((one) => one.experiment_id));
    const items = [...answer, ...this.older.filter((one) => !known.has(one.experiment_id))];
    return html`
      ${items.length === 0 ? html`<div class="card state"><p>${this.text ? "No experiment fits." : "There is no experiment in this project."}</p></div>` : html`<div
        class="card flush"><table class="objects" aria-label="Experiments">
        <thead><tr><th><span class="unseen">Tick</span></th><th>Name</th><th>Runs are</th><th>Created</th><th>Changed</th></tr></thead>
        <tbody>${repeat(items, (one) => one.experiment_id, (one) => this.row(one))}</tbody></table></div>`}
      ${this.next ? html`<p class="more"><button type="button" @click=${() => this.more()}>Show older ones</button></p>` : nothing}
      <p class="more soft small">Programs that log to MLflow appear here: set <code>MLFLOW_TRACKING_URI</code> to the address of this server.</p>`;
  }

  row(one) {
    const id = one.experiment_id;
    return html`<tr data-experiment=${id}>
      <td class="tick"><input type="checkbox" aria-label="Tick ${one.name}" .checked=${this.ticked.includes(id)} @change=${() => this.tick(id)}></td>
      <td class="who"><a class="name" href=${addressIn("tracking", id)}>${one.name}</a></td>
      <td class="small soft">${ownExperiment(id) === null ? "logged by clients" : html`trials of <a href=${addressIn("experiments", ownExperiment(id))}>this search</a>`}</td>
      <td class="small soft number" data-label="Created" title=${fullTime(one.creation_time)}>${time(one.creation_time)}</td>
      <td class="small soft number" data-label="Changed" title=${fullTime(one.last_update_time)}>${time(one.last_update_time)}</td></tr>`;
  }
}

define("tracking-page", TrackingPage);
