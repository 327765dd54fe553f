// A step beside the graph: its reason, outputs and logs. `close` is called when it is closed.
import { html, nothing } from "lit";
import { runs } from "../api/pipelines.js";
import { bytes, duration, fullTime, lasted } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { pill } from "../kit/status.js";
import { addressIn, setQuery } from "../shell/router.js";
import { MOST_BYTES } from "./output-view.js";
import "../kit/log-view.js";
import "../notebooks/notebook-opener.js";

const STREAMS = ["stdout", "stderr"];
/** Outputs of these names are shown without being asked for. */
const RESULTS = ["metric", "output"];
const isShowable = (output) => output.kind === "file" && output.bytes <= MOST_BYTES;
/** What has no program has no log. */
const PROGRAMLESS = ["server", "people"];

class StepPanel extends Piece {
  static properties = { run: { attribute: false }, step: { attribute: false }, close: { attribute: false }, stream: { state: true }, refusal: { state: true }, opened: { state: true } };

  constructor() {
    super();
    this.close = () => setQuery({ step: null });
    this.stream = recall("step.stream", "stdout");
    this.opened = {};
  }

  willUpdate(changed) {
    if (changed.has("step") && changed.get("step")?.name !== this.step.name) {
      this.opened = {};
    }
    // The end of what a failed program wrote to stderr is what its user looks for.
    if (changed.has("step") && changed.get("step")?.name !== this.step.name && this.step.status === "FAILED") {
      this.stream = "stderr";
    }
  }

  render() {
    const { run, step } = this;
    return html`<aside class="panel" aria-label="Step ${step.name}">
      <header><h2>${step.name}</h2>${pill(step.status)}
        <div class="end"><button type="button" class="plain square" aria-label="Close" @click=${() => this.close()}>${icon("close")}</button></div></header>
      <dl class="inset facts small">
        ${step.startedAt ? html`<div><dt>Lasted</dt><dd title=${fullTime(step.startedAt)}>${duration(lasted(step))}</dd></div>` : nothing}
        ${step.exitCode === null ? nothing : html`<div><dt>Exit code</dt><dd>${step.exitCode}</dd></div>`}
        ${step.attempt > 1 ? html`<div><dt>Attempt</dt><dd>${step.attempt}</dd></div>` : nothing}
        ${step.commit ? html`<div><dt>Commit</dt><dd class="code">${step.commit}</dd></div>` : nothing}
        ${step.cachedFrom ? html`<div><dt>Taken from</dt><dd><a href=${addressIn("runs", step.cachedFrom.run ?? step.cachedFrom)}>${step.cachedFrom.run ?? step.cachedFrom}</a></dd></div>` : nothing}
      </dl>
      ${step.reason ? html`<p class="inset reason ${step.status === "FAILED" ? "bad" : ""}">${step.reason}</p>` : nothing}
      ${step.platform === "people" && step.status === "RUNNING" ? this.question() : nothing}
      ${Object.keys(step.outputs).length > 0 ? this.outputs() : nothing}
      ${PROGRAMLESS.includes(step.platform) ? nothing : step.attempt > 0 && step.status !== "CACHED" ? this.log() : html`<p class="inset small faint">It has not run, so it has no log.</p>`}
    </aside>`;
  }

  outputs() {
    const { run, step } = this;
    const all = Object.entries(step.outputs);
    const shown = all.filter(([name, output]) => this.isOpen(name, output));
    return html`<section class="inset outputs"><h3>Outputs</h3><table class="pairs">${all.map(([name, output]) => html`<tr><th>${name}</th>
        <td>${output.kind === "value" ? html`<span class="code">${output.value}</span>` : html`<a href=${runs.artifactAddress(run.id, step.name, name)}
          download>${icon("download")}${output.kind}, ${bytes(output.bytes)}</a>`}
        ${isShowable(output) ? html` <button type="button" class="link small" data-show=${name} aria-expanded=${this.isOpen(name, output)}
          @click=${() => (this.opened = { ...this.opened, [name]: !this.isOpen(name, output) })}>${this.isOpen(name, output) ? "Hide" : "Show"}</button>` : nothing}</td></tr>`)}</table>
      ${shown.map(([name, output]) => html`<h3>${name}</h3><output-view .run=${run.id} .step=${step.name} .name=${name} .digest=${output.digest}></output-view>`)}
      <notebook-opener .from=${{ run: run.id, step: step.name }}></notebook-opener></section>`;
  }

  isOpen(name, output) {
    return isShowable(output) && (this.opened[name] ?? RESULTS.includes(name));
  }

  question() {
    return html`<form class="inset" aria-label="Answer" @submit=${(event) => event.preventDefault()}>
      <label class="small">Why <input name="why" maxlength="2000" autocomplete="off"></label>
      <button type="button" class="primary" data-answer="approve" @click=${() => this.answer("approve")}>${icon("check")}Approve</button>
      <button type="button" data-answer="refuse" @click=${() => this.answer("refuse")}>${icon("close")}Refuse</button>
      ${this.refusal ? html`<p class="bad small" role="alert">${this.refusal}</p>` : nothing}
    </form>`;
  }

  async answer(verb) {
    this.refusal = null;
    try {
      await runs.answer(this.run.id, this.step.name, verb, this.querySelector("input[name=why]").value);
    } catch (refused) {
      this.refusal = refused.message;
    }
  }

  log() {
    const { run, step, stream } = this;
    return html`<log-view
      .name=${`${run.id} ${step.name} ${step.attempt} ${stream} ${step.startedAt === null}`}
      .label=${`${stream} of step ${step.name}`}
      .address=${runs.logAddress(run.id, step.name, stream, { attempt: step.attempt })}
      .read=${(signal) => runs.followLog(run.id, step.name, stream, { attempt: step.attempt }, signal)}
      .tools=${html`<select aria-label="Which log" @change=${(event) => this.choose(event.target.value)}>
        ${STREAMS.map((name) => html`<option ?selected=${name === stream}>${name}</option>`)}</select>`}
      .empty=${`Nothing was written to ${stream}.`}
      following="Follows as the step writes"
    ></log-view>`;
  }

  choose(stream) {
    this.stream = stream;
    remember("step.stream", stream);
  }
}

define("step-panel", StepPanel);
