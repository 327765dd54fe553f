// The screen of a terminal: what a program writes, as lines of cells. Draws nothing. The sequences are those of ECMA-48
// and of xterm ("XTerm Control Sequences"), as far as shells, editors, pagers and monitors use them.

import { GRAPHICS, widthOf } from "./characters.js";
import { Grid, Line } from "./grid.js";
import { Parser } from "./parser.js";
import { PLAIN, painted } from "./pen.js";

const TAB = 8;

/** A screen that reads what a program writes. */
export class Screen extends Grid {
  #answers = "";
  #parser = new Parser(this);
  #charset = 0;
  #graphics = [false, false];
  #saved = null;
  #main = null;

  constructor(cols, rows) {
    super(cols, rows);
    this.reset();
  }

  reset() {
    this.blank();
    this.keepsHistory = true;
    this.modes = { wrap: true, cursor: true, insert: false, applicationKeys: false, pasteMarks: false };
    this.#main = null;
    this.#saved = null;
    this.#graphics = [false, false];
    this.#charset = 0;
  }

  /** The text of the screen, without what has left it. */
  get text() {
    return this.lines.slice(this.base).map((line) => line.text).join("\n").trimEnd();
  }

  /** What the program has asked the terminal, answered; empty when nothing. */
  takeAnswers() {
    const answers = this.#answers;
    this.#answers = "";
    return answers;
  }

  /** The screen in another size, with what was written; see {@link resized}. */
  resize(cols, rows) {
    if (this.#main !== null) {
      Object.assign(this.#main, this.resized(this.#main, cols, rows, true));
    }
    Object.assign(this, this.resized(this, cols, rows, this.keepsHistory), { cols, rows, x: Math.min(this.x, cols - 1), wraps: false });
    this.region(0, rows - 1);
  }

  // ---- what a program writes ------------------------------------------------------------------

  write(text) {
    this.#parser.write(text);
  }

  print(character) {
    const shown = this.#graphics[this.#charset] && character >= "`" && character <= "~" ? GRAPHICS[character.charCodeAt(0) - 0x60] : character;
    this.put(shown, widthOf(shown), this.modes);
  }

  control(code) {
    switch (code) {
      case 0x08:
        this.move(this.x - 1, this.y);
        break;
      case 0x09:
        this.move((Math.floor(this.x / TAB) + 1) * TAB, this.y);
        break;
      case 0x0a:
      case 0x0b:
      case 0x0c:
        this.feed();
        break;
      case 0x0d:
        this.move(0, this.y);
        break;
      case 0x0e:
      case 0x0f:
        this.#charset = 0x0f - code;
        break;
      default:
    }
  }

  escape(marks, character) {
    const set = ["(", ")"].indexOf(marks);
    if (set >= 0) {
      // The set 0 is line drawing.
      this.#graphics[set] = character === "0";
    }
    switch (marks + character) {
      case "7":
        this.#save();
        break;
      case "8":
        this.#restore();
        break;
      case "D":
        this.feed();
        break;
      case "E":
        this.move(0, this.y);
        this.feed();
        break;
      case "M":
        this.feedBack();
        break;
      case "c":
        this.reset();
        break;
      default:
    }
  }

  run(prefix, numbers, marks, final) {
    const first = numbers[0];
    const count = Math.min(Math.max(first, 1), Math.max(this.cols, this.rows));
    if (marks + final === "!p") {
      this.#softReset();
    }
    if (prefix === "?" && (final === "h" || final === "l")) {
      numbers.forEach((mode) => this.#setMode(mode, final === "h"));
    }
    if (marks !== "" || prefix !== "") {
      return;
    }
    switch (final) {
      case "A":
        this.move(this.x, Math.max(this.y - count, this.y >= this.top ? this.top : 0));
        break;
      case "B":
      case "e":
        this.move(this.x, Math.min(this.y + count, this.y <= this.bottom ? this.bottom : this.rows - 1));
        break;
      case "C":
      case "a":
        this.move(this.x + count, this.y);
        break;
      case "D":
        this.move(this.x - count, this.y);
        break;
      case "E":
        this.move(0, this.y + count);
        break;
      case "F":
        this.move(0, this.y - count);
        break;
      case "G":
      case "`":
        this.move(Math.max(first, 1) - 1, this.y);
        break;
      case "d":
        this.move(this.x, Math.max(first, 1) - 1);
        break;
      case "H":
      case "f":
        this.move(Math.max(numbers[1] ?? 1, 1) - 1, Math.max(first, 1) - 1);
        break;
      case "J":
        this.eraseScreen(first);
        break;
      case "K":
        this.erase(this.y, first === 0 ? this.x : 0, first === 1 ? this.x + 1 : this.cols);
        break;
      case "X":
        this.erase(this.y, this.x, this.x + count);
        break;
      case "P":
      case "@":
        this.shift(final === "P" ? -count : count);
        break;
      case "L":
        this.scroll(-count, Math.max(this.y, this.top));
        break;
      case "M":
        this.scroll(count, Math.max(this.y, this.top));
        break;
      case "S":
        this.scroll(count, this.top);
        break;
      case "T":
        this.scroll(-count, this.top);
        break;
      case "r":
        this.region(Math.max(first, 1) - 1, (numbers[1] || this.rows) - 1);
        this.move(0, 0);
        break;
      case "m":
        this.pen = painted(this.pen, numbers);
        break;
      case "h":
      case "l":
        if (first === 4) {
          this.modes.insert = final === "h";
        }
        break;
      case "s":
        this.#save();
        break;
      case "u":
        this.#restore();
        break;
      case "n":
        this.#answers += first === 6 ? `\x1b[${this.y + 1};${this.x + 1}R` : first === 5 ? "\x1b[0n" : "";
        break;
      case "c":
        this.#answers += "\x1b[?1;2c";
        break;
      default:
    }
  }

  #setMode(mode, isOn) {
    switch (mode) {
      case 1:
        this.modes.applicationKeys = isOn;
        break;
      case 7:
        this.modes.wrap = isOn;
        break;
      case 25:
        this.modes.cursor = isOn;
        this.touch(this.y);
        break;
      case 47:
      case 1047:
      case 1049:
        this.#alternate(isOn);
        break;
      case 2004:
        this.modes.pasteMarks = isOn;
        break;
      default:
    }
  }

  #save() {
    this.#saved = { x: this.x, y: this.y, pen: this.pen };
  }

  #restore() {
    const { x, y, pen } = this.#saved ?? { x: 0, y: 0, pen: PLAIN };
    this.pen = pen;
    this.move(x, y);
  }

  #softReset() {
    this.pen = PLAIN;
    Object.assign(this.modes, { wrap: true, cursor: true, insert: false, applicationKeys: false });
    this.region(0, this.rows - 1);
  }

  /** The other screen, of programs that fill all of it; nothing of it stays. */
  #alternate(isOn) {
    if (isOn === (this.#main !== null)) {
      return;
    }
    if (isOn) {
      this.#main = { lines: this.lines, x: this.x, y: this.y, pen: this.pen };
      this.lines = Array.from({ length: this.rows }, () => new Line(this.cols, PLAIN));
      this.keepsHistory = false;
    } else {
      const { lines, x, y, pen } = this.#main;
      this.#main = null;
      this.keepsHistory = true;
      this.lines = lines;
      this.pen = pen;
      this.region(0, this.rows - 1);
      this.move(x, y);
    }
  }
}
