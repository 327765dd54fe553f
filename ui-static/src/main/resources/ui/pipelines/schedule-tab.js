// The schedule of a pipeline: when it is due, what was due, and what waits and why.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { dueRuns, schedules } from "../api/pipelines.js";
import { confirm } from "../kit/confirm.js";
import { count, fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { addressIn } from "../shell/router.js";
import { attempt } from "../shell/toasts.js";
import { alertTable } from "./alert-table.js";
import "./schedule-form.js";

const PAUSE_MS = 2000;
const SHOWN = 100;
const ALERTS = 10;
const OVER = ["FAILED", "STOPPED"];

class ScheduleTab extends Piece {
  static properties = { name: {}, past: { state: true }, fault: { state: true } };

  constructor() {
    super();
    this.past = null;
    this.fault = null;
    this.poll = new Poll(
      this,
      async () => {
        const [schedule, due] = await Promise.all([schedules.find(this.name), dueRuns.list({ pipeline: this.name, limit: SHOWN })]);
        return { schedule, due: due.items, more: due.next !== null };
      },
      { pauseMs: PAUSE_MS, about: () => this.name },
    );
  }

  async act(action, done) {
    await attempt(action, done);
    await this.poll.now();
  }

  async erase() {
    const agreed = await confirm({
      title: `Remove the schedule of ${this.name}?`,
      text: "Due runs that wait are skipped. Runs that are under way go on.",
      action: "Remove",
    });
    if (agreed) {
      await this.act(() => schedules.remove(this.name), "Schedule removed");
    }
  }

  /** Shows what a backfill would create; a second press creates it. */
  async look(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const span = { from: instant(data.get("from")), to: instant(data.get("to")) };
    this.fault = null;
    try {
      this.past = { span, items: (await schedules.backfill(this.name, span, true)).items };
    } catch (refusal) {
      this.past = null;
      this.fault = (refusal.errors[0] ?? refusal).message;
    }
  }

  async backfill() {
    const { span, items } = this.past;
    this.past = null;
    await this.act(() => schedules.backfill(this.name, span, false), `${count(items.length)} due runs created`);
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null) {
      return html`<div class="card state" role="status">${failure ? html`<p>${failure.message}</p>` : html`<span class="spinner"></span>`}</div>`;
    }
    const { schedule, due, more } = answer;
    return html`<div class="with-side">
      <div class="stack">
        ${due.length === 0
          ? html`<div class="card state"><p>Nothing was due yet.</p></div>`
          : html`<div class="card flush">${this.table(due)}</div>`}
        ${schedule?.alerts.length > 0 ? alertTable(schedule.alerts.slice(-ALERTS).reverse()) : nothing}
        ${more ? html`<p class="soft small">The last ${count(SHOWN)} are shown.</p>` : nothing}
      </div>
      <aside class="stack">
        <schedule-form class="card" .name=${this.name} .schedule=${schedule} @saved=${() => this.poll.now()}></schedule-form>
        ${schedule === null ? nothing : this.commands(schedule)}
      </aside>
    </div>`;
  }

  commands(schedule) {
    return html`<section class="card stack"><header><h2>${schedule.paused ? "Paused" : "Next"}</h2></header>
        ${schedule.paused
          ? html`<p class="soft small">What becomes due now is not made up for.</p>`
          : html`<ul class="plain-list next">${schedule.upcoming.map((at) => html`<li title=${at}>${fullTime(at)}</li>`)}</ul>`}
        <div class="toolbar">
          ${schedule.paused
            ? html`<button type="button" @click=${() => this.act(() => schedules.resume(this.name), "Resumed")}>${icon("play")}Resume</button>`
            : html`<button type="button" @click=${() => this.act(() => schedules.pause(this.name), "Paused")}>${icon("pause")}Pause</button>`}
          <button type="button" class="danger" @click=${this.erase}>${icon("trash")}Remove</button>
        </div></section>
      <form class="card stack" @submit=${this.look}><header><h2>Run the past</h2></header>
        <label class="field"><span>From</span><input type="datetime-local" name="from" required step="1"></label>
        <label class="field"><span>To</span><input type="datetime-local" name="to" required step="1"></label>
        ${this.fault ? html`<p class="fault" role="alert">${this.fault}</p>` : nothing}
        ${this.past === null ? nothing : this.preview()}
        <button>Preview</button></form>`;
  }

  preview() {
    const { items } = this.past;
    return items.length === 0
      ? html`<p class="soft small" role="status">Each instant of it has a due run.</p>`
      : html`<div role="status"><p class="small">${count(items.length)} instants, from ${fullTime(items[0])} to ${fullTime(items.at(-1))}</p>
          <button type="button" class="primary" @click=${this.backfill}>Create ${count(items.length)} due runs</button></div>`;
  }

  table(due) {
    return html`<table class="objects" aria-label="Due runs">
      <thead><tr><th>Due</th><th>Status</th><th>Run</th><th>Why</th><th><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${repeat(due, (one) => one.id, (one) => this.row(one))}</tbody></table>`;
  }

  row(due) {
    const isOver = OVER.includes(due.runStatus);
    const canSkip = due.status === "comed" || due.status === "refused" || (due.status === "created" && isOver);
    const canRepeat = due.status === "skipped" || due.status === "refused" || isOver || due.runStatus === "SUCCEEDED";
    return html`<tr data-due=${due.due}>
      <td class="who number" title=${due.due}>${fullTime(due.due)}</td>
      <td>${pill(due.status === "created" ? due.runStatus : LOOK[due.status])}</td>
      <td data-label="Run">${due.run ? html`<a class="code" href=${addressIn("runs", due.run)}>${due.run.slice(0, 8)}…</a>
        <span class="faint small">${time(due.submittedAt)}</span>` : nothing}</td>
      <td class="small soft" data-label="Why">${due.reason ?? nothing}</td>
      <td class="right">${canSkip
        ? html`<button type="button" class="plain" @click=${() => this.act(() => dueRuns.skip(due.id), "Skipped")}>Skip</button>` : nothing}
        ${canRepeat
          ? html`<button type="button" class="plain" @click=${() => this.act(() => dueRuns.again(due.id), "Runs again")}>Run again</button>` : nothing}</td>
    </tr>`;
  }
}

const LOOK = { comed: "WAITING", skipped: "SKIPPED", refused: "REFUSED" };

/** What a field of date and time says, in this browser's time zone. */
const instant = (text) => new Date(text).toISOString().replace(".000", "");

define("schedule-tab", ScheduleTab);
