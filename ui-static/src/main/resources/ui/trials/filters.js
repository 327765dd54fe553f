// What narrows the table: conditions as the API takes them ("metric>=0.9"), and as a reader edits them.

const FORM = /^([^<>=!]+)(<=|>=|!=|=|<|>)(.*)$/s;

/** How values of a kind are narrowed, the usual way first. */
export const WAYS = {
  number: ["between", "is", "not"],
  time: ["between"],
  options: ["is", "not"],
  text: ["is", "not"],
};

export const WAY_WORDS = { between: "between", is: "is", not: "is not" };

export const emptyFilter = (field) => ({ field: field.key, way: field.ways[0], from: "", to: "", fromSign: ">=", toSign: "<=", values: [] });

/** @param where conditions; those for the two ends of a range become one filter */
export function filtersOf(where) {
  const filters = [];
  for (const text of where) {
    const [, field, sign, value] = FORM.exec(text) ?? [];
    if (field === undefined) {
      continue;
    }
    if (sign === "=" || sign === "!=") {
      filters.push({ field, way: sign === "=" ? "is" : "not", from: "", to: "", fromSign: ">=", toSign: "<=", values: valuesOf(value) });
      continue;
    }
    const end = sign.startsWith(">") ? "from" : "to";
    let range = filters.find((filter) => filter.field === field && filter.way === "between" && filter[end] === "");
    if (!range) {
      range = { field, way: "between", from: "", to: "", fromSign: ">=", toSign: "<=", values: [] };
      filters.push(range);
    }
    range[end] = value;
    range[end + "Sign"] = sign;
  }
  return filters;
}

/** The conditions again; a filter without a value is none yet. */
export const whereOf = (filters) =>
  filters.flatMap((filter) => {
    const { field, from, to, values } = filter;
    if (filter.way === "between") {
      return [from !== "" && field + filter.fromSign + from, to !== "" && field + filter.toSign + to].filter(Boolean);
    }
    const sign = filter.way === "is" ? "=" : "!=";
    return values.length === 0 ? [] : [field + sign + JSON.stringify(values.length === 1 ? values[0] : values)];
  });

function valuesOf(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [text];
  }
}

/** The value that a user typed: a number where it is one. */
export const typed = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

const SIGNS = { ">": "above", ">=": "at least", "<": "below", "<=": "at most" };
const SIGNS_OF_TIME = { ">": "after", ">=": "since", "<": "before", "<=": "until" };

/** A filter in words, after the name of its field; `show` and `kind` are the field's. */
export function inWords(filter, { show, kind }) {
  if (filter.way !== "between") {
    return `${filter.way === "is" ? "" : "not "}${filter.values.map(show).join(" or ")}`;
  }
  if (filter.from !== "" && filter.to !== "") {
    return `${show(filter.from)} to ${show(filter.to)}`;
  }
  const signs = kind === "time" ? SIGNS_OF_TIME : SIGNS;
  return filter.from !== "" ? `${signs[filter.fromSign]} ${show(filter.from)}` : `${signs[filter.toSign]} ${show(filter.to)}`;
}
