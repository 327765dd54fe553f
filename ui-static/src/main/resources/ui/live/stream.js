// What happens on the server, as it happens.
//
// A stream fires what the server sends ("experiment", "trials", "metrics", "annotated", "deleted", "states", "run"), and
// "reload" whenever what is on the page may be out of date: each time the connection opens, and when
// the server says that it has forgotten where this page was. So a page loads on "reload" and nowhere
// else, and nothing falls between loading and listening. "refused" (detail: why) is fired when the
// server is there and does not let the stream begin; it is asked again.
import { events, experiments } from "../api.js";
import { connection } from "./connection.js";

const KINDS = ["experiment", "run", "trials", "metrics", "annotated", "deleted", "states"];
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15000;
// A browser has six connections to a server for all of its tabs: a tab that is hidden gives its own
// back.
const HIDDEN_MS = 30000;

export class Stream extends EventTarget {
  #id;
  #topic;
  #source = null;
  #retry = null;
  #pause = FIRST_PAUSE_MS;
  #hiding = null;
  #onVisibility = () => this.#visibility();

  /**
   * @param id of an experiment, null for the list of all
   * @param topic of another stream: how it is opened, and a plain question that fails as it does
   */
  constructor(id, topic = null) {
    super();
    this.#id = id;
    this.#topic = topic ?? { open: () => events(id), ask: () => (id ? experiments.get(id) : experiments.list({ limit: 1 })) };
  }

  open() {
    this.#shut();
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#source = this.#topic.open();
    this.#source.onopen = () => this.#opened();
    this.#source.onerror = () => this.#failed();
    this.#source.addEventListener("reset", () => this.#fire("reload"));
    for (const kind of KINDS) {
      this.#source.addEventListener(kind, (event) => this.#fire(kind, JSON.parse(event.data)));
    }
  }

  close() {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    clearTimeout(this.#hiding);
    this.#shut();
    connection.restored(this);
  }

  #shut() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  #opened() {
    this.#pause = FIRST_PAUSE_MS;
    connection.restored(this);
    this.#fire("reload");
  }

  #failed() {
    connection.broke(this);
    if (this.#source.readyState === EventSource.CLOSED) {
      this.#shut();
      this.#ask();
    }
  }

  /** The browser does not say why a stream was refused; a plain question does. */
  async #ask() {
    try {
      await this.#topic.ask();
      this.#fire("reload");
    } catch (refusal) {
      if (refusal.status === 404) {
        this.#fire("deleted", { id: this.#id });
        this.close();
        return;
      }
      if (refusal.status === 401) {
        return;
      }
      if (refusal.status > 0) {
        connection.restored(this);
        this.#fire("refused", refusal);
      }
    }
    this.#retry = setTimeout(() => this.open(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
  }

  #visibility() {
    clearTimeout(this.#hiding);
    if (document.hidden) {
      this.#hiding = setTimeout(() => this.#shut(), HIDDEN_MS);
    } else if (this.#source === null) {
      this.open();
    }
  }

  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
