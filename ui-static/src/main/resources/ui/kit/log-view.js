// A text that grows while it is read: the end is followed, lines are filtered.
import { html, nothing } from "lit";
import { icon } from "./icons.js";
import { settled } from "./pace.js";
import { Piece, define } from "./piece.js";
import { recall, remember } from "./remember.js";

const MOST_CHARACTERS = 1_000_000;
const AT_THE_END_PX = 40;

class LogView extends Piece {
  static properties = {
    /** Names the text: another name is another text, read from its beginning. */
    name: {},
    /** What a screen reader calls it. */
    label: {},
    /** Answers with the pieces of the text: (signal) => async iterator. */
    read: { attribute: false },
    /** Where the whole of it is to be had. */
    address: {},
    /** Further controls before the search. */
    tools: { attribute: false },
    /** Stands below a text that has ended and is empty. */
    empty: { attribute: false },
    following: {},
    state: { state: true },
    wraps: { state: true },
  };

  constructor() {
    super();
    this.wraps = recall("log.wraps", true);
    this.following = "Follows as it is written";
    this.search = "";
    this.text = "";
    this.filter = settled((text) => {
      this.search = text;
      this.fill();
    }, 200);
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => (this.abort?.abort(), this.filter.cancel()));
  }

  updated(changed) {
    if (changed.has("name")) {
      this.begin();
    }
  }

  async begin() {
    this.abort?.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.text = "";
    this.fill();
    this.state = "following";
    try {
      for await (const piece of this.read(signal)) {
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

  turnWrap() {
    this.wraps = !this.wraps;
    remember("log.wraps", this.wraps);
  }

  render() {
    return html`
      <div class="toolbar inset">
        ${this.tools ?? nothing}
        <label class="search">${icon("filter")}<span class="unseen">Only lines with</span><input type="search"
          placeholder="Only lines with…" @input=${(event) => this.filter(event.target.value)}></label>
        <button type="button" class="small plain" aria-pressed=${this.wraps} @click=${this.turnWrap}>Wrap</button>
        <a class="button small plain square" title="The whole log" href=${this.address} target="_blank"
          rel="noopener">${icon("download")}<span class="unseen">The whole log</span></a>
      </div>
      <pre class="log ${this.wraps ? "wraps" : ""}" tabindex="0" role="region" aria-label=${this.label}></pre>
      <p class="small faint inset" role="status">${this.state === "following" ? html`<span
        class="live"></span> ${this.following}` : this.state === "complete" ? (this.text ? "The end" : this.empty ?? "Nothing was written.") : this.state}</p>
    `;
  }
}

define("log-view", LogView);
