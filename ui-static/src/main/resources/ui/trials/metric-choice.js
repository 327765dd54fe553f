// Which entry of the results is shown, where results are objects.
import { html, nothing } from "lit";
import { betterWord, directionOf, goalOf } from "./direction.js";

/** @param store whose charts follow the choice; nothing to choose, nothing to see */
export function metricChoice(store) {
  const { key } = store.metric;
  const keys = [...new Set([...(store.points?.keys ?? ["default"]), key])];
  if (keys.length === 1) {
    return nothing;
  }
  return html`<select aria-label="Metric" title="Which entry of the results" @change=${(event) => store.choose({ key: event.target.value, mode: null })}>
      ${keys.map((name) => html`<option value=${name} ?selected=${name === key}>Metric: ${name}</option>`)}
    </select>
    ${whichIsBetter(store, key)}`;
}

/** Only of an entry that is no objective the reader has to say which way it is good. */
function whichIsBetter(store, key) {
  const goal = goalOf(store.experiment, key);
  if (goal !== undefined) {
    return key === "default" ? nothing : html`<span class="faint small">${betterWord(goal)} is better</span>`;
  }
  const direction = directionOf(store.experiment, key, store.metric.mode);
  return html`<select aria-label="Which is better" @change=${(event) => store.choose({ key, mode: event.target.value })}>
    ${["maximize", "minimize"].map((mode) => html`<option value=${mode} ?selected=${mode === direction}>${betterWord(mode)} is better</option>`)}
  </select>`;
}
