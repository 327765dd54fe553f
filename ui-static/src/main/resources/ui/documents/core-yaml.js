// Reads a document by the core schema of YAML 1.2, as the server does: `no` and 12:30 are texts.
import { LineCounter, parseDocument } from "yaml";

/** @returns {value, errors: [{pointer, message, line}]}; value is null when the text is no object */
export function parseCore(text) {
  const lines = new LineCounter();
  const document = parseDocument(text, { version: "1.2", lineCounter: lines, prettyErrors: false });
  const errors = document.errors.map((error) => ({ pointer: "", message: error.message, line: lines.linePos(error.pos[0]).line }));
  if (errors.length > 0) {
    return { value: null, errors };
  }
  const value = document.toJS();
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { value: isObject ? value : null, errors };
}
