// All trials: found, sorted, ticked.
import { html, nothing } from "lit";
import { experiments } from "../api.js";
import { count } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { menu } from "../kit/menu.js";
import { paced, settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { TRIAL_STATUSES, statusWord } from "../kit/status.js";
import { addressOf, route, setQuery } from "../shell/router.js";
import { chooseColumn, chosenColumns, columnsFor, fieldsOf } from "./columns.js";
import { killAll, retryAll, takesRetries } from "./trial-commands.js";
import { ReportCounts } from "./report-counts.js";
import { optionsOf } from "./search-space.js";
import { TrialRows } from "./trial-rows.js";
import "./filter-editor.js";
import "./tensorboard-menu.js";
import "./trial-table.js";

const REFRESH_MS = 1500;
const TYPING_MS = 250;
const NEWEST_FIRST = "-sequenceId";

class TrialsTab extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    rows: { state: true },
    hasNew: { state: true },
  };

  constructor() {
    super();
    this.search = settled((text) => setQuery({ q: text }), TYPING_MS);
    this.refresh = paced(() => this.rows.refresh(), REFRESH_MS);
    this.metricNames = new Set();
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "experiment", () => this.requestUpdate());
    this.listen(this.store, "points", () => this.requestUpdate());
    this.listen(this.store, "reload", () => this.refresh());
    this.counts = new ReportCounts(this.store.id);
    this.listen(this.counts, "change", () => this.renew());
    this.listen(this.store, "metrics", ({ detail }) => this.counts.renew(detail.map((point) => point.trial)));
    this.listen(this.store, "trials", ({ detail }) => this.put(detail));
    this.listen(this.store, "annotated", ({ detail }) => this.putTags(detail));
    this.listen(this.selection, "change", () => this.requestUpdate());
    this.listen(route, "change", () => this.read());
    this.keep(() => (this.rows.close(), this.refresh.cancel(), this.search.cancel(), this.counts.close()));
    this.read();
  }

  get wanted() {
    const query = route.current.query;
    return { sort: query.get("sort") ?? NEWEST_FIRST, status: query.get("status") ?? "", q: query.get("q") ?? "", where: query.getAll("where") };
  }

  read() {
    if (route.current.tab !== "trials") {
      return;
    }
    const key = JSON.stringify(this.wanted);
    if (key !== this.key) {
      this.key = key;
      this.rows?.close();
      this.rows = new TrialRows(this.store.id, this.wanted);
      this.rows.addEventListener("change", () => this.loaded());
      this.hasNew = false;
    }
    this.requestUpdate();
  }

  loaded() {
    for (let at = 0; at < 20 && this.rows.row(at); at++) {
      Object.keys(this.rows.row(at).metricDocument ?? {}).forEach((name) => name !== "default" && this.metricNames.add(name));
    }
    this.hasTags ||= this.rows.some((row) => row.tags?.length > 0);
    this.renew();
  }

  renew() {
    this.requestUpdate();
    this.querySelector("trial-table")?.requestUpdate();
  }

  /** A short list is read again, so that it stays sorted; of a long one the rows in sight change where they are. */
  put(items) {
    const all = this.rows.put(items);
    if (this.rows.isComplete) {
      this.refresh();
    } else if (!all) {
      this.hasNew = true;
    }
    this.renew();
  }

  putTags({ trial, tags }) {
    if (trial !== null) {
      this.hasTags ||= tags.length > 0;
      this.put([{ id: trial, tags }]);
    }
  }

  render() {
    const keys = this.store.points?.keys.filter((name) => name !== "default") ?? [];
    const columns = columnsFor(this.parameters, [...new Set([...keys, ...this.metricNames])].sort(), this.counts, this.hasTags);
    const { sort, status, q, where } = this.wanted;
    const known = this.rows.count;
    const isEmpty = this.rows.isLoaded && known === 0;
    return html`
      <div class="toolbar filters">
        <label class="search">${icon("search")}<span class="unseen">Search trials</span>
          <input type="search" placeholder="Id, status or parameter" .value=${q}
            @input=${(event) => this.search(event.target.value)}></label>
        <select aria-label="Status" @change=${(event) => setQuery({ status: event.target.value })}>
          <option value="">Status: any</option>
          ${TRIAL_STATUSES.map((name) => html`<option value=${name} ?selected=${name === status}>${statusWord(name)}</option>`)}
        </select>
        <filter-editor .fields=${fieldsOf(columns)} .where=${where}
          @where=${(event) => setQuery({ where: event.detail })}></filter-editor>
        ${this.columnMenu(columns)}
        <span class="faint small number" role="status">${this.rows.isLoaded ? `${count(known)} trial${known === 1 ? "" : "s"}` : ""}</span>
        ${this.hasNew ? html`<button type="button" class="small"
          @click=${() => ((this.hasNew = false), this.rows.refresh())}>Show new ones</button>` : nothing}
        <div class="end"><tensorboard-menu .store=${this.store} .selection=${this.selection}></tensorboard-menu>
          ${this.selection.size > 0 ? this.together() : this.downloads()}</div>
      </div>
      ${isEmpty ? this.nothingHere() : nothing}
      <div class="card flush" ?hidden=${isEmpty}>
        <trial-table .rows=${this.rows} .columns=${chosenColumns(columns)} .sort=${sort}
          .open=${route.current.query.get("trial")}
          .selection=${this.selection} @sort=${(event) => setQuery({ sort: event.detail })} @open-trial=${(event) => setQuery({ trial: event.detail })}></trial-table>
      </div>
      ${this.rows.failure ? html`<p class="fault">${this.rows.failure.message}</p>` : nothing}
    `;
  }

  get parameters() {
    const { experiment, points } = this.store;
    const space = experiment.config?.searchSpace ?? {};
    const names = new Set([...Object.keys(space), ...(points?.parameterNames ?? [])]);
    const sample = points?.rows.slice(0, 20) ?? [];
    return [...names].map((name) => ({
      name,
      isText: sample.some((row) => typeof row.parameters?.[name] === "string"),
      options: optionsOf(space[name]),
    }));
  }

  columnMenu(columns) {
    const shown = new Set(chosenColumns(columns));
    return menu(
      html`${icon("columns")}Columns`,
      columns.filter((column) => !column.fixed).map(
        (column) => html`<label><input type="checkbox" .checked=${shown.has(column)}
          @change=${(event) => (chooseColumn(column, event.target.checked), this.renew())}>${column.label}</label>`,
      ),
      { title: "Columns", side: "left" },
    );
  }

  downloads() {
    const id = this.store.id;
    return html`<a class="button plain" href=${experiments.exportAddress(id, "csv")}
      download="${id}.csv">${icon("download")}CSV</a>
      <a class="button plain" href=${experiments.exportAddress(id, "json")} download="${id}.json">${icon("download")}JSON</a>`;
  }

  together() {
    const chosen = this.selection.trials;
    return html`<span class="small soft">${chosen.length} ticked</span>
      <a class="button primary" href=${addressOf(this.store.id, "compare")}>Compare</a>
      <button type="button" @click=${() => killAll(this.store.id, chosen)}>${icon("kill")}Kill</button>
      ${takesRetries(this.store.experiment) ? html`<button type="button" @click=${() => retryAll(this.store.id, chosen)}>${icon("retry")}Retry</button>` : nothing}
      <button type="button" class="plain" @click=${() => this.selection.clear()}>Untick</button>`;
  }

  nothingHere() {
    const { status, q, where } = this.wanted;
    return status || q || where.length > 0
      ? html`<div class="card state"><p>No trial fits.</p><button type="button"
        @click=${() => setQuery({ status: null, q: null, where: [] })}>Show all</button></div>`
      : html`<div class="card state"><h2>No trials yet</h2><p>They appear here when the tuner has made its first suggestions.</p></div>`;
  }
}

define("trials-tab", TrialsTab);
