// Documents in a text, several to a text with lines of --- between them, each read as the server reads it.
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { aliasInItself } from "../documents/core-yaml.js";
import { NAMELESS } from "../documents/name-in.js";
import { KIND_WORDS, modelServiceName } from "./object-kinds.js";

/** The numbers of the server's YAML: one with a zero before it is a text, and so is one with an exponent and no point. */
const NUMBER = /^[-+]?(?:(?:\.\d+|(?:0|[1-9]\d*)\.\d*)(?:[eE][-+]?\d+)?|0|[1-9]\d*)$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** @returns [{above, text}]: the parts of a text, and how many lines are above each */
export function split(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const parts = [];
  let from = 0;
  for (let at = 0; at <= lines.length; at++) {
    if (at === lines.length || /^---(\s.*)?$/.test(lines[at])) {
      const part = lines.slice(from, at);
      if (part.some((line) => line.trim() !== "" && !line.trim().startsWith("#"))) {
        parts.push({ above: from, text: part.join("\n") + "\n" });
      }
      from = at + 1;
    }
  }
  return parts;
}

const keyOf = (pair) => (isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : String(pair.key));

/** A node as JSON whose numbers are written as their author did. */
function jsonOf(node, document) {
  if (node === null || node === undefined) {
    return "null";
  }
  if (isAlias(node)) {
    return jsonOf(node.resolve(document), document);
  }
  if (isMap(node)) {
    return `{${node.items.map((pair) => `${JSON.stringify(keyOf(pair))}:${jsonOf(pair.value, document)}`).join(",")}}`;
  }
  if (isSeq(node)) {
    return `[${node.items.map((item) => jsonOf(item, document)).join(",")}]`;
  }
  const { value, source, type } = node;
  return typeof value === "number" && type === "PLAIN" ? numberOf(value, source, document.isJson) : JSON.stringify(value ?? null);
}

function numberOf(value, source, isJson) {
  if (isJson && JSON_NUMBER.test(source)) {
    return source;
  }
  if (/^0x[\da-f]+$/i.test(source)) {
    return JSON.stringify(value);
  }
  if (!NUMBER.test(source) || !Number.isFinite(value)) {
    return JSON.stringify(source);
  }
  return JSON_NUMBER.test(source) ? source : JSON.stringify(value);
}

/** The line of the whole text at which a pointer stands, or the nearest that holds it. */
function lineOf(pointer, document, lines, above) {
  const lineAt = (node) => lines.linePos(node.range[0]).line;
  let node = document.contents;
  let line = lineAt(node);
  for (const step of pointer.split("/").slice(1)) {
    const wanted = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isAlias(node)) {
      node = node.resolve(document);
    }
    const pair = isMap(node) ? node.items.find((one) => keyOf(one) === wanted) : null;
    const item = isSeq(node) ? node.items[Number(wanted)] : null;
    if (pair) {
      line = lineAt(pair.key);
      node = pair.value;
    } else if (item) {
      line = lineAt(item);
      node = item;
    } else {
      break;
    }
  }
  return above + line;
}

function nameOf(kind, body) {
  const written = typeof body.name === "string" || typeof body.name === "number" ? String(body.name) : "";
  const isOfModel = kind === "Service" && typeof body.model === "object" && body.model !== null;
  return written || !isOfModel ? written : modelServiceName(body.type ?? "internal", body.model);
}

/** One that cannot be read is a finding, whatever stands in it: the check of the others goes on. */
function read(part) {
  try {
    return readOne(part);
  } catch (failure) {
    return { findings: [{ pointer: "", message: `could not read the document: ${failure.message}`, line: part.above + 1 }] };
  }
}

function readOne({ above, text }) {
  const lines = new LineCounter();
  const document = parseDocument(text, { version: "1.2", lineCounter: lines, prettyErrors: false });
  document.isJson = text.trimStart().startsWith("{");
  const wrong = (message, line, pointer = "") => ({ findings: [{ pointer, message, line }] });
  if (document.errors.length > 0) {
    return { findings: document.errors.map((error) => ({ pointer: "", message: error.message, line: above + lines.linePos(error.pos[0]).line })) };
  }
  const first = above + text.split("\n").findIndex((line) => line.trim() !== "" && !line.trim().startsWith("#")) + 1;
  if (!isMap(document.contents)) {
    return wrong("a document is an object with a kind", first);
  }
  try {
    // Refuses aliases that would make a small text a huge one.
    document.toJS();
  } catch (failure) {
    return wrong(failure.message, first);
  }
  const inItself = aliasInItself(document);
  if (inItself) {
    return wrong(inItself, first);
  }
  const body = JSON.parse(jsonOf(document.contents, document));
  const place = (finding) => ({ ...finding, line: lineOf(finding.pointer ?? "", document, lines, above) });
  const { kind } = body;
  if (!KIND_WORDS.includes(kind)) {
    return { findings: [place({ pointer: "/kind", message: `${kind === undefined ? "a kind is missing" : `there is no kind '${kind}'`}; there is ${KIND_WORDS.join(", ")}` })] };
  }
  const name = nameOf(kind, body);
  const findings = name ? [] : [place({ pointer: "/name", message: "a name is missing" })];
  // Numbers of the text, which JSON.parse may round, go to the server as they are written.
  const json = (without = []) => {
    const pairs = document.contents.items.filter((pair) => !without.includes(keyOf(pair)));
    return `{${pairs.map((pair) => `${JSON.stringify(keyOf(pair))}:${jsonOf(pair.value, document)}`).join(",")}}`;
  };
  return { manifest: { kind, name: name || NAMELESS, isNameless: !name, title: `${kind}/${name}`, body, json, place }, findings };
}

/**
 * @returns {manifests, findings}: what can be read, in the order in which kinds depend on each other, each with its `body`,
 *   with `json`, which writes it without some keys, and with `place`, which gives a finding its line; and what cannot
 */
export function readManifests(text) {
  const manifests = [];
  const findings = [];
  for (const part of split(text)) {
    const { manifest, findings: found } = read(part);
    findings.push(...found);
    if (!manifest) {
      continue;
    }
    if (!manifest.isNameless && manifests.some((other) => other.title === manifest.title)) {
      findings.push(manifest.place({ pointer: "/name", message: `${manifest.title} is there twice` }));
    }
    // What else is wrong in it is found with the rest.
    manifests.push(manifest);
  }
  const order = (one) => KIND_WORDS.indexOf(one.kind);
  return { manifests: inOrder(manifests.toSorted((one, other) => order(one) - order(other)), findings), findings };
}

/** Services that a canary or a shadow names come before those that name them. */
function inOrder(manifests, findings) {
  const services = new Map(manifests.filter(({ kind }) => kind === "Service").map((service) => [service.name, service]));
  const ordered = new Set();
  const namedBy = (service, key) =>
    String(service.body[key] ?? "")
      .split(/[,;]/)
      .map((term) => services.get(term.split(":")[0].trim()))
      .filter(Boolean);
  const visit = (service, way) => {
    if (ordered.has(service)) {
      return;
    }
    if (way.includes(service.name)) {
      findings.push(service.place({ pointer: "/canary", message: `a cycle: ${[...way.slice(way.indexOf(service.name)), service.name].join(" → ")}` }));
      return;
    }
    const longer = [...way, service.name];
    namedBy(service, "canary").forEach((other) => visit(other, longer));
    namedBy(service, "shadow")
      .filter((other) => !longer.includes(other.name))
      .forEach((other) => visit(other, longer));
    ordered.add(service);
  };
  manifests.forEach((one) => (one.kind === "Service" ? visit(one, []) : ordered.add(one)));
  return [...ordered];
}
