// How it goes: figures, limits, the course of the search, the best trials.
import { html } from "lit";
import { styled } from "../kit/styled.js";
import { experiments } from "../api.js";
import { count, duration, number } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { isLive } from "../kit/status.js";
import { addressOf, setQuery } from "../shell/router.js";
import { countsPerStatus, endedOfLimit, progressBar } from "./progress.js";
import { directionOf, isHighGood } from "../trials/direction.js";
import { meanDuration, secondsLeft } from "./remaining.js";
import "../annotations/annotation-editor.js";
import "./limit-editor.js";
import "./machine-list.js";
import "./search-knowledge.js";
import "../charts/history-chart.js";
import "../charts/duration-chart.js";
import "../trials/top-trials.js";

const SECOND_MS = 1000;
const TICKS = ["RUNNING", "NO_MORE_TRIAL"];

class OverviewTab extends Piece {
  static properties = { store: { attribute: false }, selection: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "experiment", () => this.requestUpdate());
    const timer = setInterval(() => isLive(this.store.experiment.status) && this.requestUpdate(), SECOND_MS);
    this.keep(() => clearInterval(timer));
  }

  render() {
    const it = this.store.experiment;
    const openTrial = (trial) => setQuery({ trial }, { step: true });
    return html`
      <div class="figures">
        <section class="card figure">
          <h2>Trials</h2>
          <p class="value">${count(endedOfLimit(it))}${it.maxTrialNumber ? html` <small>of ${count(it.maxTrialNumber)}</small>` : ""}</p>
          ${progressBar(it)} ${it.importedTrials ? html`<p class="small soft">and ${count(it.importedTrials)} imported</p>` : ""}
          ${countsPerStatus(it.trialCounts, (status) => addressOf(it.id, "trials", `status=${status}`))}
        </section>
        <section class="card figure">
          <h2>Best ${it.objectives?.length > 1 ? it.objectives[0].metric : ""} ${isHighGood(directionOf(it, "default")) ? "(highest)" : "(lowest)"}</h2>
          ${it.best
            ? html`<p class="value" title=${it.best.metric}>${number(it.best.metric)}</p>
                <p class="small"><button type="button" class="link" @click=${() => openTrial(it.best.trial)}>Trial <span
                  class="code">${it.best.trial}</span></button></p>`
            : html`<p class="value"><small>no result yet</small></p>`}
        </section>
        ${this.time(it)} ${this.limits(it)}
      </div>
      <section class="card notes" aria-label="Note and tags"><annotation-editor .store=${this.store}></annotation-editor></section>
      <div class="board">
        <section class="card">
          <history-chart .store=${this.store} @trial=${(event) => openTrial(event.detail)}></history-chart>
        </section>
        <section class="card">
          <top-trials .store=${this.store} .selection=${this.selection}></top-trials>
        </section>
        <search-knowledge .store=${this.store}></search-knowledge>
        <machine-list .store=${this.store}></machine-list>
        <section class="card wide">
          <duration-chart .store=${this.store} @trial=${(event) => openTrial(event.detail)}></duration-chart>
        </section>
      </div>
    `;
  }

  time(it) {
    // The server's clock counts; between its words ours goes on from there.
    const since = TICKS.includes(it.status) ? (Date.now() - this.store.heardAt) / SECOND_MS : 0;
    const used = (it.executionSeconds ?? 0) + since;
    const limit = it.maxExperimentDuration;
    return html`<section class="card figure">
      <h2>Time</h2>
      <p class="value">${duration(used)}${limit ? html` <small>of ${duration(limit)}</small>` : ""}</p>
      ${limit ? html`<div class="progress"><i
        class="busy" ${styled({ width: `${Math.min(100, (100 * used) / limit)}%` })}></i></div>` : ""}
      ${limit && isLive(it.status) ? html`<p class="small soft">${duration(Math.max(0, limit - used))} left</p>` : ""}
      ${this.remaining(it, limit ? limit - used : Infinity)}
    </section>`;
  }

  /** An estimate, where there is a number of trials to come to. */
  remaining(it, most) {
    if (!it.maxTrialNumber || !TICKS.includes(it.status)) {
      return "";
    }
    const ended = endedOfLimit(it);
    const seconds = secondsLeft({ ended, left: it.maxTrialNumber - ended, meanSeconds: meanDuration(this.store.points?.rows ?? []), atOnce: it.trialConcurrency });
    return seconds === null ? "" : html`<p class="small soft" data-remaining>about ${duration(Math.min(seconds, Math.max(0, most)))} to the last trial</p>`;
  }

  limits(it) {
    const change = (patch) => this.store.ask(() => experiments.change(it.id, patch));
    return html`<section class="card figure">
      <h2>Limits</h2>
      <div class="limits">
        <limit-editor label="At once" name="trialConcurrency" .value=${it.trialConcurrency} shown=${count(it.trialConcurrency)}
          .change=${change}></limit-editor>
        <limit-editor label="Trials" name="maxTrialNumber" isOptional .value=${it.maxTrialNumber}
          shown=${it.maxTrialNumber ? count(it.maxTrialNumber) : "no limit"} .change=${change}></limit-editor>
        <limit-editor label="Time" name="maxExperimentDuration" isOptional isDuration .value=${it.maxExperimentDuration}
          shown=${it.maxExperimentDuration ? duration(it.maxExperimentDuration) : "no limit"} .change=${change}></limit-editor>
      </div>
    </section>`;
  }
}

define("overview-tab", OverviewTab);
