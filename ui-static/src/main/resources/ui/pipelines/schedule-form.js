// Sets the schedule of a pipeline, and says while one types when it would be due or what is wrong.
import { html, nothing } from "lit";
import { schedules } from "../api/pipelines.js";
import { fullTime } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { attempt } from "../shell/toasts.js";

const WAIT_MS = 300;
const MISSED = [
  ["all", "Run each"],
  ["latest", "Run the latest"],
  ["none", "Run none"],
];

class ScheduleForm extends Piece {
  static properties = { name: {}, schedule: { attribute: false }, errors: { state: true }, upcoming: { state: true }, busy: { state: true } };

  #timer = null;
  #asked = 0;

  constructor() {
    super();
    this.errors = [];
    this.upcoming = [];
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), WAIT_MS);
  }

  async check() {
    const number = ++this.#asked;
    try {
      const { upcoming } = await schedules.put(this.name, this.written(), true);
      if (number === this.#asked) {
        this.errors = [];
        this.upcoming = upcoming;
      }
    } catch (refusal) {
      if (number === this.#asked) {
        this.errors = refusal.errors.length > 0 ? refusal.errors : [{ pointer: "", message: refusal.message }];
        this.upcoming = [];
      }
    }
  }

  written() {
    const data = new FormData(this.querySelector("form"));
    const from = data.get("from").trim();
    return {
      cron: data.get("cron").split("\n").map((line) => line.trim()).filter(Boolean),
      timeZone: data.get("timeZone").trim() || "UTC",
      ...(from ? { from } : {}),
      dependsOnPast: data.has("dependsOnPast"),
      maxActiveRuns: Number(data.get("maxActiveRuns")),
      keep: Number(data.get("keep")),
      missed: data.get("missed"),
    };
  }

  async save(event) {
    event.preventDefault();
    this.busy = true;
    await this.check();
    if (this.errors.length === 0 && (await attempt(() => schedules.put(this.name, this.written(), false), "Schedule saved")) !== null) {
      this.upcoming = [];
      this.dispatchEvent(new CustomEvent("saved"));
    }
    this.busy = false;
  }

  fault(key) {
    return this.errors.filter((error) => error.pointer === `/${key}`).map((error) => error.message).join(" ");
  }

  render() {
    const known = this.schedule;
    const keys = ["cron", "timeZone", "from", "maxActiveRuns", "keep", "missed"];
    const others = this.errors.filter((error) => !keys.includes(error.pointer.slice(1)));
    return html`<form class="stack" @submit=${this.save} @input=${this.typed}>
      <header><h2>${known === null ? "No schedule yet" : "Schedule"}</h2></header>
      ${this.field("cron", "Cron expressions, one in each line", html`<textarea class="code" name="cron" rows="2" required spellcheck="false"
        placeholder="0 3 * * 1-5" aria-invalid=${this.invalid("cron")} .defaultValue=${(known?.cron ?? []).join("\n")}></textarea>`)}
      ${this.field("timeZone", "Time zone", html`<input name="timeZone" list="zones" aria-invalid=${this.invalid("timeZone")}
        .defaultValue=${known?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}>
        <datalist id="zones">${Intl.supportedValuesOf("timeZone").map((zone) => html`<option value=${zone}></option>`)}</datalist>`)}
      ${this.upcoming.length === 0 ? nothing : html`<p class="small soft" role="status">Due ${this.upcoming.slice(0, 3).map(fullTime).join(" · ")}</p>`}
      <label class="check"><input type="checkbox" name="dependsOnPast" .defaultChecked=${known?.dependsOnPast ?? false}>
        <span class="small">Wait until the one before has succeeded</span></label>
      <details><summary class="small">More</summary><div class="stack">
        ${this.field("from", "Nothing is due before", html`<input name="from" placeholder="2026-11-01T00:00:00Z" aria-invalid=${this.invalid("from")}
          .defaultValue=${known?.from ?? ""}>`)}
        ${this.field("maxActiveRuns", "Runs at once", html`<input type="number" name="maxActiveRuns" min="1" max="1000" required
          .defaultValue=${String(known?.maxActiveRuns ?? 1)}>`)}
        ${this.field("keep", "Due runs kept when they are over", html`<input type="number" name="keep" min="1" max="10000" required
          .defaultValue=${String(known?.keep ?? 1000)}>`)}
        ${this.field("missed", "What was missed while the server was away", html`<select name="missed">${MISSED.map(
          ([value, label]) => html`<option value=${value} .defaultSelected=${value === (known?.missed ?? "all")}>${label}</option>`,
        )}</select>`)}
      </div></details>
      ${others.map((error) => html`<p class="fault" role="alert">${error.pointer} ${error.message}</p>`)}
      <button class="primary" ?disabled=${this.busy}>Save</button>
    </form>`;
  }

  invalid(key) {
    return this.fault(key) ? "true" : "false";
  }

  field(key, label, control) {
    return html`<label class="field"><span>${label}</span>${control}<span class="fault" role="alert">${this.fault(key) || nothing}</span></label>`;
  }
}

define("schedule-form", ScheduleForm);
