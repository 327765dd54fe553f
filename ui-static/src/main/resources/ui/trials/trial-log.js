// What a trial writes, as it writes it.
import { html, nothing } from "lit";
import { trials } from "../api.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import "../kit/log-view.js";

const STREAMS = ["stdout", "stderr", "trial"];
const FROM_THE_END = -128 * 1024;

class TrialLog extends Piece {
  /** `first` is the stream to begin with, null for the one that was read last. */
  static properties = {
    first: {},
    experiment: {},
    trial: { attribute: false },
    chosen: { state: true },
    attempt: { state: true },
  };

  constructor() {
    super();
    this.chosen = null;
  }

  get stream() {
    return this.chosen ?? this.first ?? recall("log.stream", "stdout");
  }

  choose(stream) {
    this.chosen = stream;
    remember("log.stream", stream);
  }

  render() {
    const { experiment, trial, stream } = this;
    const attempt = this.attempt ?? trial.attempt;
    return html`<log-view
      .name=${`${trial.id} ${attempt} ${stream} ${trial.startedAt === null}`}
      .label=${`${stream} of trial ${trial.id}`}
      .address=${trials.logAddress(experiment, trial.id, stream)}
      .read=${(signal) => trials.followLog(experiment, trial.id, stream, { offset: FROM_THE_END, attempt, signal })}
      .tools=${this.tools()}
      .empty=${this.nothingWritten()}
      following="Follows as the trial writes"
    ></log-view>`;
  }

  tools() {
    return html`<select aria-label="Which log" @change=${(event) => this.choose(event.target.value)}>
        ${STREAMS.map((name) => html`<option ?selected=${name === this.stream}>${name}</option>`)}
      </select>
      ${this.trial.attempt > 1
        ? html`<select aria-label="Attempt" @change=${(event) => (this.attempt = Number(event.target.value))}>
            ${Array.from({ length: this.trial.attempt }, (_, at) => this.trial.attempt - at).map((n) => html`<option value=${n}>attempt ${n}</option>`)}
          </select>`
        : nothing}`;
  }

  nothingWritten() {
    const other = this.stream === "stderr" ? "stdout" : "stderr";
    return html`Nothing was written to ${this.stream}. <button type="button" class="link" @click=${() => this.choose(other)}>See ${other}</button>`;
  }
}

define("trial-log", TrialLog);
