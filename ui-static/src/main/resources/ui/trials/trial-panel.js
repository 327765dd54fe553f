// One trial, beside whatever page is open.
import { html, nothing } from "lit";
import { trials } from "../api.js";
import { count, duration, fullTime, lasted, number, parameter, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { menu } from "../kit/menu.js";
import { Piece, define } from "../kit/piece.js";
import { pill } from "../kit/status.js";
import { setQuery } from "../shell/router.js";
import { copyParameters } from "./copy-parameters.js";
import { canKill, canRetry, kill, retry } from "./trial-commands.js";
import "../annotations/annotation-editor.js";
import "../charts/curves-chart.js";
import "./custom-trial.js";
import "./trial-files.js";
import "./trial-log.js";

const VIEWS = [
  ["result", "Result"],
  ["log", "Log"],
  ["files", "Files"],
];
const CURVE_POINTS = 500;
/** A trial that failed has its reason in what it wrote, not in a result. */
const isForLog = (trial) => trial?.status === "FAILED";

/** Where a trial's files are: a directory of the server's machine, or an address for those of a trial elsewhere. */
const place = (directory) => directory && (/^https?:/.test(directory)
  ? html`<a class="wrap" href=${directory} target="_blank" rel="noreferrer">${directory}</a>`
  : html`<span class="code wrap">${directory}</span>`);

class TrialPanel extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    trialId: {},
    trial: { state: true },
    curve: { state: true },
    view: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    /** What the reader chose of this trial; null until then. */
    this.view = null;
  }

  get shownView() {
    return this.view ?? (isForLog(this.trial) ? "log" : "result");
  }

  connectedCallback() {
    super.connectedCallback();
    this.before = document.activeElement;
    this.listen(this.store, "trials", ({ detail }) => this.follow(detail));
    this.listen(this.store, "metrics", ({ detail }) => this.extend(detail));
    this.listen(this.store, "reload", () => this.load());
    this.listen(this.selection, "change", () => this.requestUpdate());
    this.keep(() => this.before?.isConnected && this.before.focus({ preventScroll: true }));
  }

  willUpdate(changed) {
    if (changed.has("trialId")) {
      this.view = null;
      this.load();
    }
  }

  firstUpdated() {
    this.querySelector("aside").focus({ preventScroll: true });
  }

  async load() {
    const id = this.trialId;
    this.told = null;
    try {
      const [trial, curve] = await Promise.all([trials.get(this.store.id, id), trials.metrics(this.store.id, id, { maxPoints: CURVE_POINTS })]);
      if (id === this.trialId) {
        // What the stream told meanwhile is newer.
        this.trial = { ...trial, ...this.told };
        this.curve = this.pointsOf(this.trial, curve.points);
        this.failure = null;
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  pointsOf(trial, points) {
    return points.filter((point) => point.attempt === trial.attempt).map((point) => [point.sequence, point.value]);
  }

  follow(items) {
    const trial = items.find((item) => item.id === this.trialId);
    if (!trial) {
      return;
    }
    this.told = trial;
    const isNewAttempt = this.trial?.id === trial.id && trial.attempt !== this.trial.attempt;
    this.trial = { ...this.trial, ...trial };
    if (isNewAttempt) {
      this.curve = [];
    }
  }

  extend(items) {
    const mine = items.filter((item) => item.trial === this.trialId && item.kind === "intermediate" && item.attempt === this.trial?.attempt);
    if (mine.length > 0 && this.curve) {
      const points = new Map([...this.curve, ...mine.map((item) => [item.sequence, item.value])]);
      this.curve = [...points].sort(([a], [b]) => a - b);
    }
  }

  render() {
    const { trial } = this;
    return html`<aside class="panel" tabindex="-1" aria-label="Trial ${this.trialId}">
      <header>
        <h2>Trial <span class="code">${this.trialId}</span></h2>
        ${trial ? pill(trial.status) : nothing}
        <button type="button" class="plain square end" aria-label="Close the trial" title="Close (Esc)"
          @click=${() => setQuery({ trial: null })}>${icon("close")}</button>
      </header>
      ${this.failure ? html`<p class="fault inset">${this.failure.message}</p>` : !trial ? html`<div class="inset"><span
        class="bone w60"></span></div>` : this.body(trial)}
    </aside>
    <custom-trial .store=${this.store}></custom-trial>`;
  }

  body(trial) {
    return html`
      <div class="toolbar inset">
        ${canKill(trial) ? html`<button type="button" class="small"
          @click=${() => kill(this.store.id, trial.id)}>${icon("kill")}Kill</button>` : nothing}
        ${canRetry(trial, this.store.experiment) ? html`<button type="button" class="small"
          @click=${() => retry(this.store.id, trial.id)}>${icon("retry")}Retry</button>` : nothing}
        <button type="button" class="small"
          @click=${() => this.querySelector("custom-trial").open(trial)}>${icon("fork")}Customised copy</button>
        ${menu(
          html`${icon("copy")}Copy`,
          html`<h3>Parameters as</h3>
            ${["JSON", "Python", "YAML"].map((form) => html`<button type="button" data-closes
              @click=${() => copyParameters(trial, form)}>${form}</button>`)}
            <h3>Or</h3>
            <button type="button" data-closes @click=${() => copyParameters(trial, "id")}>Trial id</button>`,
          { look: "small", side: "left" },
        )}
        <button type="button" class="small" aria-pressed=${this.selection.has(trial.id)}
          @click=${() => this.selection.toggle(trial.id)}>${icon("check")}Tick to compare</button>
      </div>
      ${trial.reason ? html`<p class="reason inset ${trial.status === "FAILED" ? "bad" : ""}">${trial.reason}</p>` : nothing}
      <div class="switch inset" role="group" aria-label="What to show">
        ${VIEWS.map(([name, label]) => html`<button type="button" aria-pressed=${this.shownView === name}
          @click=${() => (this.view = name)}>${label}</button>`)}
      </div>
      ${this.shown(trial)}
    `;
  }

  shown(trial) {
    switch (this.shownView) {
      case "log":
        return html`<trial-log .experiment=${this.store.id} .trial=${trial} .first=${isForLog(trial) ? "stderr" : null}></trial-log>`;
      case "files":
        return html`<trial-files .experiment=${this.store.id} .trial=${trial}></trial-files>`;
      default:
        return this.result(trial);
    }
  }

  /** A trial of several parameter sets: what it was given, one after the other, and what came of each. */
  sets(trial) {
    const names = [...new Set(trial.parameterSets.flatMap((set) => Object.keys(set.parameters)))];
    return html`<section>
      <h3>${count(trial.parameterSets.length)} parameter sets</h3>
      <div class="scroll-box"><table class="compact sets">
        <thead><tr><th>No.</th><th class="right">Metric</th>${names.map((name) => html`<th class="right">${name}</th>`)}</tr></thead>
        <tbody>${trial.parameterSets.map((set) => html`<tr><td class="number soft">${set.index}</td><td
          class="right number">${number(set.metric)}</td>${names.map((name) => html`<td
          class="right number">${parameter(set.parameters[name])}</td>`)}</tr>`)}</tbody>
      </table></div>
    </section>`;
  }

  result(trial) {
    const facts = [
      ["Number", trial.sequenceId],
      ["Attempt", trial.attempt],
      ["Started", html`<span title=${fullTime(trial.startedAt)}>${time(trial.startedAt)}</span>`],
      ["Duration", duration(lasted(trial))],
      ["Chosen by", trial.parameterSource],
      ["Exit code", trial.exitCode],
      ["Directory", place(trial.directory)],
    ].filter(([, value]) => value !== null && value !== undefined && value !== "");
    return html`<div class="scroll inset">
      <section>
        <h3>Metric</h3>
        <p class="metric number" title=${trial.metric ?? ""}>${number(trial.metric)}</p>
        ${Object.entries(trial.metricDocument ?? {}).filter(([name]) => name !== "default").map(([name, value]) => html`<p
          class="small soft">${name} <b class="number">${number(value)}</b></p>`)}
        <curves-chart size="low" .curves=${[{ trial: trial.id, label: trial.id, points: this.curve ?? [] }]}></curves-chart>
        <p class="small"><a href=${trials.eventFileAddress(this.store.id, trial.id)} download>Event file for TensorBoard</a></p>
      </section>
      <section>
        <h3>Parameters</h3>
        <table class="pairs"><tbody>
          ${Object.entries(trial.parameters).map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="code wrap"
            title=${JSON.stringify(value)}>${parameter(value)}</td></tr>`)}
        </tbody></table>
      </section>
      <section>
        <h3>Note and tags</h3>
        <annotation-editor .store=${this.store} .trialId=${trial.id}></annotation-editor>
      </section>
      ${trial.parameterSets ? this.sets(trial) : nothing}
      <section>
        <h3>Run</h3>
        <table class="pairs"><tbody>${facts.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>
      </section>
    </div>`;
  }
}

define("trial-panel", TrialPanel);
