// A parameter as an axis: numbers as they are or logarithmic, everything else by its name.
import { number, parameter } from "../kit/format.js";
import { isLogarithmic } from "../trials/search-space.js";

const plain = (value) => (typeof value === "number" ? value : (value?._name ?? parameter(value)));

/**
 * The axis of a parameter over some rows.
 *
 * @param entry of the search space, undefined for a parameter that is not in it
 * @return type (value, log or category), names of a category, of (a row's place on the axis, null without one), share
 *     (that place from 0 to 1)
 */
export function scaleOf(name, rows, entry) {
  const values = rows.map((row) => row.parameters?.[name]).filter((value) => value !== undefined && value !== null);
  if (values.length > 0 && entry?._type !== "choice" && values.every((value) => typeof value === "number")) {
    return numeric(name, values, isLogarithmic(entry) && values.every((value) => value > 0));
  }
  const names = [...new Set([...(entry?._type === "choice" ? entry._value : []), ...values].map((value) => String(plain(value))))];
  const of = (row) => {
    const value = row.parameters?.[name];
    return value === undefined || value === null ? null : String(plain(value));
  };
  return { name, type: "category", names, of, share: (row) => (names.indexOf(of(row)) + 0.5) / names.length };
}

function numeric(name, values, isLog) {
  const at = isLog ? Math.log : (value) => value;
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const width = at(most) - at(least);
  const of = (row) => (typeof row.parameters?.[name] === "number" ? row.parameters[name] : null);
  return { name, type: isLog ? "log" : "value", least, most, of, share: (row) => (width === 0 ? 0.5 : (at(of(row)) - at(least)) / width) };
}

/** The words of a chart's axis for it. */
export const axisOf = (scale) =>
  scale.type === "category"
    ? { type: "category", data: scale.names }
    : { type: scale.type, min: scale.least, max: scale.most === scale.least ? undefined : scale.most, axisLabel: { formatter: number } };
