// What the content of an output is: an image, a page of HTML, rows of a table, series of numbers, or text.
import { rowsOf } from "../files/preview.js";

const MOST_ROWS = 2000;
const MOST_SERIES = 12;
/** Columns that say where on a line a number stands. */
const POSITIONS = ["step", "epoch", "iteration", "batch", "round", "x"];

const MAGIC = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
];

const begins = (bytes, magic) => magic.every((one, at) => bytes[at] === one);
const ascii = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to));

/** The type of an image by its first bytes; null when they are of none. */
export function imageType(bytes) {
  const known = MAGIC.find(([, magic]) => begins(bytes, magic));
  if (known) {
    return known[0];
  }
  return ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP" ? "image/webp" : null;
}

/** The text of some bytes; null when they are none. */
export function textOf(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

const isSvg = (text) => /^\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*<svg[\s>]/i.test(text);
const isHtml = (text) => /^\s*(<!--[^]*?-->\s*)*(<!doctype html|<html[\s>]|<body[\s>]|<table[\s>]|<div[\s>])/i.test(text);

/** {image}, {html: true}, {columns, rows}, {text} or {} for what cannot be shown. */
export function contentOf(bytes) {
  const image = imageType(bytes);
  if (image) {
    return { image };
  }
  const text = textOf(bytes);
  if (text === null) {
    return {};
  }
  if (isSvg(text)) {
    return { image: "image/svg+xml" };
  }
  return isHtml(text) ? { html: true, text } : { text, ...tableOf(text) };
}

/** {columns, rows} of JSON, of lines of JSON, or of CSV; null when the text is none of these. */
export function tableOf(text) {
  return ofJson(parsed(text)) ?? ofJson(linesOfJson(text)) ?? ofSeparated(text, "\t") ?? ofSeparated(text, ",");
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function linesOfJson(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => line.trim().startsWith("{")) ? lines.slice(0, MOST_ROWS).map(parsed) : null;
}

const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function ofJson(value) {
  if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) {
    const shown = value.slice(0, MOST_ROWS);
    const columns = [...new Set(shown.flatMap(Object.keys))];
    return { columns, rows: shown.map((record) => columns.map((name) => record[name])) };
  }
  if (!isRecord(value) || Object.keys(value).length === 0) {
    return null;
  }
  const values = Object.values(value);
  if (values.every(Array.isArray)) {
    const length = Math.min(MOST_ROWS, Math.max(...values.map((list) => list.length)));
    return { columns: Object.keys(value), rows: Array.from({ length }, (_, at) => values.map((list) => list[at])) };
  }
  return { columns: ["name", "value"], rows: Object.entries(value) };
}

/** Rows of one width, of two columns or more; or one column of numbers below its name. */
function ofSeparated(text, separator) {
  const [columns, ...rows] = rowsOf(text, separator, MOST_ROWS + 1);
  if (!columns || rows.length === 0 || rows.some((row) => row.length !== columns.length)) {
    return null;
  }
  const isColumn = columns.length === 1 && numberOf(columns[0]) === null && rows.every(([value]) => numberOf(value) !== null);
  return columns.length > 1 || isColumn ? { columns, rows } : null;
}

export function numberOf(value) {
  if (typeof value === "number") {
    return Number.isFinite(value) ? value : null;
  }
  if (typeof value !== "string" || value.trim() === "") {
    return null;
  }
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** The columns of numbers of a table as lines: [{name, across, points: [[x, y]…]}]. Rows are their x, or a column that counts them. */
export function seriesOf({ columns = [], rows = [] }) {
  const at = columns.findIndex((name) => POSITIONS.includes(String(name).trim().toLowerCase()));
  const across = at < 0 ? "row" : String(columns[at]);
  return columns
    .map((name, column) => ({
      name: String(name),
      across,
      points: column === at ? [] : rows.map((row, number) => [at < 0 ? number + 1 : numberOf(row[at]), numberOf(row[column])]).filter(([x, y]) => x !== null && y !== null),
    }))
    .filter(({ points }) => points.length > 0)
    .slice(0, MOST_SERIES);
}
