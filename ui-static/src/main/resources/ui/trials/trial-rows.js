// The rows of a long list that is read page by page, each page with the cursor that the one before
// ended with. Any row may be asked for; pages that nobody looked at for a while are forgotten, but
// their cursors are kept, so that scrolling back costs one request. A jump far ahead walks there.
import { trials } from "../api.js";

const PAGE = 500;
const MOST_PAGES = 16;

export class TrialRows extends EventTarget {
  failure = null;
  #id;
  #options;
  #pages = new Map();
  #cursors = [null];
  #end = null;
  #wanted = [];
  #busy = false;
  #closed = false;

  /** @param options sort, status and q as the API takes them */
  constructor(id, options) {
    super();
    this.#id = id;
    this.#options = options;
  }

  /** How many rows there are, as far as is known; `guess` stands in until the end has been seen. */
  count(guess) {
    const reached = this.#cursors.length * PAGE;
    return this.#end ?? Math.max(guess ?? 0, this.#pages.size === 0 ? 0 : reached - PAGE + 1);
  }

  get isLoaded() {
    return this.#pages.size > 0;
  }

  get isComplete() {
    return this.#end !== null && this.#pages.size * PAGE >= this.#end;
  }

  /** The row, or undefined when it is not here yet. */
  row(at) {
    return this.#pages.get(Math.floor(at / PAGE))?.[at % PAGE];
  }

  /** Sees to it that these rows come. */
  want(from, to) {
    this.#wanted = [];
    for (let page = Math.floor(from / PAGE); page <= Math.floor(Math.max(from, to) / PAGE); page++) {
      this.#wanted.push(page);
    }
    this.#work();
  }

  /** Reads again what is being looked at, and forgets the rest. */
  refresh() {
    const visible = new Map(this.#wanted.filter((page) => this.#pages.has(page)).map((page) => [page, this.#pages.get(page)]));
    visible.forEach((items) => (items.stale = true));
    this.#pages = visible;
    this.#end = null;
    this.#work();
  }

  /** Changes rows that are here; answers whether all of these were. */
  put(items) {
    const places = new Map();
    this.#pages.forEach((page) => page.forEach((row, at) => places.set(row.id, [page, at])));
    let all = true;
    for (const item of items) {
      const place = places.get(item.id);
      if (place) {
        place[0][place[1]] = item;
      } else {
        all = false;
      }
    }
    return all;
  }

  close() {
    this.#closed = true;
  }

  async #work() {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    try {
      for (let page = this.#missing(); page !== undefined && !this.#closed; page = this.#missing()) {
        await this.#read(Math.min(page, this.#cursors.length - 1));
      }
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
    this.#busy = false;
    this.#changed();
  }

  #missing() {
    return this.#wanted.find((page) => {
      const items = this.#pages.get(page);
      return (items === undefined || items.stale) && (this.#end === null || page * PAGE < Math.max(1, this.#end));
    });
  }

  async #read(page) {
    const answer = await trials.list(this.#id, { ...this.#options, cursor: this.#cursors[page], limit: PAGE });
    this.#pages.delete(page);
    this.#pages.set(page, answer.items);
    if (answer.next) {
      this.#cursors[page + 1] = answer.next;
    } else {
      this.#cursors.length = page + 1;
      this.#end = page * PAGE + answer.items.length;
    }
    for (const old of this.#pages.keys()) {
      if (this.#pages.size > MOST_PAGES && !this.#wanted.includes(old)) {
        this.#pages.delete(old);
      }
    }
    this.#changed();
  }

  #changed() {
    if (!this.#closed) {
      this.dispatchEvent(new Event("change"));
    }
  }
}
