// Asks the server again and again while the page is being looked at.
import { connection } from "../live/connection.js";

const LONGEST_PAUSE_MS = 15_000;

/** Calls `ask` at once and then a pause after each answer. Fires "change" when an answer or a failure has come. */
export class Poll extends EventTarget {
  /** What was answered last; null before the first answer. */
  answer = null;
  /** The refusal of the last question; null when it was answered. */
  failure = null;
  #ask;
  #pauseMs;
  #waitMs;
  #timer = null;
  #isOpen = false;
  #number = 0;
  #onVisibility = () => !document.hidden && this.now();

  /** @param ask a function that answers with a promise; @param pauseMs between an answer and the next question */
  constructor(ask, pauseMs = 2000) {
    super();
    this.#ask = ask;
    this.#pauseMs = pauseMs;
    this.#waitMs = pauseMs;
  }

  open() {
    this.#isOpen = true;
    document.addEventListener("visibilitychange", this.#onVisibility);
    return this.now();
  }

  close() {
    this.#isOpen = false;
    document.removeEventListener("visibilitychange", this.#onVisibility);
    clearTimeout(this.#timer);
    connection.mended(this);
  }

  /** Asks without waiting for the pause to end, for example after a command. */
  async now() {
    clearTimeout(this.#timer);
    // An answer to an older question must not replace that of a newer one.
    const number = ++this.#number;
    let failure = null;
    let answer = null;
    try {
      answer = await this.#ask();
    } catch (refusal) {
      failure = refusal;
    }
    if (!this.#isOpen || number !== this.#number) {
      return;
    }
    this.#take(answer, failure);
    if (!document.hidden) {
      this.#timer = setTimeout(() => this.now(), this.#waitMs);
    }
    this.dispatchEvent(new Event("change"));
  }

  #take(answer, failure) {
    this.failure = failure;
    if (failure?.status === 0) {
      connection.broke(this);
    } else {
      connection.mended(this);
    }
    if (failure === null) {
      this.answer = answer;
      this.#waitMs = this.#pauseMs;
    } else {
      this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_PAUSE_MS);
    }
  }
}
