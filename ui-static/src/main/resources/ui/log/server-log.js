// What the server noted: all of it, or what concerns one experiment.
import { html, nothing } from "lit";
import { log } from "../api.js";
import { download } from "../kit/download.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";

const REFRESH_MS = 2000;
const AT_ONCE = 1000;
const LEVELS = [
  ["", "All levels"],
  ["WARN", "Warnings and errors"],
  ["ERROR", "Errors"],
];
const TONES = { ERROR: "bad", WARN: "warn" };

class ServerLog extends Piece {
  /** `store` of the experiment that is meant; without one, the whole log. */
  static properties = {
    store: { attribute: false },
    lines: { state: true },
    level: { state: true },
    search: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.lines = null;
    this.level = "";
    this.search = "";
  }

  connectedCallback() {
    super.connectedCallback();
    const load = paced(() => this.load(), REFRESH_MS);
    if (this.store) {
      this.listen(this.store, "reload", load);
      this.listen(this.store, "experiment", load);
      this.listen(this.store, "trials", load);
    } else {
      document.title = "Server log · Orrery";
    }
    this.keep(load.cancel);
    load();
  }

  async load() {
    try {
      const answer = await log({ experiment: this.store?.id, level: this.level, limit: AT_ONCE });
      this.lines = answer.items;
      this.since = answer.since;
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  choose(level) {
    this.level = level;
    this.load();
  }

  render() {
    const wanted = this.search.toLowerCase();
    const lines = this.lines?.filter((line) => `${line.level} ${line.source} ${line.message}`.toLowerCase().includes(wanted)) ?? [];
    return html`
      <div class="toolbar filters">
        <label class="search">${icon("search")}<span class="unseen">Only lines with</span>
          <input type="search" placeholder="Only lines with…" @input=${(event) => (this.search = event.target.value)}></label>
        <select aria-label="Level" @change=${(event) => this.choose(event.target.value)}>
          ${LEVELS.map(([level, label]) => html`<option value=${level} ?selected=${level === this.level}>${label}</option>`)}
        </select>
        <button type="button" @click=${this.load}>${icon("retry")}Read again</button>
        <div class="end"><button type="button" class="plain" ?disabled=${lines.length === 0}
          @click=${() => download(`${this.store?.id ?? "orrery"}.log`, text(lines), "text/plain")}>${icon("download")}Download</button></div>
      </div>
      ${this.failure
        ? html`<div class="card state"><p>${this.failure.message}</p></div>`
        : this.lines === null
          ? html`<div class="card"><span class="bone w60"></span></div>`
          : lines.length === 0
            ? html`<div class="card state"><h2>${this.lines.length === 0 ? "Nothing was noted" : "No line fits"}</h2>
                <p>${this.lines.length === 0 ? "Starts, ends and everything that goes wrong stand here." : ""}</p></div>`
            : this.table(lines)}
      ${this.since ? html`<p class="faint small below">Newest first, since ${fullTime(this.since)}. What trials write stands in each trial's own log.</p>` : nothing}
    `;
  }

  table(lines) {
    return html`<div class="card flush"><table class="log-lines" aria-label="Log">
      <tbody>${lines.map(
        (line) => html`<tr class=${TONES[line.level] ?? ""}><td class="faint number" title=${fullTime(line.time)}>${time(line.time)}</td><td
          class="level">${line.level}</td><td class="message"><span class="faint">${line.source}</span> ${line.message}</td></tr>`,
      )}</tbody>
    </table></div>`;
  }
}

const text = (lines) =>
  lines
    .toReversed()
    .map((line) => `${line.time} ${line.level} ${line.source} - ${line.message}\n`)
    .join("");

define("server-log", ServerLog);
