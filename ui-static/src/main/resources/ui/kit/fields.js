// What forms over documents share.

/** A number where a text is one; else the text, for the server to say what is wrong with it. */
export const numberOr = (text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

/** A step of a JSON pointer. */
export const pointerStep = (name) => "/" + String(name).replaceAll("~", "~0").replaceAll("/", "~1");
