// The document of a pipeline as a text that is changed in place. A change touches the nodes that it is about: comments,
// the order of keys, and quotes elsewhere stay. Indentation and the width of gaps become regular.
import { LineCounter, isAlias, isCollection, isMap, isScalar, isSeq, parseDocument, stringify, visit } from "yaml";

const STYLE = { lineWidth: 0, flowCollectionPadding: false, blockQuote: "literal", indentSeq: true };
/** The longest collection that is written on one line. */
const SHORT = 64;

/** Types of YAML 1.1 that JSON has not; with `omap` in the list, the library writes new objects as lists of that type. */
const BEYOND_JSON = ["timestamp", "omap", "pairs", "set", "binary"].map((name) => `tag:yaml.org,2002:${name}`);

/** Numbers that nothing set are written as they were: JavaScript would round a long one, and 00012 is a text to the server. */
const asWritten = (tag) =>
  /:(?:int|float)$/.test(tag.tag) ? { ...tag, stringify: (node, ...rest) => node.source ?? tag.stringify(node, ...rest) } : tag;

/** YAML as the server reads it: 1.1, in which `no` is a truth and 12:30 a number, and a date is a text. */
const DIALECT = { version: "1.1", customTags: (tags) => tags.filter((tag) => !BEYOND_JSON.includes(tag.tag)).map(asWritten) };

/** The core schema of 1.2, by which the server reads documents of services and the like. */
export const CORE = { version: "1.2", customTags: (tags) => tags.map(asWritten) };

const read = (text, options) => parseDocument(text, { ...DIALECT, ...options });

/** Takes a key by its letters. */
function named(scalar) {
  scalar.value = scalar.source ?? String(scalar.value);
}

/**
 * What a text says.
 * @returns {value, errors: [{pointer, message, line}]}; value is null when it cannot be read as an object
 */
export function parse(text) {
  const lines = new LineCounter();
  const document = read(text, { lineCounter: lines, prettyErrors: false });
  const errors = document.errors.map((error) => ({ pointer: "", message: error.message, line: lines.linePos(error.pos[0]).line }));
  if (errors.length > 0) {
    return { value: null, errors };
  }
  // Keys are words: `on` is one, and no truth.
  visit(document, { Scalar: (key, scalar) => (key === "key" && typeof scalar.value !== "string" ? named(scalar) : undefined) });
  const value = document.toJS();
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { value, errors } : { value: null, errors: [{ pointer: "", message: "the document of a pipeline is an object", line: 1 }] };
}

/** Tasks, or any other value, as a text of its own. */
export const written = (value) => stringify(value, { ...DIALECT, ...STYLE });

function edited(text, change, dialect = DIALECT) {
  const document = read(text, dialect);
  if (!isMap(document.contents)) {
    document.contents = document.createNode({});
  }
  change(document);
  return document.toString(STYLE);
}

/** A list of plain values, or an object of words such as {value: rows}, which people write on one line. */
const isShort = (value) => {
  const isWords = !Array.isArray(value) && Object.values(value).every((member) => /^[\w./-]+$/.test(String(member)));
  return (Array.isArray(value) ? value.every(isPlainValue) : isWords) && JSON.stringify(value).length <= SHORT;
};

/** A node in the style that people write. */
function nodeOf(document, value) {
  const node = document.createNode(value);
  visit(node, {
    Collection(key, collection) {
      const json = collection.toJSON();
      if (isShort(json) && (isSeq(collection) || key === "value") && collection.items.length > 0) {
        collection.flow = true;
      }
    },
  });
  return node;
}

/** Takes over the members of a map that stay as they are, with their comments and the writing of their values. */
function kept(map, before) {
  if (isMap(map) && isMap(before)) {
    const same = (pair) =>
      before.items.find((one) => String(one.key) === String(pair.key) && JSON.stringify(one.value) === JSON.stringify(pair.value));
    map.items = map.items.map((pair) => same(pair) ?? pair);
    map.commentBefore = before.commentBefore;
    map.comment = before.comment;
  }
  return map;
}

const isPlainValue = (value) => typeof value !== "object" || value === null;

/** Sets or, with undefined, takes away what stands at a path; maps that become empty go as well, down to `least`. */
function put(document, path, value, least) {
  reached(document, path);
  if (value === undefined) {
    document.deleteIn(path);
    const parent = path.slice(0, -1);
    const rest = parent.length > least ? document.getIn(parent) : null;
    if (isCollection(rest) && rest.items.length === 0) {
      put(document, parent, undefined, least);
    }
    return;
  }
  if (!isPlainValue(value)) {
    document.setIn(path, kept(nodeOf(document, value), document.getIn(path, true)));
    return;
  }
  document.setIn(path, value);
  if (typeof value === "string" && value.includes("\n")) {
    opened(document, path);
  }
  const scalar = document.getIn(path, true);
  if (isScalar(scalar)) {
    ["source", "format", "minFractionDigits"].forEach((ofTheOldOne) => delete scalar[ofTheOldOne]);
  }
  if (isScalar(scalar) && typeof value === "string" && (value.includes("\n") || scalar.type?.startsWith("BLOCK"))) {
    // A text of several lines is written as such, whatever stood there.
    scalar.type = value.includes("\n") ? "BLOCK_LITERAL" : undefined;
  }
}

/** Makes a map of each empty value that leads to a path, and a copy of each alias, so that its original stays as it is. */
function reached(document, path) {
  for (let length = 1; length < path.length; length++) {
    const way = path.slice(0, length);
    const node = document.getIn(way, true);
    if (isAlias(node)) {
      const copy = node.resolve(document).clone();
      visit(copy, { Node: (_, inner) => void delete inner.anchor });
      document.setIn(way, copy);
    } else if (isScalar(node) && node.value === null) {
      document.setIn(way, document.createNode({}));
    }
  }
}

/** Writes what leads to a text of several lines in lines of its own, where such a text can stand. */
function opened(document, path) {
  for (let length = 0; length < path.length; length++) {
    const collection = length === 0 ? document.contents : document.getIn(path.slice(0, length));
    if (isCollection(collection)) {
      collection.flow = false;
    }
  }
}

const tasksIn = (document) => {
  if (!isSeq(document.get("tasks"))) {
    document.set("tasks", document.createNode([]));
  }
  const tasks = document.get("tasks");
  // `tasks: []` opens when it gets its first.
  tasks.flow = false;
  return tasks.items;
};

const indexOf = (document, name) => tasksIn(document).findIndex((task) => isMap(task) && task.get("name") === name);

/** Sets what stands at a path of the document, of 1.1 or of another dialect; undefined takes it away. */
export const set = (text, path, value, dialect) => edited(text, (document) => put(document, path, value, 0), dialect);

/** Sets what stands at a path of a task. */
export const setOfTask = (text, name, path, value) =>
  edited(text, (document) => {
    const at = indexOf(document, name);
    if (at >= 0) {
      put(document, ["tasks", at, ...path], value, 2);
    }
  });

/** @param places {name: [x, y]} of those that have one */
export const addTasks = (text, tasks, places = {}) =>
  edited(text, (document) => {
    const items = tasksIn(document);
    tasks.forEach((task) => items.push(nodeOf(document, task)));
    putPlaces(document, places);
  });

const putPlaces = (document, places) =>
  Object.entries(places).forEach(([name, place]) => put(document, ["layout", name], place.map(Math.round), 1));

export const place = (text, places) => edited(text, (document) => putPlaces(document, places));

/** Takes tasks away, and waiting for them; what looks up their outputs is left for the check to find. */
export const eraseTasks = (text, names) =>
  edited(text, (document) => {
    const gone = new Set(names);
    const tasks = document.get("tasks");
    tasks.items = tasks.items.filter((task) => !gone.has(task.get?.("name")));
    tasks.items.forEach((task, at) => {
      const after = isMap(task) ? task.get("after") : null;
      if (isSeq(after) && after.items.some((item) => gone.has(item.value))) {
        after.items = after.items.filter((item) => !gone.has(item.value));
        if (after.items.length === 0) {
          put(document, ["tasks", at, "after"], undefined, 2);
        }
      }
    });
    names.filter((name) => document.hasIn(["layout", name])).forEach((name) => put(document, ["layout", name], undefined, 0));
  });

/** Renames a task where it stands, where others wait for it, where its outputs are looked up, and its place. */
export const renameTask = (text, from, to) =>
  edited(text, (document) => {
    const lookup = new RegExp(`(\\{\\{[^}]*?\\btasks\\.)${from.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?=\\.)`, "g");
    visit(document, {
      Scalar(key, scalar) {
        if (key !== "key" && typeof scalar.value === "string" && scalar.value.includes("{{")) {
          scalar.value = scalar.value.replace(lookup, `$1${to}`);
        }
      },
    });
    for (const task of tasksIn(document)) {
      if (!isMap(task)) {
        continue;
      }
      if (task.get("name") === from) {
        task.set("name", to);
      }
      const after = task.get("after");
      if (isSeq(after)) {
        after.items.filter((item) => item.value === from).forEach((item) => (item.value = to));
      }
    }
    const layout = document.get("layout");
    if (isMap(layout)) {
      layout.items.filter((pair) => pair.key.value === from).forEach((pair) => (pair.key.value = to));
    }
  });

/** Makes a task wait for another. */
export const connect = (text, from, to) =>
  edited(text, (document) => {
    const at = indexOf(document, to);
    const after = document.getIn(["tasks", at, "after"]);
    if (isSeq(after)) {
      after.add(document.createNode(from));
    } else {
      put(document, ["tasks", at, "after"], [from], 2);
    }
  });

export const disconnect = (text, from, to) =>
  edited(text, (document) => {
    const at = indexOf(document, to);
    const after = document.getIn(["tasks", at, "after"]);
    if (!isSeq(after)) {
      return;
    }
    after.items = after.items.filter((item) => item.value !== from);
    if (after.items.length === 0) {
      put(document, ["tasks", at, "after"], undefined, 2);
    }
  });
