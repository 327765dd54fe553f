// Runs, the newest first, with filters; of one pipeline when it is named.
import { html, nothing } from "lit";
import { runs } from "../api/pipelines.js";
import { loadingRows } from "../experiments/list-states.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { route, setQuery } from "../shell/router.js";
import { runTable } from "./run-table.js";

const PAGE = 50;
const SLOW_MS = 4000;
const TYPING_MS = 250;
const STATUSES = ["ACCEPTED", "RUNNING", "PAUSED", "STOPPING", "SUCCEEDED", "FAILED", "STOPPED"];
const TEXTS = [
  ["q", "Run or pipeline"],
  ["owner", "Started by"],
  ["trigger", "Trigger"],
];

class RunsList extends Piece {
  static properties = { pipeline: {}, older: { state: true }, next: { state: true } };

  constructor() {
    super();
    this.older = [];
    this.next = null;
    this.poll = new Poll(
      this,
      async () => {
        const key = JSON.stringify(this.wanted);
        const page = await runs.list({ ...this.wanted, limit: PAGE });
        if (this.older.length === 0 && key === JSON.stringify(this.wanted)) {
          this.next = page.next;
        }
        return page.items;
      },
      { pauseMs: SLOW_MS, about: () => JSON.stringify(this.wanted) },
    );
    this.filter = settled((changes) => this.choose(changes), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.filter.cancel());
  }

  get wanted() {
    const { query } = route.current;
    return { pipeline: this.pipeline, status: query.get("status") ?? "", ...Object.fromEntries(TEXTS.map(([key]) => [key, query.get(key) ?? ""])) };
  }

  choose(changes) {
    setQuery(changes);
    this.older = [];
    this.next = null;
    this.requestUpdate();
  }

  async more() {
    const key = JSON.stringify(this.wanted);
    const page = await runs.list({ ...this.wanted, limit: PAGE, cursor: this.next });
    if (key === JSON.stringify(this.wanted)) {
      this.older = [...this.older, ...page.items];
      this.next = page.next;
    }
  }

  render() {
    const { answer, failure } = this.poll;
    const { wanted } = this;
    const texts = TEXTS.filter(([key]) => !(this.pipeline && key === "q"));
    const known = new Set((answer ?? []).map((run) => run.id));
    return html`
      <div class="toolbar filters">
        ${texts.map(([key, label]) => html`<input type="search" aria-label=${label} placeholder=${label} .value=${wanted[key]}
          @input=${(event) => this.filter({ [key]: event.target.value.trim() })}>`)}
        <select aria-label="Status" @change=${(event) => this.choose({ status: event.target.value })}>
          <option value="">Any status</option>${STATUSES.map((status) => html`<option value=${status} ?selected=${status === wanted.status}>${status.toLowerCase()}</option>`)}</select>
      </div>
      ${answer === null
        ? failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()
        : answer.length === 0
          ? html`<div class="card state"><p>${Object.entries(wanted).some(([key, value]) => key !== "pipeline" && value) ? "No run fits." : "It was not run yet."}</p></div>`
          : html`<div class="card flush">${runTable([...answer, ...this.older.filter((run) => !known.has(run.id))], { shows: this.pipeline ? "parameters" : "pipeline" })}</div>`}
      ${this.next ? html`<p class="more"><button type="button" @click=${() => this.more()}>Show older ones</button></p>` : nothing}`;
  }
}

define("runs-list", RunsList);
