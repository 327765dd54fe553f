// What a text was before, and what it was after that.

/** The most steps that can be taken back. */
const MOST = 200;

export class History {
  #past = [];
  #future = [];
  #mark = null;

  constructor(text) {
    this.text = text;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /**
   * Takes a further text.
   * @param mark of changes that are one step when they follow each other, such as the letters typed into one field; null for
   *   a change that is a step of its own
   */
  write(text, mark = null) {
    if (text === this.text) {
      return;
    }
    if (mark === null || mark !== this.#mark) {
      this.#past.push(this.text);
      this.#past.splice(0, this.#past.length - MOST);
    }
    this.#mark = mark;
    this.#future = [];
    this.text = text;
  }

  undo() {
    this.#step(this.#past, this.#future);
  }

  redo() {
    this.#step(this.#future, this.#past);
  }

  #step(from, to) {
    if (from.length > 0) {
      to.push(this.text);
      this.text = from.pop();
      this.#mark = null;
    }
  }
}
