// Plays an experiment through before it is started, several times, on virtual time.
import { html, nothing } from "lit";
import { rehearse } from "../api.js";
import { duration } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { yaml } from "../kit/yaml.js";
import { objectivesOf } from "./form-objectives.js";
import { guessOf, simulated, summary } from "./simulation.js";

const RUNS = 5;

class SimulationCard extends Piece {
  static properties = { model: { attribute: false }, result: { state: true }, errors: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.result = null;
    this.errors = [];
    /** What was typed over the guess. */
    this.objective = null;
  }

  async start(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const wanted = { objective: data.get("objective"), noise: Number(data.get("noise")), duration: data.get("duration"), failures: Number(data.get("failures")) };
    this.busy = true;
    this.errors = [];
    try {
      this.result = await rehearse(yaml(simulated(this.model, wanted)), RUNS);
    } catch (refusal) {
      this.result = null;
      this.errors = refusal.errors.length > 0 ? refusal.errors.map((error) => `${error.pointer} ${error.message}`) : [refusal.message];
    } finally {
      this.busy = false;
    }
  }

  render() {
    const guess = guessOf(this.model.searchSpace, objectivesOf(this.model)[0].goal);
    return html`<details class="card settings simulation"><summary><h2>Simulate</h2></summary>
      <p class="soft small">Plays the whole search through with trials that are described here instead of run: how long it takes, how many trials fit. Nothing is stored.</p>
      <form class="stack" @submit=${this.start}>
        <label class="field"><span>Result of a trial</span><textarea class="code" name="objective" rows="3" spellcheck="false" .value=${this.objective ?? guess}
          @input=${(event) => (this.objective = event.target.value)}></textarea><small>Parameters by name, + - * / **, log, exp, abs, min, max.</small></label>
        <div class="two-up">
          <label class="field"><span>A trial lasts</span><input name="duration" value="lognormal(10m, 0.4)" spellcheck="false"></label>
          <label class="field"><span>Noise</span><input name="noise" type="number" step="any" min="0" value="0.02"></label>
        </div>
        <label class="field"><span>Share that fails</span><input name="failures" type="number" step="any" min="0" max="1" value="0.02"></label>
        <button ?disabled=${this.busy}>${this.busy ? html`<span class="spinner"></span>` : icon("play")}Simulate ${RUNS} times</button>
      </form>
      ${this.errors.map((error) => html`<p class="fault" role="alert">${error}</p>`)}
      ${this.result === null ? nothing : found(this.result)}
    </details>`;
  }
}

function found({ runs, notices }) {
  if (runs.length === 0) {
    return html`<p class="fault" role="alert">No run came to its end in time.</p>`;
  }
  const { seconds, trials, failed, best, bestAfter } = summary(runs);
  return html`<dl class="facts small" role="status" aria-label="Result of the simulation">
    <div><dt>Takes</dt><dd>${duration(seconds)}</dd></div>
    <div><dt>Trials</dt><dd>${trials}, ${failed} of them failed</dd></div>
    ${best === null ? nothing : html`<div><dt>Best result</dt><dd>${Number(best.toPrecision(4))}, known after ${duration(bestAfter)}</dd></div>`}
    <div><dt>Ends as</dt><dd>${[...new Set(runs.map((run) => run.status.toLowerCase()))].join(", ")}</dd></div>
  </dl>
  <p class="faint small">Medians of ${runs.length} runs with different chance.</p>
  ${[...new Set(runs.map((run) => run.error).filter(Boolean))].map((error) => html`<p class="bad small">${error}</p>`)}
  ${notices.map((notice) => html`<p class="notice small">${notice}</p>`)}`;
}

define("simulation-card", SimulationCard);
