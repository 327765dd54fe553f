// What projects have used: over time as a chart, in sums, and at this moment.
import { html, nothing } from "lit";
import { gpus, projects, usage, usageFile } from "../api/people.js";
import { loadingRows } from "../experiments/list-states.js";
import { bytes, fullTime, number, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { SERIES, swatch } from "../kit/swatch.js";
import { chosen } from "../people/chosen-project.js";
import { route, setQuery } from "../shell/router.js";
import { RESOURCES, sums, usedOf } from "./spans.js";
import "./usage-chart.js";

const PAUSE_MS = 30_000;
const TIMES = [
  ["5m", "4 hours, by five minutes"],
  ["1h", "2 days, by hour"],
  ["1d", "48 days, by day"],
];
const GROUPS = ["project", "user", "kind", "object"];

class UsagePage extends Piece {
  constructor() {
    super();
    this.past = new Poll(this, () => usage(this.wanted), { pauseMs: PAUSE_MS, about: () => JSON.stringify(this.wanted) });
    this.present = new Poll(this, () => projects.usage(chosen.name || "public").catch(() => null), { pauseMs: PAUSE_MS });
    this.gpus = new Poll(this, () => gpus().catch(() => null), { pauseMs: PAUSE_MS });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Usage · Orrery";
  }

  get step() {
    return TIMES.map(([word]) => word).find((word) => word === route.current.query.get("step")) ?? "1d";
  }

  get by() {
    const by = GROUPS.find((word) => word === route.current.query.get("by")) ?? "project";
    return by === "object" && this.step !== "1d" ? "kind" : by;
  }

  get wanted() {
    return { step: this.step, by: this.by, project: chosen.name || undefined };
  }

  choose(query) {
    setQuery(query);
    this.requestUpdate();
  }

  render() {
    const found = this.past.answer;
    const used = found ? usedOf(found.items) : [];
    const wanted = route.current.query.get("of");
    const [resource, , unit] = used.find(([word]) => word === wanted) ?? used[0] ?? RESOURCES[0];
    return html`
      <div class="page-head"><h1>Usage</h1>
        <div class="end"><a class="button" href=${usageFile(this.wanted)} download="usage.csv">${icon("download")}CSV</a></div></div>
      <div class="toolbar filters">
        ${this.select("Time", "step", TIMES, this.step)}
        ${this.select("By", "by", GROUPS.filter((word) => word !== "object" || this.step === "1d").map((word) => [word, `by ${word}`]), this.by)}
        ${this.select("Resource", "of", (used.length > 0 ? used : RESOURCES).map(([word, title]) => [word, title]), resource)}
      </div>
      <div class="stack">
      ${this.past.failure && !found ? html`<div class="card state"><p>${this.past.failure.message}</p></div>` : !found ? loadingRows() : this.chart(found, resource, unit)}
      ${this.now()}${this.devices()}</div>`;
  }

  select(title, key, options, value) {
    return html`<select aria-label=${title} @change=${(event) => this.choose({ [key]: event.target.value })}>
      ${options.map(([word, label]) => html`<option value=${word} ?selected=${word === value}>${label}</option>`)}</select>`;
  }

  chart(found, resource, unit) {
    const rows = sums(found.items, resource);
    const title = RESOURCES.find(([word]) => word === resource)[1];
    return html`<section class="card"><header><h2>${title} in use</h2><span class="soft small">average of each span</span></header>
        <usage-chart .usage=${found} .resource=${resource} .word=${title}></usage-chart></section>
      ${rows.length === 0 ? nothing : html`<div class="card flush"><table class="objects" aria-label="Sums">
        <thead><tr><th>${found.by}</th><th class="right">${unit}</th></tr></thead>
        <tbody>${rows.map(({ key, hours }, at) => html`<tr data-key=${key}><td>${swatch(Math.min(at, SERIES - 1))} ${key}</td>
          <td class="right number">${number(hours)}</td></tr>`)}</tbody></table></div>`}`;
  }

  now() {
    const usage = this.present.answer;
    if (!usage) {
      return nothing;
    }
    const amount = (word, value) => (word === "memory" || word === "storage" ? bytes(value) : number(value));
    const words = (used) => Object.entries(used).map(([word, value]) => `${amount(word, value)} ${word}`).join(", ") || "–";
    return html`<section class="card"><header><h2>Now in ${usage.project}</h2><span class="soft small">${words(usage.used)}</span></header>
      ${usage.objects.length === 0 ? html`<p class="soft small">Nothing is in use.</p>` : html`<table class="objects" aria-label="Now"><thead><tr><th>Object</th><th>Person</th>
          <th>Uses</th><th>Since</th></tr></thead><tbody>${usage.objects.map((one) => html`<tr><td>${one.kind} <b>${one.name}</b></td><td class="small">${one.user}</td>
            <td class="small">${words(one.used)}</td><td class="small number" title=${fullTime(one.since)}>${time(one.since)}</td></tr>`)}</tbody></table>`}
    </section>`;
  }

  devices() {
    const found = this.gpus.answer;
    if (!found || (found.items.length === 0 && found.failures.length === 0)) {
      return nothing;
    }
    const unused = found.items.filter((gpu) => gpu.state !== "busy").length;
    return html`<section class="card"><header><h2>GPUs of the servers</h2>
        <span class="soft small">${unused} of ${found.items.length} not used</span></header>
      ${found.failures.map((one) => html`<p class="soft small">${one.machine}: ${one.reason}</p>`)}
      <table class="objects" aria-label="GPUs"><thead><tr><th>Machine</th><th>GPU</th><th>State</th><th class="right">Use</th><th>Not used since</th><th>Held by</th></tr></thead>
        <tbody>${found.items.map((gpu) => html`<tr><td>${gpu.machine}</td><td>${gpu.index} <span class="soft small">${gpu.name}</span></td>
          <td>${gpu.state === "idle" ? html`<b>idle</b>` : gpu.state}</td><td class="right number">${gpu.percent === null ? "–" : `${gpu.percent} %`}</td>
          <td class="small number">${gpu.since === null ? "–" : html`<span title=${fullTime(gpu.since)}>${time(gpu.since)}</span>`}</td>
          <td class="small">${gpu.holders.map((one) => html`${one.kind} <b>${one.name}</b> of ${one.user ?? "–"} in ${one.project ?? "–"} `)}
            ${gpu.others > 0 ? `${gpu.others} of other projects` : nothing}${gpu.state === "idle" && gpu.holders.length + gpu.others === 0 ? "another program" : nothing}</td></tr>`)}</tbody></table>
    </section>`;
  }
}

define("usage-page", UsagePage);
