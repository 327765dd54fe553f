// The project that lists are of, as the head of the page has it. Each browser remembers its own.
import { session } from "../api/request.js";
import { me, projects } from "../api/people.js";
import { recall, remember } from "../kit/remember.js";

const KEY = "project";
const MOST = 1000;

class ChosenProject extends EventTarget {
  /** The names to choose from; none where people have no accounts. */
  names = [];
  #wanted = recall(KEY, "");
  #asked = null;

  constructor() {
    super();
    // Another person may sign in.
    session.addEventListener("wanted", () => {
      this.#asked = null;
      this.#take([]);
    });
    session.addEventListener("granted", () => this.known());
  }

  /** The name; empty for all projects, and while it is not known whether there is one of this name. */
  get name() {
    return this.names.includes(this.#wanted) ? this.#wanted : "";
  }

  choose(name) {
    this.#wanted = name;
    remember(KEY, name);
    this.dispatchEvent(new Event("change"));
    this.dispatchEvent(new Event("chosen"));
  }

  /** Completes when the names are known; asks once. */
  known() {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  async #ask() {
    try {
      const who = await me();
      this.#take(who.kind === "service" ? [] : (await projects.list({ limit: MOST })).items.map((project) => project.name));
    } catch {
      this.#asked = null;
    }
  }

  #take(names) {
    this.names = names;
    this.dispatchEvent(new Event("change"));
  }

  /** The options of a list, of the chosen project unless they name what belongs to one. */
  async within(options) {
    if (this.#wanted === "" || options.project || options.pipeline) {
      return options;
    }
    await this.known();
    return this.name ? { ...options, project: this.name } : options;
  }
}

export const chosen = new ChosenProject();
