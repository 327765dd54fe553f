// Reads a document by the core schema of YAML 1.2, as the server does: `no` and 12:30 are texts.
import { LineCounter, parseDocument, visit } from "yaml";

/** The fault of an alias that stands inside of what it names, which JSON cannot say; undefined without one. */
export function aliasInItself(document) {
  let fault;
  visit(document, {
    Alias(_, alias, path) {
      if (path.some((above) => above.anchor !== undefined && above === alias.resolve(document))) {
        fault = `the alias *${alias.source} stands inside of what it names`;
        return visit.BREAK;
      }
    },
  });
  return fault;
}

/** @returns {value, errors: [{pointer, message, line}]}; value is null when the text is no object */
export function parseCore(text) {
  const lines = new LineCounter();
  const document = parseDocument(text, { version: "1.2", lineCounter: lines, prettyErrors: false });
  const errors = document.errors.map((error) => ({ pointer: "", message: error.message, line: lines.linePos(error.pos[0]).line }));
  if (errors.length > 0) {
    return { value: null, errors };
  }
  let value;
  try {
    value = document.toJS();
  } catch (failure) {
    // An alias of nothing, or aliases that would make a small text a huge one.
    return { value: null, errors: [{ pointer: "", message: failure.message, line: 1 }] };
  }
  const inItself = aliasInItself(document);
  if (inItself) {
    return { value: null, errors: [{ pointer: "", message: inItself, line: 1 }] };
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { value: isObject ? value : null, errors };
}
