// Draws the fields of a template's arguments, nested ones inside their owners.
import { html, nothing } from "lit";
import { pointerStep } from "../kit/fields.js";
import { icon } from "../kit/icons.js";
import { chosenOf, fieldsOf, isNumber, readText, shown } from "./arguments.js";
import "./code-field.js";

const inner = (pointer, name) => pointer + pointerStep(name);

/**
 * @param values what is set; @param change called with the name, its new value (undefined for none), and what is being typed
 * @param faultAt says what is wrong at a pointer and below it
 */
export const argumentFields = (fields, values, change, faultAt, pointer) =>
  fields.map((field) => argument(field, values?.[field.name], (value, typed) => change(field.name, value, typed), faultAt, inner(pointer, field.name)));

function argument(field, value, set, faultAt, pointer) {
  const hint = field.describe && field.describe !== field.label ? field.describe : "";
  if (field.type === "dict" || (field.type === "list" && field.itemType === "dict")) {
    return nested(field, value, set, faultAt, pointer);
  }
  const fault = faultAt(pointer);
  // A click on a label would go to the first control in it.
  const isGroup = ["multiple", "text", "json"].includes(field.type);
  const body = html`<span>${field.label}${field.isRequired ? html`<small class="faint"> required</small>` : nothing}</span>
    ${control(field, value, set, fault)}
    ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}`;
  return isGroup
    ? html`<div class="field" role="group" aria-label=${field.label} data-argument=${field.name}>${body}</div>`
    : html`<label class="field ${field.type === "bool" ? "check-field" : ""}" data-argument=${field.name}>${body}</label>`;
}

function control(field, value, set, fault) {
  const invalid = fault ? "true" : "false";
  const usual = shown(field, field.default);
  switch (field.type) {
    case "bool":
      return html`<input type="checkbox" ?disabled=${field.isFixed} aria-invalid=${invalid} .checked=${(value ?? field.default) === true}
        @change=${(event) => set(event.target.checked)}>`;
    case "enum":
      return html`<select ?disabled=${field.isFixed} aria-invalid=${invalid} @change=${(event) => set(event.target.value === "" ? undefined : readChoice(field, event.target.value))}>
        <option value="" ?selected=${value === undefined}>${usual ? `${usual} (default)` : field.isRequired ? "choose" : "not set"}</option>
        ${(field.choice ?? []).map((choice) => html`<option value=${choice} ?selected=${String(choice) === String(value)}>${choice}</option>`)}</select>`;
    case "multiple": {
      const chosen = new Set(chosenOf(value ?? field.default));
      const turn = (choice, isOn) => set((field.choice ?? []).filter((one) => (String(one) === String(choice) ? isOn : chosen.has(String(one)))));
      return html`<div class="choices">${(field.choice ?? []).map(
        (choice) => html`<label><input type="checkbox" .checked=${chosen.has(String(choice))} @change=${(event) => turn(choice, event.target.checked)}> ${choice}</label>`,
      )}</div>`;
    }
    case "text":
    case "json":
      return html`<code-field .value=${shown(field, value)} .language=${field.type === "json" ? "json" : (field.itemType ?? "")} .label=${field.label}
        .hint=${usual || field.placeholder || ""} .isFixed=${Boolean(field.isFixed)} .isWrong=${Boolean(fault)}
        @written=${(event) => set(readText(field, event.detail), true)}></code-field>`;
    default:
      return html`<input inputmode=${isNumber(field) ? "decimal" : "text"} spellcheck="false" autocomplete="off" ?disabled=${field.isFixed} aria-invalid=${invalid}
        placeholder=${usual || field.placeholder || (field.type === "file" ? "a path" : field.type === "list" ? "a, b, c" : field.limits ? `${field.limits[0]} to ${field.limits[1]}` : "")}
        .value=${shown(field, value)} @input=${(event) => set(readText(field, event.target.value), true)}>`;
  }
}

const readChoice = (field, text) => (["int", "float"].includes(field.itemType) ? Number(text) : text);

/** Tab indents in a code field, once something is written there; after Escape it leaves. */
export function indent(event) {
  const area = event.target;
  if (event.key === "Tab" && !event.shiftKey && area.value !== "" && !area.dataset.leaves) {
    event.preventDefault();
    area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (event.key === "Escape" && !area.dataset.leaves) {
    area.dataset.leaves = "yes";
    event.stopPropagation();
  } else if (event.key !== "Tab" && event.key !== "Shift") {
    delete area.dataset.leaves;
  }
}

function nested(field, value, set, faultAt, pointer) {
  const fields = fieldsOf(field.inner);
  const changed = (object, name, member) => {
    const { [name]: _, ...rest } = object ?? {};
    return member === undefined ? rest : { ...object, [name]: member };
  };
  const isEmpty = (object) => Object.keys(object).length === 0;
  if (field.type === "dict") {
    const put = (name, member, typed) => {
      const next = changed(value, name, member);
      set(isEmpty(next) ? undefined : next, typed);
    };
    return html`<fieldset class="nested" data-argument=${field.name}><legend>${field.label}</legend>
      ${field.describe ? html`<small>${field.describe}</small>` : nothing}${argumentFields(fields, value, put, faultAt, pointer)}</fieldset>`;
  }
  const all = Array.isArray(value) ? value : [];
  const put = (list, typed) => set(list.length > 0 ? list : undefined, typed);
  return html`<fieldset class="nested" data-argument=${field.name}><legend>${field.label}</legend>
    ${field.describe ? html`<small>${field.describe}</small>` : nothing}
    ${all.map((element, at) => html`<div class="nested" role="group" aria-label="${field.label} ${at + 1}">
      <button type="button" class="plain square small end" aria-label="Remove ${field.label} ${at + 1}" @click=${() => put(all.toSpliced(at, 1))}>${icon("close")}</button>
      ${argumentFields(fields, element, (name, member, typed) => put(all.with(at, changed(element, name, member)), typed), faultAt, `${pointer}/${at}`)}</div>`)}
    <button type="button" class="small" @click=${() => put([...all, {}])}>${icon("add")}${field.label}</button>
    ${all.length === 0 && faultAt(pointer) ? html`<span class="fault">${faultAt(pointer)}</span>` : nothing}
  </fieldset>`;
}
