// Options as fields of a form, from the description that the server gives of them: {name, type, required, default,
// meaning, words, options}. A section is a group of fields, a list of sections a group for each element.
import { html, nothing } from "lit";
import { pointerStep } from "../kit/fields.js";
import { icon } from "../kit/icons.js";

const isList = (option) => option.type.startsWith("list of") || option.type === "list";
const isSection = (option) => option.options?.length > 0;
const isTruth = (option) => /`true`|\btrue\b|boolean/.test(option.type);
const isText = (option) => /^(text|secret|time|file|directory|address)/.test(option.type);

/** What a reader typed, as a value: JSON where it is JSON and the option is no text. */
export function readOption(option, text) {
  const plain = text.trim();
  if (plain === "") {
    return undefined;
  }
  if (isText(option) && !isList(option)) {
    return /^time/.test(option.type) && Number.isFinite(Number(plain)) ? Number(plain) : text;
  }
  try {
    return JSON.parse(plain);
  } catch {
    return isList(option) ? plain.split(",").map((part) => part.trim()).filter(Boolean) : plain;
  }
}

export const showOption = (value) => (value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value));

/** The value with one member changed, undefined taking it away; undefined when nothing is left of it. */
export function withMember(value, name, member) {
  const { [name]: _, ...rest } = value ?? {};
  const changed = member === undefined ? rest : { ...value, [name]: member };
  return Object.keys(changed).length > 0 ? changed : undefined;
}

/** A key as a JSON pointer has it. */

/**
 * @param values what is set of the options
 * @param change takes all values as they are then, undefined for none
 * @param faultAt says what is wrong at a JSON pointer and below it
 * @param pointer where the values stand in the configuration
 */
export const optionFields = (options, values, change, faultAt, pointer) => html`<div class="form-grid options">
  ${options.map((option) => {
    const value = values?.[option.name];
    const set = (member) => change(withMember(values, option.name, member));
    const at = pointer + pointerStep(option.name);
    return isSection(option) ? (isList(option) ? elements(option, value, set, faultAt, at) : section(option, value, set, faultAt, at)) : field(option, value, set, faultAt(at));
  })}
</div>`;

const title = (option) => html`${option.name}${option.required ? html` <small class="faint">required</small>` : nothing}`;

function hintOf(option) {
  const standard = option.default === null || option.default === undefined ? "" : ` Else ${showOption(option.default)}.`;
  const meaning = option.meaning.charAt(0).toUpperCase() + option.meaning.slice(1).replace(/\.?$/, ".");
  return meaning + standard;
}

function field(option, value, set, fault) {
  const words = option.words?.length > 0 && !isList(option) ? option.words : isTruth(option) ? ["true", "false"] : null;
  const invalid = fault ? "true" : "false";
  const shown = showOption(value);
  return html`<label class="field two"><span>${title(option)}</span>
    ${words
      ? html`<select data-option=${option.name} aria-invalid=${invalid} @change=${(event) => set(readOption(option, event.target.value))}>
          <option value="" ?selected=${shown === ""}>${option.required ? "choose" : "not set"}</option>
          ${[...new Set([...words, shown])].filter(Boolean).map((word) => html`<option ?selected=${word === shown}>${word}</option>`)}</select>`
      : html`<input data-option=${option.name} aria-invalid=${invalid} spellcheck="false" autocomplete="off" placeholder=${showOption(option.default)}
          .value=${shown} @change=${(event) => set(readOption(option, event.target.value))}>`}
    ${fault ? html`<span class="fault">${fault}</span>` : html`<small>${hintOf(option)}</small>`}</label>`;
}

function section(option, value, set, faultAt, at) {
  return html`<details class="six group" ?open=${option.required || value !== undefined}>
    <summary>${title(option)} <small class="faint">${hintOf(option)}</small></summary>
    ${optionFields(option.options, value, set, faultAt, at)}
  </details>`;
}

function elements(option, value, set, faultAt, at) {
  const all = Array.isArray(value) ? value : [];
  const fault = all.length === 0 ? faultAt(at) : "";
  const put = (list) => set(list.length > 0 ? list : undefined);
  return html`<fieldset class="six group" data-list=${option.name}>
    <legend>${title(option)} <small class="faint">${hintOf(option)}</small></legend>
    ${all.map(
      (element, n) => html`<div class="element" role="group" aria-label="${option.name} ${n + 1}">
        <button type="button" class="plain square small" aria-label="Remove ${option.name} ${n + 1}" @click=${() => put(all.toSpliced(n, 1))}>${icon("close")}</button>
        ${optionFields(option.options, element, (changed) => put(all.with(n, changed ?? {})), faultAt, `${at}/${n}`)}
      </div>`,
    )}
    <p><button type="button" class="small" @click=${() => put([...all, {}])}>${icon("add")}${option.name}</button></p>
    ${fault ? html`<p class="fault">${fault}</p>` : nothing}
  </fieldset>`;
}
