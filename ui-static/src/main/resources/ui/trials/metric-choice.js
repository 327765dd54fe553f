// Which entry of the results is shown, where results are objects.
import { html, nothing } from "lit";

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
    ${key === "default"
      ? nothing
      : html`<select aria-label="Which is better" @change=${(event) => store.choose({ key, mode: event.target.value })}>
          <option value="maximize" ?selected=${store.isHighGood}>higher is better</option>
          <option value="minimize" ?selected=${!store.isHighGood}>lower is better</option>
        </select>`}`;
}
