// The rows of a long list that is read page by page. Any row may be asked for: a page goes on from
// the cursor that the one before ended with, so that none is shown twice while trials come, and a
// page after a gap begins at its offset. Pages that were not shown for a while are forgotten.
import { trials } from "../api.js";
import { News } from "../live/news.js";

const PAGE = 500;
const MOST_PAGES = 16;

export class TrialRows extends EventTarget {
  failure = null;
  #id;
  #options;
  #pages = new Map();
  /** The cursors by page, as far as pages were read. */
  #cursors = new Map();
  #total = null;
  #counted = false;
  #wanted = [];
  #busy = false;
  #closed = false;
  #news = new News();

  /** @param options sort, status, q and where as the API takes them */
  constructor(id, options) {
    super();
    this.#id = id;
    this.#options = options;
  }

  /** How many rows there are; 0 until the server has said so. */
  get count() {
    return this.#total ?? 0;
  }

  get isLoaded() {
    return this.#pages.size > 0;
  }

  get isComplete() {
    return this.#total !== null && this.#pages.size * PAGE >= this.#total;
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
    this.#cursors.clear();
    this.#counted = false;
    this.#work();
  }

  /** Changes rows that are here; answers whether all of these were. */
  put(items) {
    const places = new Map();
    this.#pages.forEach((page) => page.forEach((row, at) => places.set(row.id, [page, at])));
    let all = true;
    for (const item of items) {
      this.#news.note(item.id, item);
      const place = places.get(item.id);
      if (place) {
        // Events leave the tags out.
        place[0][place[1]] = { ...place[0][place[1]], ...item };
      } else {
        all = false;
      }
    }
    return all;
  }

  /** Whether a row that is here fits. */
  some(fits) {
    return [...this.#pages.values()].some((page) => page.some(fits));
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
        await this.#read(page);
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
      return (items === undefined || items.stale) && (!this.#counted || page * PAGE < Math.max(1, this.#total));
    });
  }

  async #read(page) {
    const cursor = this.#cursors.get(page);
    const start = cursor ? { cursor } : { offset: page * PAGE };
    const question = { ...this.#options, ...start, total: !this.#counted, limit: PAGE };
    await this.#news.during(() => trials.list(this.#id, question), (answer, newer) => this.#take(page, answer, newer));
  }

  #take(page, answer, newer) {
    this.#pages.delete(page);
    this.#pages.set(page, answer.items.map(newer));
    if (!this.#counted) {
      this.#total = answer.total;
      this.#counted = true;
    }
    if (answer.next) {
      this.#cursors.set(page + 1, answer.next);
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
