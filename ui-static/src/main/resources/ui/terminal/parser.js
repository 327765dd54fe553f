// The parser of what a program writes to a terminal: text, control characters, and sequences of ECMA-48. What it does not
// know it skips whole. Draws nothing.

const MOST_PARAMETERS = 32;
const LONGEST = 256;

export class Parser {
  #target;
  #state = "ground";
  #parameters = "";
  #marks = "";

  /** @param target {print(character), control(code), escape(marks, character), run(prefix, numbers, marks, final)} */
  constructor(target) {
    this.#target = target;
  }

  write(text) {
    for (const character of text) {
      this.#take(character, character.codePointAt(0));
    }
  }

  #take(character, code) {
    if (this.#state === "string") {
      this.#state = code === 0x1b ? "escape" : code === 0x07 || code === 0x9c ? "ground" : "string";
    } else if (code === 0x1b) {
      this.#state = "escape";
      this.#parameters = "";
      this.#marks = "";
    } else if (code === 0x18 || code === 0x1a) {
      this.#state = "ground";
    } else if (code < 0x20) {
      this.#target.control(code);
    } else if (this.#state === "escape") {
      this.#escape(character, code);
    } else if (this.#state === "sequence") {
      this.#sequence(character, code);
    } else if (code !== 0x7f) {
      this.#target.print(character);
    }
  }

  #escape(character, code) {
    if (code >= 0x20 && code <= 0x2f) {
      this.#marks += this.#marks.length < LONGEST ? character : "";
    } else if (this.#marks === "" && character === "[") {
      this.#state = "sequence";
    } else if (this.#marks === "" && "]PX^_".includes(character)) {
      this.#state = "string";
    } else {
      this.#state = "ground";
      this.#target.escape(this.#marks, character);
    }
  }

  #sequence(character, code) {
    if (code >= 0x30 && code <= 0x3f) {
      this.#parameters += this.#parameters.length < LONGEST ? character : "";
    } else if (code >= 0x20 && code <= 0x2f) {
      this.#marks += this.#marks.length < LONGEST ? character : "";
    } else {
      this.#state = "ground";
      const prefix = /^[<=>?]/.exec(this.#parameters)?.[0] ?? "";
      const numbers = this.#parameters
        .slice(prefix.length)
        .split(";", MOST_PARAMETERS)
        .map((text) => Number.parseInt(text, 10) || 0);
      this.#target.run(prefix, numbers, this.#marks, character);
    }
  }
}
