// JSON values as YAML, for reading and for a new configuration to begin with.

const PLAIN = /^[A-Za-z_/.][A-Za-z0-9_/.+ -]*$/;
const WORDS = /^(true|false|null|yes|no|on|off|y|n|~|\.inf|\.nan)$/i;

function scalar(value) {
  if (typeof value !== "string") {
    return JSON.stringify(value);
  }
  const plain = PLAIN.test(value) && !WORDS.test(value) && !value.endsWith(" ") && !/^\.?\d/.test(value);
  return plain ? value : JSON.stringify(value);
}

const isFlat = (value) => typeof value !== "object" || value === null;

const flow = (value) =>
  isFlat(value)
    ? scalar(value)
    : Array.isArray(value)
      ? `[${value.map(flow).join(", ")}]`
      : `{${Object.entries(value).map(([key, inner]) => `${scalar(key)}: ${flow(inner)}`).join(", ")}}`;

/** A search-space entry, or a list of plain values, reads best on one line. */
function isShort(value) {
  return Object.keys(value).length === 0 || (Array.isArray(value) && value.every(isFlat)) || ("_type" in value && flow(value).length < 90);
}

function lines(value, indent) {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (isFlat(item) || isShort(item)) {
        return [`${indent}- ${flow(item)}`];
      }
      const inner = lines(item, indent + "  ");
      return [`${indent}- ${inner[0].trimStart()}`, ...inner.slice(1)];
    });
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const name = indent + scalar(key) + ":";
    if (isFlat(item) || isShort(item)) {
      return typeof item === "string" && item.includes("\n") ? block(name, item, indent + "  ") : [`${name} ${flow(item)}`];
    }
    return [name, ...lines(item, indent + "  ")];
  });
}

const block = (name, text, indent) => [`${name} |${text.endsWith("\n") ? "" : "-"}`, ...text.replace(/\n$/, "").split("\n").map((line) => indent + line)];

/** @param value a JSON object or array */
export const yaml = (value) => lines(value, "").join("\n") + "\n";
