// Whether the server answers, over all streams of this page.

const PATIENCE_MS = 1500;

class Connection extends EventTarget {
  lost = false;
  #broken = new Set();
  #timer = null;

  /** A stream has broken off and will try again. */
  broke(stream) {
    this.#broken.add(stream);
    // A server that restarts is back before users need to be told.
    this.#timer ??= setTimeout(() => this.#settle(), PATIENCE_MS);
  }

  /** A stream is there again, or is not needed any more. */
  restored(stream) {
    this.#broken.delete(stream);
    if (this.#broken.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = null;
      this.#settle();
    }
  }

  tryNow() {
    this.#broken.forEach((stream) => stream.open());
  }

  #settle() {
    const lost = this.#broken.size > 0;
    if (lost !== this.lost) {
      this.lost = lost;
      this.dispatchEvent(new Event("change"));
    }
  }
}

export const connection = new Connection();
