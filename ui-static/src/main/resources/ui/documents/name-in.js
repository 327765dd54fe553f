// The name that a document gives itself: the key at its top, YAML or JSON.
const YAML_NAME = /^name:\s*(?:"([^"]*)"|'([^']*)'|([^\s#]+))/m;
const JSON_NAME = /"name"\s*:\s*"([^"]*)"/;

/** The address at which a document without a name is checked for its other faults. */
export const NAMELESS = "document-without-a-name";

/** Null when there is none. */
export function nameIn(text) {
  const found = text.trimStart().startsWith("{") ? JSON_NAME.exec(text) : YAML_NAME.exec(text);
  return found?.slice(1).find((part) => part !== undefined) ?? null;
}
