// Where the trials run: machine by machine, what is free there, and which are left out and why.
import { html, nothing } from "lit";
import { experiments, trials } from "../api.js";
import { count, duration, fullTime } from "../kit/format.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { isLive } from "../kit/status.js";
import { addressOf, setQuery } from "../shell/router.js";

// No event tells of machines: they are polled while the list is shown.
const LOOK_MS = 5000;
const AFTER_TRIALS_MS = 2000;
const SECOND_MS = 1000;
const MOMENT_S = 10;
const NAMED = 6;

class MachineList extends Piece {
  static properties = { store: { attribute: false }, items: { state: true }, waiting: { state: true } };

  constructor() {
    super();
    this.items = [];
    this.waiting = null;
  }

  connectedCallback() {
    super.connectedCallback();
    const look = paced(() => this.look(), AFTER_TRIALS_MS);
    const timer = setInterval(() => document.visibilityState === "visible" && look(), LOOK_MS);
    this.listen(this.store, "reload", look);
    this.listen(this.store, "trials", look);
    this.keep(() => clearInterval(timer));
    this.keep(look.cancel);
    look();
  }

  async look() {
    if (!isLive(this.store.experiment.status)) {
      this.items = [];
      return;
    }
    try {
      const { items } = await experiments.machines(this.store.id);
      const first = isWorthShowing(items)
        ? (await trials.list(this.store.id, { status: "WAITING", sort: "sequenceId", limit: 1 })).items[0]
        : null;
      this.items = items;
      this.waiting = first ?? null;
    } catch {
      // The stream tells of a server that has gone; what was known stays until it is back.
    }
  }

  render() {
    if (!isWorthShowing(this.items)) {
      return nothing;
    }
    const there = this.items.filter((machine) => machine.absence === null).length;
    const isMixed = new Set(this.items.map((machine) => machine.service)).size > 1;
    return html`<section class="card wide">
      <header>
        <h2>Machines</h2>
        <span class="small soft">${there === this.items.length ? `all ${count(there)} take trials` : `${count(there)} of ${count(this.items.length)} take trials`}</span>
      </header>
      <ul class="machines">${this.items.map((machine) => this.row(machine, isMixed))}</ul>
      ${this.waits()}
    </section>`;
  }

  row(machine, isMixed) {
    const isThere = machine.absence === null;
    return html`<li data-machine=${machine.name ?? machine.service}>
      <div class="who">
        <b class="code">${machine.name ?? machine.service}</b>
        ${isMixed && machine.name ? html`<span class="faint small">${machine.service}</span>` : nothing}
      </div>
      <div class="how">
        <span class="pill ${isThere ? "good" : "warn"}">${isThere ? "There" : "Left out"}</span>
        ${machine.since ? html`<span class="faint small" title=${fullTime(machine.since)}>for ${ago(machine.since)}</span>` : nothing}
      </div>
      <div class="load">
        ${count(machine.trials.length)} ${machine.trials.length === 1 ? "trial" : "trials"}${machine.others > 0
          ? html` <span class="faint">and ${count(machine.others)} of others</span>`
          : nothing}${machine.free === null ? nothing : html`<span class="soft">, room for ${count(machine.free)}</span>`}
      </div>
      <div class="heard faint small">${machine.heardAt
        ? html`<span title=${fullTime(machine.heardAt)}>heard ${ago(machine.heardAt)} ago</span>`
        : nothing}</div>
      ${machine.gpus?.devices.length > 0 ? devices(machine.gpus) : nothing}
      ${isThere ? nothing : html`<p class="why small">It ${machine.absence}</p>`}
      ${machine.gpus?.failure ? html`<p class="why small">GPUs: ${machine.gpus.failure}</p>` : nothing}
      ${machine.trials.length > 0 ? this.named(machine.trials) : nothing}
    </li>`;
  }

  named(ids) {
    const more = ids.length - NAMED;
    return html`<p class="named small">
      ${ids.slice(0, NAMED).map((id) => this.link(id))}${more > 0 ? html`<span class="faint">and ${count(more)} more</span>` : nothing}
    </p>`;
  }

  link(id) {
    return html`<button type="button" class="link code" @click=${() => setQuery({ trial: id }, { step: true })}>${id}</button> `;
  }

  waits() {
    const waiting = this.store.experiment.trialCounts.WAITING ?? 0;
    return waiting === 0 || this.waiting === null
      ? nothing
      : html`<p class="small below"><a href=${addressOf(this.store.id, "trials", "status=WAITING")}>${count(waiting)}
          ${waiting === 1 ? "trial waits" : "trials wait"}</a>; ${waiting === 1 ? "" : "the first, "}${this.link(this.waiting.id)}<span
          class="soft">${this.waiting.reason ?? ""}</span></p>`;
  }
}

/** One machine that is always there says nothing, unless it has GPUs that trials ask for. */
const isWorthShowing = (items) => items.length > 1 || items.some((it) => it.service !== "local" || it.gpus?.devices.length > 0);

/** A clock that is some seconds behind the server's is no reason to count them. */
function ago(instant) {
  const seconds = Math.round((Date.now() - Date.parse(instant)) / SECOND_MS);
  return seconds < MOMENT_S ? "a moment" : duration(seconds);
}

function devices(gpus) {
  const free = gpus.devices.filter((gpu) => gpu.trials === 0 && gpu.trouble === null).length;
  return html`<div class="devices small">
    <span class="soft">${count(free)} of ${count(gpus.devices.length)} GPUs free</span>
    ${gpus.devices.map((gpu) => html`<i class=${gpu.trouble ? "warn" : gpu.trials > 0 ? "busy" : "idle"} title=${deviceWords(gpu)}></i>`)}
    ${gpus.waiting > 0 ? html`<span class="faint">${count(gpus.waiting)} waiting for them</span>` : nothing}
  </div>`;
}

const deviceWords = (gpu) =>
  [
    `GPU ${gpu.index}: ${gpu.name}`,
    gpu.memory === null ? null : `${count(gpu.memory)} MiB`,
    gpu.trials === 0 ? null : gpu.trials === 1 ? "1 trial" : `${gpu.trials} trials`,
    gpu.trouble,
  ]
    .filter((part) => part !== null)
    .join(", ");

define("machine-list", MachineList);
