// The audit log: every change, by whom, on what, and whether it was let.
import { html, nothing } from "lit";
import { audit, auditFile } from "../api/people.js";
import { loadingRows } from "../experiments/list-states.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { route, setQuery } from "../shell/router.js";

const PAGE = 100;
const TYPING_MS = 250;
const FILTERS = [
  ["user", "Person"],
  ["kind", "Kind"],
  ["name", "Object"],
  ["project", "Project"],
];

class AuditPage extends Piece {
  static properties = { items: { state: true }, next: { state: true }, failure: { state: true } };

  constructor() {
    super();
    this.items = null;
    this.next = null;
    this.failure = null;
    this.filter = settled(() => this.load(), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Audit · Orrery";
    this.keep(() => this.filter.cancel());
    this.load();
  }

  get wanted() {
    return Object.fromEntries(FILTERS.map(([key]) => [key, route.current.query.get(key) ?? ""]));
  }

  /** @param cursor of the page after what is shown; null to begin anew */
  async load(cursor = null) {
    const wanted = JSON.stringify(this.wanted);
    try {
      const page = await audit({ ...this.wanted, limit: PAGE, cursor });
      if (wanted === JSON.stringify(this.wanted)) {
        this.items = cursor ? [...this.items, ...page.items] : page.items;
        this.next = page.next;
        this.failure = null;
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    return html`
      <div class="page-head"><h1>Audit</h1><div class="end"><a class="button" href=${auditFile(this.wanted)} download="audit.ndjson">${icon("download")}As a file</a></div></div>
      <div class="toolbar filters">${FILTERS.map(([key, label]) => html`<input type="search" aria-label=${label} placeholder=${label} .value=${this.wanted[key]}
        @input=${(event) => (setQuery({ [key]: event.target.value.trim() }), this.filter())}>`)}</div>
      ${this.failure ? html`<div class="card state"><p>${this.failure.message}</p></div>` : this.items === null ? loadingRows() : this.items.length === 0
        ? html`<div class="card state"><p>Nothing was recorded that fits.</p></div>`
        : html`<div class="card flush"><table class="objects" aria-label="Audit">
            <thead><tr><th>When</th><th>Who</th><th>Did</th><th>On</th><th>Project</th><th>Result</th><th>Detail</th></tr></thead>
            <tbody>${this.items.map((one) => html`<tr>
              <td class="small number" title=${fullTime(one.at)}>${time(one.at)}</td>
              <td class="small" title=${one.from ?? ""}>${one.user}</td>
              <td class="small">${one.action}</td>
              <td class="small">${one.kind} <b>${one.name}</b></td>
              <td class="small soft">${one.project}</td>
              <td class="small ${one.result === "done" ? "soft" : "bad"}">${one.result}</td>
              <td class="small soft wrap">${one.detail}</td></tr>`)}</tbody></table></div>`}
      ${this.next ? html`<p class="more"><button type="button" @click=${() => this.load(this.next)}>Show older ones</button></p>` : nothing}`;
  }
}

define("audit-page", AuditPage);
