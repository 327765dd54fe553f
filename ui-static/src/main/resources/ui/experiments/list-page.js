// All experiments, newest first.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { tagsOf } from "../annotations/tag-list.js";
import { experiments } from "../api.js";
import { MOST_COMPARED } from "../comparison/limits.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { EXPERIMENT_STATUSES, statusWord } from "../kit/status.js";
import { News } from "../live/news.js";
import { Stream } from "../live/stream.js";
import { chosen } from "../people/chosen-project.js";
import { shortcuts } from "../shell/keyboard.js";
import { navigate, route, setQuery, addressOf } from "../shell/router.js";
import { emptyList, loadingRows } from "./list-states.js";
import { experimentRow } from "./list-row.js";
import { DATES, matches, PERIODS } from "./list-filter.js";
import { restoreFrom } from "./transfer.js";

const PAGE = 200;

class ExperimentList extends Piece {
  static properties = { items: { state: true }, next: { state: true }, failure: { state: true }, at: { state: true }, ticked: { state: true } };

  #news = new News();

  constructor() {
    super();
    this.items = null;
    this.next = null;
    this.at = -1;
    this.ticked = [];
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Experiments · Orrery";
    const stream = new Stream(null);
    this.listen(stream, "reload", () => this.load());
    this.listen(stream, "experiment", ({ detail }) => this.heard(detail));
    this.listen(stream, "annotated", ({ detail: { id, tags } }) => this.heard({ id, tags }));
    this.listen(stream, "deleted", ({ detail }) => this.drop(detail.id));
    this.listen(route, "change", () => this.requestUpdate());
    this.keep(
      shortcuts("Experiments", {
        n: ["New experiment", () => navigate("#/new")],
        j: ["Next", () => this.step(1)],
        k: ["Previous", () => this.step(-1)],
      }),
    );
    stream.open();
    this.keep(() => stream.close());
  }

  async load() {
    try {
      await this.#news.during(() => experiments.list({ limit: PAGE }), (page, newer, news) => {
        this.items = page.items.map(newer).filter(Boolean);
        this.next = page.next;
        this.failure = null;
        news.forEach((told) => told && this.put(told));
      });
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  async more() {
    await this.#news.during(() => experiments.list({ limit: PAGE, cursor: this.next }), (page, newer) => {
      const known = new Set(this.items.map((item) => item.id));
      this.items = [...this.items, ...page.items.filter((item) => !known.has(item.id)).map(newer).filter(Boolean)];
      this.next = page.next;
    });
  }

  heard(told) {
    this.#news.note(told.id, told);
    if (this.items !== null) {
      this.put(told);
    }
  }

  /** Takes over what the server said of an experiment: changes its row, or adds one for a new experiment. */
  put(told) {
    const isKnown = this.items.some((item) => item.id === told.id);
    if (isKnown) {
      this.items = this.items.map((item) => (item.id === told.id ? { ...item, ...told } : item));
    } else if (told.status && (!chosen.name || told.project === chosen.name)) {
      this.items = [told, ...this.items];
    }
  }

  async carryOut(id, name, run) {
    if (name === "remove") {
      if (await run()) {
        this.drop(id);
      }
      return;
    }
    await this.#news.during(run, (answer, newer) => {
      const now = answer && newer(answer);
      if (now) {
        this.put(now);
      }
    });
  }

  drop(id) {
    this.#news.note(id, null);
    this.items = this.items?.filter((item) => item.id !== id) ?? null;
    this.ticked = this.ticked.filter((other) => other !== id);
  }

  tick(id) {
    const { ticked } = this;
    this.ticked = ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id];
  }

  step(by) {
    const links = [...this.querySelectorAll("a.name")];
    const at = links.indexOf(document.activeElement);
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  }

  render() {
    const wanted = {
      text: route.current.query.get("q") ?? "",
      status: route.current.query.get("status") ?? "",
      platform: route.current.query.get("platform") ?? "",
      tag: route.current.query.get("tag") ?? "",
      since: route.current.query.get("since") ?? "",
      from: route.current.query.get("from") ?? "",
      to: route.current.query.get("to") ?? "",
    };
    return html`
      <div class="page-head">
        <h1>Experiments</h1>
        <div class="end">${this.comparison()}<a class="button primary" href="#/new">${icon("add")}New experiment</a><label
          class="button">Restore…<input class="unseen" type="file" accept=".zip,.ndjson"
          @change=${(event) => restoreFrom(event.target)}></label><a class="button" href="#/tracking">Tracked runs</a></div>
      </div>
      ${this.items?.length ? this.filters(wanted) : nothing} ${this.body(wanted)}
    `;
  }

  comparison() {
    const { length } = this.ticked;
    if (length === 0) {
      return nothing;
    }
    return html`<button type="button" class="plain" @click=${() => (this.ticked = [])}>Untick</button>
      ${length < 2 || length > MOST_COMPARED
        ? html`<span class="soft small hint">${length < 2 ? "Tick another one to compare" : `At most ${MOST_COMPARED} can be compared`}</span>`
        : html`<a class="button" href="#/compare?${new URLSearchParams(this.ticked.map((id) => ["e", id]))}">Compare ${length}</a>`}`;
  }

  filters(wanted) {
    const tags = tagsOf(this.items);
    const platforms = [...new Set(this.items.map((item) => item.platform))].sort();
    const choice = (name, label, options) => html`<select aria-label=${label}
      @change=${(event) => setQuery({ [name]: event.target.value })}>
      <option value="">${label}: any</option>
      ${options.map(([value, text]) => html`<option value=${value} ?selected=${wanted[name] === value}>${text}</option>`)}
    </select>`;
    return html`<div class="toolbar filters">
      <label class="search">${icon("search")}<span class="unseen">Search</span>
        <input type="search" placeholder="Name or id" .value=${wanted.text}
          @input=${(event) => setQuery({ q: event.target.value })}></label>
      ${choice("status", "Status", EXPERIMENT_STATUSES.map((status) => [status, statusWord(status)]))}
      ${platforms.length > 1 ? choice("platform", "Platform", platforms.map((name) => [name, name])) : nothing}
      ${tags.length > 0 || wanted.tag ? choice("tag", "Tag", [...new Set([...tags, wanted.tag].filter(Boolean))].map((tag) => [tag, tag])) : nothing}
      ${choice("since", "Created", PERIODS)}
      ${wanted.since === DATES ? html`<span class="range" role="group" aria-label="Created">${this.day("from", "First day", wanted)}<span
        class="faint">–</span>${this.day("to", "Last day", wanted)}</span>` : nothing}
    </div>`;
  }

  day(name, label, wanted) {
    return html`<input type="date" aria-label=${label} .value=${wanted[name]} @change=${(event) => setQuery({ [name]: event.target.value })}>`;
  }

  body(wanted) {
    if (this.items === null) {
      return this.failure ? html`<div class="state"><p>${this.failure.message}</p></div>` : loadingRows();
    }
    if (this.items.length === 0) {
      return emptyList();
    }
    const shown = this.items.filter((item) => matches(item, wanted));
    if (shown.length === 0) {
      return html`<div class="state"><p>No experiment fits these filters.</p>
        <button type="button" @click=${() => setQuery({ q: null, status: null, platform: null, tag: null, since: null, from: null, to: null })}>Show all</button></div>`;
    }
    return html`
      <div class="card flush">
        <table class="experiments" aria-label="Experiments">
          <thead>
            <tr><th class="tick"><span class="unseen">Ticked</span></th><th>Name</th><th>Status</th><th>Progress</th><th class="right">Best</th><th>Tuner</th><th>Started</th><th
              class="right">Duration</th><th><span class="unseen">Actions</span></th></tr>
          </thead>
          <tbody>
            ${repeat(shown, (item) => item.id, (item) => experimentRow(item, {
              isTicked: this.ticked.includes(item.id),
              tick: () => this.tick(item.id),
              open: () => navigate(addressOf(item.id)),
              carryOut: (name, run) => this.carryOut(item.id, name, run),
            }))}
          </tbody>
        </table>
      </div>
      ${this.next ? html`<p class="more"><button type="button" @click=${this.more}>Show older ones</button></p>` : nothing}
    `;
  }
}

define("experiment-list", ExperimentList);
