// The arguments of a template as fields: what a field shows of a value, and the value that was typed into it.

const NUMBERS = ["int", "float"];

/** [{group, fields: [{name, type, …}]}] of a template's `arguments`. */
export const fieldGroups = (schema) =>
  Object.entries(schema ?? {}).map(([group, members]) => ({ group, fields: fieldsOf(members) }));

export const fieldsOf = (members) =>
  Object.entries(members ?? {}).map(([name, attributes]) => ({
    ...attributes,
    name,
    type: attributes.type ?? "str",
    itemType: attributes.item_type ?? "str",
    label: attributes.label || name,
    isRequired: !isOff(attributes.require) && attributes.default === undefined,
    isFixed: isOff(attributes.editable),
    limits: limitsOf(attributes.range),
    inner: attributes.sub_args,
  }));

const isOff = (flag) => flag === 0 || flag === false || flag === "0" || flag === "false";

function limitsOf(range) {
  const ends = Array.isArray(range) ? range : typeof range === "string" && range.trim() ? range.split(",") : null;
  return ends === null ? null : ends.map(Number);
}

export const isNumber = (field) => NUMBERS.includes(field.type);

/** What stands in the text of a field. */
export function shown(field, value) {
  if (value === undefined || value === null) {
    return "";
  }
  if (field.type === "list" && Array.isArray(value)) {
    return value.join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value, null, field.type === "json" ? 2 : undefined);
}

/** The value of a text; undefined for none, so that the default holds. */
export function readText(field, text) {
  if (text.trim() === "") {
    return undefined;
  }
  // A number may be looked up: {{parameters.epochs}}.
  if (isNumber(field)) {
    return Number.isFinite(Number(text)) ? Number(text) : text;
  }
  if (field.type === "json") {
    return parsed(text);
  }
  if (field.type === "list") {
    return text.split(",").map((part) => part.trim()).filter(Boolean).map((part) => (NUMBERS.includes(field.itemType) && Number.isFinite(Number(part)) ? Number(part) : part));
  }
  return text;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is chosen of a `multiple`: a list, or a text with commas or spaces. */
export const chosenOf = (value) => (Array.isArray(value) ? value : typeof value === "string" ? value.split(/[\s,;]+/).filter(Boolean) : []).map(String);
