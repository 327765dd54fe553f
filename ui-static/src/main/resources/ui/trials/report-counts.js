// How many intermediate results trials have: asked for when a row that shows it is in sight, for many
// at once. Fires "change".
import { experiments } from "../api.js";
import { paced } from "../kit/pace.js";

const PAUSE_MS = 1000;
// The fewest points that the server thins a series out to.
const LEAST_POINTS = 2;

export class ReportCounts extends EventTarget {
  #id;
  #known = new Map();
  #wanted = new Set();
  #ask = paced(() => this.#read(), PAUSE_MS);

  constructor(id) {
    super();
    this.#id = id;
  }

  /** The count of a trial; undefined until it is known. */
  of(trial) {
    if (!this.#known.has(trial) && !this.#wanted.has(trial)) {
      this.#wanted.add(trial);
      queueMicrotask(this.#ask);
    }
    return this.#known.get(trial);
  }

  /** Trials that have reported or begun again; what was known is shown until more is. */
  renew(trials) {
    trials.filter((trial) => this.#known.has(trial)).forEach((trial) => this.#wanted.add(trial));
    if (this.#wanted.size > 0) {
      this.#ask();
    }
  }

  close() {
    this.#ask.cancel();
  }

  async #read() {
    const trials = [...this.#wanted];
    this.#wanted.clear();
    if (trials.length === 0) {
      return;
    }
    try {
      const found = await experiments.curves(this.#id, trials, { maxPoints: LEAST_POINTS });
      found.forEach(({ trial, total }) => this.#known.set(trial, total));
      this.dispatchEvent(new Event("change"));
    } catch {
      // The rows ask again when they are drawn again.
    }
  }
}
