// Asks the server again and again while the page is being looked at.
import { connection } from "../live/connection.js";

const LONGEST_PAUSE_MS = 15_000;
const PAUSE_MS = 2000;

/**
 * A controller of an element (Lit's ReactiveController) that calls `ask` at once and then a pause after each answer, and
 * draws the element anew when an answer or a failure has come. It ends with the element.
 */
export class Poll {
  /** What was answered last; null before the first answer. */
  answer = null;
  /** The refusal of the last question; null when it was answered. */
  failure = null;
  #host;
  #ask;
  #pauseMs;
  #about;
  #subject;
  #waitMs;
  #timer = null;
  #isOpen = false;
  #number = 0;
  #onVisibility = () => !document.hidden && this.now();

  /**
   * @param ask a function that answers with a promise
   * @param pauseMs between an answer and the next question
   * @param about a function that says what is asked about, such as a name: what was answered about another is forgotten
   */
  constructor(host, ask, { pauseMs = PAUSE_MS, about = () => null } = {}) {
    this.#host = host;
    this.#ask = ask;
    this.#pauseMs = pauseMs;
    this.#about = about;
    host.addController(this);
  }

  hostConnected() {
    this.#host.requestUpdate();
  }

  hostUpdate() {
    const subject = this.#about();
    if (this.#host.isConnected && (!this.#isOpen || subject !== this.#subject)) {
      this.hostDisconnected();
      this.#subject = subject;
      this.answer = null;
      this.failure = null;
      this.#waitMs = this.#pauseMs;
      this.#isOpen = true;
      document.addEventListener("visibilitychange", this.#onVisibility);
      this.now();
    }
  }

  hostDisconnected() {
    this.#isOpen = false;
    document.removeEventListener("visibilitychange", this.#onVisibility);
    clearTimeout(this.#timer);
    connection.restored(this);
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
    this.#host.requestUpdate();
  }

  #take(answer, failure) {
    this.failure = failure;
    if (failure?.status === 0) {
      connection.broke(this);
    } else {
      connection.restored(this);
    }
    if (failure === null) {
      this.answer = answer;
      this.#waitMs = this.#pauseMs;
    } else {
      this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_PAUSE_MS);
    }
  }
}
