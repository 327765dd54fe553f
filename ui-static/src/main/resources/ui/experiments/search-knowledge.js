// What the search knows beyond the best result: the configuration that is likely the best where it
// tries some again, and what it took from earlier experiments.
import { html, nothing } from "lit";
import { experiments } from "../api.js";
import { count, number, parameter } from "../kit/format.js";
import { paced } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { addressOf, setQuery } from "../shell/router.js";

const REFRESH_MS = 5000;
const NAMED = 6;

class SearchKnowledge extends Piece {
  static properties = { store: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    const refresh = paced(() => this.load(), REFRESH_MS);
    this.listen(this.store, "experiment", () => this.requestUpdate());
    this.listen(this.store, "reload", refresh);
    this.listen(this.store, "trials", ({ detail }) => detail.some((trial) => trial.metric !== null) && refresh());
    this.keep(refresh.cancel);
  }

  /** The stream does not tell these two. */
  async load() {
    const { incumbent, transfer } = this.store.experiment;
    if (repeats(this.store.experiment) || incumbent || transfer) {
      try {
        await this.store.ask(() => experiments.get(this.store.id));
      } catch {
        // The stream brings a new try.
      }
    }
  }

  render() {
    const { incumbent, transfer } = this.store.experiment;
    return html`${incumbent ? this.likelyBest(incumbent) : nothing}${transfer ? learnt(transfer) : nothing}`;
  }

  likelyBest({ parameters, mean, trials }) {
    const more = trials.length - NAMED;
    return html`<section class="card" aria-label="Likely best">
      <h2>Likely best</h2>
      <p title=${mean}><b class="number">${number(mean)}</b> <span class="soft">on average of ${count(trials.length)}
        ${trials.length === 1 ? "trial" : "trials"}</span></p>
      <p class="small">${Object.entries(parameters).map(([name, value]) => `${name} ${parameter(value)}`).join(" · ")}</p>
      <p class="small">${trials.slice(0, NAMED).map((trial) => html`<button type="button" class="link code"
        @click=${() => setQuery({ trial }, { step: true })}>${trial}</button> `)}${more > 0 ? html`<span
        class="faint">and ${count(more)} more</span>` : nothing}</p>
    </section>`;
  }
}

/** Whether its search may try a configuration again, so that an incumbent may come. */
const repeats = ({ config }) => {
  const given = config?.tuner?.classArgs;
  return given?.repeats === true || given?.no_resampling === false;
};

function learnt({ results, sources }) {
  return html`<section class="card" aria-label="Learnt from earlier experiments">
    <h2>Learnt from earlier experiments</h2>
    ${sources.length === 0
      ? html`<p class="soft small">None of the project has a search space that overlaps with this one.</p>`
      : html`<div class="scroll-box"><table class="compact">
          <thead><tr><th>Experiment</th><th class="right">Trials used</th><th class="right">Weight</th></tr></thead>
          <tbody>${sources.map(source)}</tbody>
        </table></div>
        <p class="small soft below">Weights after ${count(results)} ${results === 1 ? "result" : "results"} of its own.</p>`}
  </section>`;
}

const source = ({ experiment, name, trials, used, weight, renamed }) => html`<tr>
  <td class="wide"><a href=${addressOf(experiment)}>${name || experiment}</a>
    ${Object.entries(renamed).map(([from, to]) => html`<span class="faint small clip">${from} is ${to} here</span>`)}</td>
  <td class="right number">${count(used)} <span class="soft">of ${count(trials)}</span></td>
  <td class="right number" title=${weight}>${Math.round(100 * weight)} %</td>
</tr>`;

define("search-knowledge", SearchKnowledge);
