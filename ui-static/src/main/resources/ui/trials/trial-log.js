// What a trial writes, as it writes it.
import { html, nothing } from "lit";
import { trials } from "../api.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";

const STREAMS = ["stdout", "stderr", "trial"];
const FROM_THE_END = -128 * 1024;
const MOST_CHARACTERS = 1_000_000;
const AT_THE_END_PX = 40;

class TrialLog extends Piece {
  /** `first` is the stream to begin with, null for the one that was read last. */
  static properties = {
    first: {},
    experiment: {},
    trial: { attribute: false },
    chosen: { state: true },
    attempt: { state: true },
    state: { state: true },
    wraps: { state: true },
    search: { state: true },
  };

  constructor() {
    super();
    this.chosen = null;
    this.wraps = recall("log.wraps", true);
    this.search = "";
    this.text = "";
    this.filter = settled((text) => {
      this.search = text;
      this.fill();
    }, 200);
  }

  get stream() {
    return this.chosen ?? this.first ?? recall("log.stream", "stdout");
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => (this.abort?.abort(), this.filter.cancel()));
  }

  updated(changed) {
    const attempt = this.attempt ?? this.trial.attempt;
    const key = `${this.trial.id} ${attempt} ${this.stream} ${this.trial.startedAt === null}`;
    if (changed.has("trial") || changed.has("chosen") || changed.has("first") || changed.has("attempt")) {
      if (key !== this.key) {
        this.key = key;
        this.read(attempt);
      }
    }
  }

  async read(attempt) {
    this.abort?.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.text = "";
    this.fill();
    this.state = "following";
    try {
      for await (const piece of trials.followLog(this.experiment, this.trial.id, this.stream, { offset: FROM_THE_END, attempt, signal })) {
        this.add(piece);
      }
      this.state = "complete";
    } catch (failure) {
      if (!signal.aborted) {
        this.state = failure.message;
      }
    }
  }

  get output() {
    return this.querySelector("pre");
  }

  add(piece) {
    this.text += piece;
    const tooLong = this.text.length > MOST_CHARACTERS;
    if (tooLong) {
      this.text = this.text.slice(-MOST_CHARACTERS / 2);
    }
    const { output } = this;
    const follows = output.scrollHeight - output.scrollTop - output.clientHeight < AT_THE_END_PX;
    if (tooLong || this.search) {
      this.fill();
    } else {
      output.append(piece);
    }
    if (follows) {
      output.scrollTop = output.scrollHeight;
    }
  }

  fill() {
    const wanted = this.search.toLowerCase();
    this.output.textContent = wanted ? this.text.split("\n").filter((line) => line.toLowerCase().includes(wanted)).join("\n") : this.text;
  }

  choose(stream) {
    this.chosen = stream;
    remember("log.stream", stream);
  }

  turnWrap() {
    this.wraps = !this.wraps;
    remember("log.wraps", this.wraps);
  }

  render() {
    return html`
      <div class="toolbar inset">
        <select aria-label="Which log" @change=${(event) => this.choose(event.target.value)}>
          ${STREAMS.map((name) => html`<option ?selected=${name === this.stream}>${name}</option>`)}
        </select>
        ${this.trial.attempt > 1
          ? html`<select aria-label="Attempt" @change=${(event) => (this.attempt = Number(event.target.value))}>
              ${Array.from({ length: this.trial.attempt }, (_, at) => this.trial.attempt - at).map((n) => html`<option value=${n}>attempt ${n}</option>`)}
            </select>`
          : nothing}
        <label class="search">${icon("filter")}<span class="unseen">Only lines with</span><input type="search"
          placeholder="Only lines with…" @input=${(event) => this.filter(event.target.value)}></label>
        <button type="button" class="small plain" aria-pressed=${this.wraps} @click=${this.turnWrap}>Wrap</button>
        <a class="button small plain square" title="The whole log"
          href=${trials.logAddress(this.experiment, this.trial.id, this.stream)} target="_blank" rel="noopener">${icon("download")}<span class="unseen">The whole log</span></a>
      </div>
      <pre class="log ${this.wraps ? "wraps" : ""}" tabindex="0" aria-label="${this.stream} of trial ${this.trial.id}"></pre>
      <p class="small faint inset" role="status">${this.state === "following" ? html`<span
        class="live"></span> Follows as the trial writes` : this.state === "complete" ? this.ending() : this.state}</p>
    `;
  }

  ending() {
    if (this.text) {
      return "The end";
    }
    const other = this.stream === "stderr" ? "stdout" : "stderr";
    return html`Nothing was written to ${this.stream}. <button type="button" class="link"
      @click=${() => this.choose(other)}>See ${other}</button>`;
  }
}

define("trial-log", TrialLog);
