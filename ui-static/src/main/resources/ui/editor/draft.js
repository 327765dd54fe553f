// The document that is being edited: its text, what the text says, and what the server makes of it.
import { documents } from "../api/documents.js";
import { pipelines } from "../api/pipelines.js";
import { documentText } from "../documents/document-text.js";
import { settled } from "../kit/pace.js";
import { recall, remember } from "../kit/remember.js";
import { UNCHECKED } from "../kit/verdict.js";
import { toast } from "../shell/toasts.js";
import { History } from "./history.js";
import { placesOf } from "./places.js";
import { forget, kept, keep } from "./unsaved.js";
import { EMPTY, SAMPLES } from "./samples.js";

const CHECK_MS = 400;

/** A controller of the editor (Lit's ReactiveController), which is drawn anew after every change. */
export class Draft {
  /** The functions that change a text; null until they are loaded. */
  texts = null;
  history = null;
  /** What the text said when it could be read last. */
  value = null;
  isReadable = false;
  tasks = [];
  places = new Map();
  check = UNCHECKED;
  /** Why there is nothing to edit. */
  failure = null;
  /** The document that another person saved meanwhile. */
  theirs = null;
  isBusy = false;
  /** The name on the server; null for a new pipeline. */
  name = null;
  #host;
  #revision = null;
  /** Counts what was opened, for answers that come late. */
  #opening = 0;
  #saved = null;
  /** Under which what is not saved is kept until then. */
  #key = "";
  #recheck = settled(() => this.#ask(), CHECK_MS);

  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() {
    this.#recheck.cancel();
  }

  get isNew() {
    return this.name === null;
  }

  get isOpen() {
    return this.history !== null;
  }

  get text() {
    return this.history.text;
  }

  get isChanged() {
    return this.isOpen && this.text !== this.#saved;
  }

  get errors() {
    return this.check.errors ?? [];
  }

  get names() {
    return new Set(this.tasks.map((task) => task.name));
  }

  /** Begins with a pipeline, with a copy of one, with a sample, or with nothing. */
  async open({ name, like, sample }) {
    const opening = ++this.#opening;
    this.history = null;
    this.failure = null;
    this.theirs = null;
    this.check = UNCHECKED;
    this.value = null;
    this.name = name;
    this.#revision = null;
    try {
      // The library for YAML is some seventy small files, which no other page needs.
      const [texts, object] = await Promise.all([import("./yaml-document.js"), (name ?? like) ? pipelines.get(name ?? like) : null]);
      if (opening !== this.#opening) {
        // Another one has been opened meanwhile.
        return;
      }
      this.texts = texts;
      if (name) {
        this.#take(object);
        this.history = new History(this.#saved);
      } else {
        const text = like ? texts.set(documentText(object), ["name"], `${like}-copy`) : (SAMPLES.find((one) => one.id === sample)?.text ?? EMPTY);
        this.#saved = like || sample ? null : text;
        this.history = new History(text);
      }
      this.#key = name ?? (like || sample ? null : "");
      this.#goOn();
      this.#read();
      if (this.tasks.length > 0) {
        this.#recheck();
      }
    } catch (refusal) {
      if (opening !== this.#opening) {
        return;
      }
      this.failure = refusal;
    }
    this.#host.requestUpdate();
  }

  /** Takes up changes of before, when they start from the same document; undoing them leads back to it. */
  #goOn() {
    const before = this.#key === null ? null : kept(this.#key);
    if (before !== null && before.revision === this.#revision && before.text !== this.text) {
      this.history.write(before.text);
      toast("Changes that were not saved are here again; Undo takes them back.");
    }
  }

  /** The document that changes start from, with the comments that this browser knows of. */
  #take(object) {
    this.#revision = object.revision;
    const known = recall(`pipeline.text.${object.name}`, null);
    this.#saved = known?.revision === object.revision ? known.text : documentText(object);
  }

  /** What the text says; what cannot be read leaves the picture as it was. */
  #read() {
    const { value, errors } = this.texts.parse(this.text);
    this.isReadable = value !== null;
    if (value === null) {
      this.check = { state: "bad", errors, notices: [] };
      this.value ??= { tasks: [] };
    } else {
      this.value = value;
    }
    this.tasks = tasksOf(this.value);
    this.places = placesOf(this.tasks, this.value.layout);
    this.#host.requestUpdate();
  }

  /** @param mark of changes that are one step of the history when they follow each other */
  write(text, mark = null) {
    this.history.write(text, mark);
    this.#again();
  }

  #again() {
    this.#read();
    if (this.#key !== null && this.isChanged) {
      keep(this.#key, { revision: this.#revision, text: this.text });
    } else if (this.#key !== null) {
      forget(this.#key);
    }
    if (this.isReadable) {
      this.check = { ...this.check, state: "asking" };
      this.#recheck();
    } else {
      this.#recheck.cancel();
    }
  }

  /** Changes the text by one of the functions of yaml-document; answers whether it could. */
  change(by, mark = null) {
    if (!this.isReadable) {
      toast("The text has errors: correct them first, then the picture can be changed.", "bad");
      return false;
    }
    this.write(by(this.text), mark);
    return true;
  }

  undo() {
    this.history.undo();
    this.#again();
  }

  redo() {
    this.history.redo();
    this.#again();
  }

  // ---- the server ------------------------------------------------------------------------------

  async #ask() {
    const { text } = this;
    const answer = await this.#submit(true);
    if (this.isOpen && text === this.text) {
      this.check = answer;
      this.#host.requestUpdate();
    }
  }

  async #submit(dryRun) {
    const name = this.name ?? this.value?.name;
    if (typeof name !== "string" || name === "") {
      return { state: "bad", errors: [{ pointer: "/name", message: "a pipeline has a name", line: 1 }], notices: [] };
    }
    try {
      const done = await documents.put("/pipelines", name, this.text, { dryRun, revision: dryRun ? null : this.#revision, isNew: this.isNew && !dryRun });
      return { state: "good", errors: [], notices: done.notices ?? [], done, name };
    } catch (refusal) {
      if (this.isNew && refusal.status === 409) {
        return { state: "bad", errors: [{ pointer: "/name", message: `there is a pipeline ${name} already` }], notices: [] };
      }
      return { state: "bad", errors: refusal.errors ?? [], notices: [], message: refusal.message, status: refusal.status };
    }
  }

  /** Answers whether the server has the document as it is here. */
  async save() {
    if (!this.isChanged && !this.isNew) {
      return true;
    }
    this.isBusy = true;
    this.#recheck.cancel();
    this.#host.requestUpdate();
    const { text } = this;
    const answer = await this.#submit(false);
    this.isBusy = false;
    this.check = answer;
    this.#host.requestUpdate();
    if (answer.status === 409 || answer.status === 412) {
      this.theirs = await pipelines.get(this.name).catch(() => null);
      this.#host.requestUpdate();
    }
    if (answer.state !== "good") {
      return false;
    }
    answer.notices.forEach((notice) => toast(notice));
    toast(`${answer.name} is saved.`);
    forget(this.#key);
    this.name = answer.name;
    this.#key = answer.name;
    this.#saved = text;
    this.#revision = answer.done.revision;
    remember(`pipeline.text.${answer.name}`, text.includes("#") ? { revision: this.#revision, text } : null);
    return true;
  }

  /** After a conflict: goes on from their document, with a text of one's choice. */
  settle(text) {
    this.#take(this.theirs);
    this.theirs = null;
    this.write(text);
  }

  // ---- faults ----------------------------------------------------------------------------------

  /** What is wrong with each task, by its name. */
  faults() {
    const found = new Map();
    for (const { pointer, message } of this.errors) {
      const name = this.taskAt(pointer)?.name;
      if (name !== undefined) {
        found.set(name, [...(found.get(name) ?? []), message]);
      }
    }
    return found;
  }

  /** The task that a pointer leads into. */
  taskAt(pointer) {
    const at = /^\/tasks\/(\d+)/.exec(pointer ?? "")?.[1];
    return at === undefined ? undefined : this.value.tasks?.[at];
  }
}

/** The tasks that can be drawn: those with a name, each name once. */
export function tasksOf(value) {
  const seen = new Set();
  return (Array.isArray(value.tasks) ? value.tasks : []).filter((task) => typeof task?.name === "string" && task.name !== "" && !seen.has(task.name) && seen.add(task.name));
}
