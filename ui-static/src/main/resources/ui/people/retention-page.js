// How long old objects are kept: the rules, what they would remove now, and what the last pass has removed.
import { html, nothing } from "lit";
import { retention } from "../api/people.js";
import { loadingRows } from "../experiments/list-states.js";
import { confirm } from "../kit/confirm.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { attempt, attemptAnew } from "../shell/toasts.js";

const PAUSE_MS = 5000;
class RetentionPage extends Piece {
  static properties = { preview: { state: true } };

  constructor() {
    super();
    this.preview = null;
    this.rules = new Poll(this, () => retention.list(), { pauseMs: PAUSE_MS });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Retention · Orrery";
  }

  days(form) {
    const text = new FormData(form).get("days").trim();
    return text === "" ? null : Number(text);
  }

  async save(event, kind) {
    event.preventDefault();
    await attemptAnew(this.rules, () => retention.put(kind, this.days(event.target)), "Saved; it counts from the next night");
  }

  async show(form, kind) {
    const days = this.days(form);
    this.preview = await attempt(() => retention.preview(days === null ? { kind } : { kind, keepDays: days }));
  }

  async run() {
    if (await confirm({ title: "Remove what is old now?", text: "The rules that are saved count.", action: "Remove" })) {
      await attemptAnew(this.rules, () => retention.run(), "Old objects are being removed");
    }
  }

  render() {
    const { answer, failure } = this.rules;
    return html`
      <div class="page-head"><h1>Retention</h1><div class="end">
        <button type="button" @click=${() => this.run()}>${icon("trash")}Remove now</button></div></div>
      ${answer === null
        ? failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()
        : html`<div class="stack">${answer.items.map((rule) => this.rule(rule))}
          <p class="small soft">Old objects are removed at 01:00 in the time zone of the server.</p>
          ${this.preview === null ? nothing : previewed(this.preview)}</div>`}`;
  }

  rule({ kind, title, note, leastDays, keepDays, changedBy, changedAt, last }) {
    return html`<form class="card stack" aria-label=${title} @submit=${(event) => this.save(event, kind)}>
      <div><h2>${title}</h2><p class="small soft">${note}</p></div>
      <div class="inline">
        <label class="field"><span>Days</span>
          <input type="number" name="days" min=${leastDays} max="36500" placeholder="kept" .value=${keepDays ?? ""}></label>
        <button>${icon("check")}Save</button>
        <button type="button" aria-label="Preview ${title}" @click=${(event) => this.show(event.target.closest("form"), kind)}>Preview</button>
      </div>
      <p class="small soft">
        ${changedBy ? html`Set by ${changedBy}, <span title=${fullTime(changedAt)}>${time(changedAt)}</span>.` : nothing}
        ${last ? html`Last pass <span title=${fullTime(last.at)}>${time(last.at)}</span>: ${last.removed} removed, ${last.kept} in use.` : "Not run yet."}
        ${last?.failure ? html`<span class="bad">${last.failure}</span>` : nothing}</p>
    </form>`;
  }
}

const previewed = ({ items, more }) => html`<section class="stack"><h2>What would be removed now</h2>
  ${items.length === 0
    ? html`<div class="card state"><p>Nothing is that old.</p></div>`
    : html`<div class="card flush"><table class="objects" aria-label="What would be removed now">
        <thead><tr><th>Name</th><th>Kind</th><th>Project</th><th>Since</th><th>Stays for</th></tr></thead>
        <tbody>${items.map((one) => html`<tr><td>${one.name}</td><td class="small">${one.kind}</td><td class="small soft">${one.project ?? "–"}</td>
          <td class="small number" title=${fullTime(one.since)}>${time(one.since)}</td><td class="small soft wrap">${one.usedBy ?? ""}</td></tr>`)}</tbody></table></div>`}
  ${more ? html`<p class="small">There are more than these.</p>` : nothing}</section>`;

define("retention-page", RetentionPage);
