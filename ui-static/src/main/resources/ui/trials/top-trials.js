// The best trials, for a look: the whole table is a tab of its own.
import { html } from "lit";
import { trials } from "../api.js";
import { duration, lasted, number, parameter } from "../kit/format.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { addressOf, setQuery } from "../shell/router.js";
import { metricOf } from "./points.js";

const HOW_MANY = [10, 20, 30, 50, 100];
const REFRESH_MS = 1500;

class TopTrials extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    items: { state: true },
    many: { state: true },
    turned: { state: true },
  };

  constructor() {
    super();
    this.items = null;
    this.many = recall("top.many", 10);
    this.turned = false;
  }

  connectedCallback() {
    super.connectedCallback();
    const refresh = paced(() => this.load(), REFRESH_MS);
    this.listen(this.store, "reload", refresh);
    this.listen(this.store, "metric", () => this.load());
    this.listen(this.store, "trials", ({ detail }) => detail.some((trial) => trial.metric !== null) && refresh());
    this.keep(refresh.cancel);
    refresh();
  }

  async load() {
    try {
      const page = await trials.list(this.store.id, { ...this.store.bestFirst(this.turned), limit: this.many });
      this.items = page.items;
    } catch {
      // The stream brings a new try.
    }
  }

  choose(many) {
    this.many = Number(many);
    remember("top.many", this.many);
    this.load();
  }

  turn() {
    this.turned = !this.turned;
    this.load();
  }

  render() {
    return html`
      <header>
        <h2>${this.turned ? "Worst" : "Best"} trials</h2>
        <div class="end">
          <button type="button" class="plain small"
            @click=${this.turn}>${this.turned ? "Show the best" : "Show the worst"}</button>
          <select aria-label="How many" @change=${(event) => this.choose(event.target.value)}>
            ${HOW_MANY.map((many) => html`<option value=${many} ?selected=${many === this.many}>${many}</option>`)}
          </select>
        </div>
      </header>
      ${this.items === null
        ? html`<div class="bone-row"><span class="bone w70"></span></div><div class="bone-row"><span
          class="bone w52"></span></div>`
        : this.items.length === 0
          ? html`<p class="soft small">No trial has reported a final result yet.</p>`
          : this.table()}
    `;
  }

  table() {
    const { key } = this.store.metric;
    return html`<div class="scroll-box">
        <table class="compact">
          <thead><tr><th>No.</th><th>Trial</th><th class="right">${key === "default" ? "Metric" : key}</th><th class="right">Duration</th></tr></thead>
          <tbody>
            ${this.items.map(
              (trial) => html`<tr>
                <td class="number soft">${trial.sequenceId}</td>
                <td class="wide"><button type="button" class="link code"
                  @click=${() => setQuery({ trial: trial.id }, { step: true })}>${trial.id}</button>
                  <span class="faint small clip">${Object.entries(trial.parameters).map(([name, value]) => `${name} ${parameter(value)}`).join(" · ")}</span></td>
                <td class="right number" title=${metricOf(trial, key)}>${number(metricOf(trial, key))}</td>
                <td class="right number soft">${duration(lasted(trial))}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="small below">
        <button type="button" class="link" @click=${() => this.compare()}>Compare the first five</button> ·
        <a href=${addressOf(this.store.id, "trials")}>All trials</a>
      </p>`;
  }

  compare() {
    this.selection.replace(this.items.slice(0, 5).map((trial) => trial.id));
    location.hash = addressOf(this.store.id, "compare");
  }
}

define("top-trials", TopTrials);
