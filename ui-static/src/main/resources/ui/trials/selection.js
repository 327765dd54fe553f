// The trials that were ticked, to be compared or treated together. Lives as long as the tab.

const MOST = 50;
const kept = new Map();

export class Selection extends EventTarget {
  #trials;

  constructor(experiment) {
    super();
    this.#trials = kept.get(experiment) ?? new Set();
    kept.set(experiment, this.#trials);
  }

  get size() {
    return this.#trials.size;
  }

  get trials() {
    return [...this.#trials];
  }

  has(trial) {
    return this.#trials.has(trial);
  }

  toggle(trial) {
    if (!this.#trials.delete(trial) && this.#trials.size < MOST) {
      this.#trials.add(trial);
    }
    this.#changed();
  }

  replace(trials) {
    this.#trials.clear();
    trials.slice(0, MOST).forEach((trial) => this.#trials.add(trial));
    this.#changed();
  }

  clear() {
    this.replace([]);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
