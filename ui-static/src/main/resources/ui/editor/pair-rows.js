// A map of names to values as rows that can be added to and taken from.
import { html, nothing } from "lit";
import { icon } from "../kit/icons.js";

/**
 * @param change takes the map as it is then, undefined when it is empty
 * @param options noun of an entry; show and read turn values to texts and back; fresh is the value of a new entry
 */
export function pairRows(label, map, change, { noun, show = String, read = (text) => text, fresh = "", placeholder = "", fault = "", hint = "" }) {
  const entries = Object.entries(map ?? {});
  const put = (list) => change(list.length > 0 ? Object.fromEntries(list) : undefined);
  const add = () => {
    let n = entries.length + 1;
    while (`${noun}${n}` in (map ?? {})) {
      n++;
    }
    put([...entries, [`${noun}${n}`, fresh]]);
  };
  return html`<fieldset class="pairs-field" data-map=${noun}><legend>${label}</legend>
    ${entries.map(
      ([name, value], at) => html`<div class="pair-row">
        <input aria-label="Name of ${noun} ${at + 1}" spellcheck="false" autocomplete="off" .value=${name}
          @change=${(event) => event.target.value.trim() && put(entries.with(at, [event.target.value.trim(), value]))}>
        <input aria-label="Value of ${noun} ${name}" spellcheck="false" autocomplete="off" placeholder=${placeholder} .value=${show(value)}
          @change=${(event) => put(entries.with(at, [name, read(event.target.value)]))}>
        <button type="button" class="plain square" aria-label="Remove ${noun} ${name}" @click=${() => put(entries.toSpliced(at, 1))}>${icon("close")}</button>
      </div>`,
    )}
    <button type="button" class="small" @click=${add}>${icon("add")}${noun.charAt(0).toUpperCase() + noun.slice(1)}</button>
    ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small class="faint">${hint}</small>` : nothing}
  </fieldset>`;
}
