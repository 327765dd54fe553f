// The screen of a terminal: what a program writes, as lines of cells. Draws nothing. The sequences are those of ECMA-48
// and of xterm ("XTerm Control Sequences"), as far as shells, editors, pagers and monitors use them.

const MOST_LINES = 2_000;
const MOST_PARAMETERS = 32;
const TAB = 8;
const PLAIN = Object.freeze({});
/** The line drawing of DEC's special graphics, from ` to ~. */
const GRAPHICS = [..."◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"];
const COMBINING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Unicode's East Asian wide characters and emoji, by their ranges. */
const WIDE = [
  [0x1100, 0x115f], [0x2e80, 0x303e], [0x3041, 0x33ff], [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xa000, 0xa4cf], [0xac00, 0xd7a3],
  [0xf900, 0xfaff], [0xfe30, 0xfe6f], [0xff00, 0xff60], [0xffe0, 0xffe6], [0x1f300, 0x1f64f], [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff], [0x20000, 0x3fffd],
];

/** The columns that a character takes: 0, 1 or 2. */
export function widthOf(character) {
  const code = character.codePointAt(0);
  if (code < 0x300) {
    return 1;
  }
  return COMBINING.test(character) ? 0 : WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** A line: its cells {text, pen}, and whether it has changed since it was drawn. */
class Line {
  constructor(cols, pen) {
    this.cells = Array.from({ length: cols }, () => ({ text: " ", pen }));
    this.changed = true;
  }

  get text() {
    return this.cells.map((cell) => cell.text).join("").trimEnd();
  }
}

export class Screen {
  #answers = "";
  #state = "ground";
  #parameters = "";
  #marks = "";
  #charset = 0;
  #graphics = [false, false];
  #wraps = false;
  #saved = null;
  #main = null;
  #top = 0;
  #bottom;

  constructor(cols, rows) {
    this.cols = cols;
    this.rows = rows;
    /** What has left the screen above, then the screen. */
    this.lines = [];
    /** Lines that were dropped at the beginning, since the screen was made. */
    this.dropped = 0;
    this.reset();
  }

  reset() {
    this.lines = Array.from({ length: this.rows }, () => new Line(this.cols, PLAIN));
    this.x = 0;
    this.y = 0;
    this.pen = PLAIN;
    this.modes = { wrap: true, cursor: true, insert: false, applicationKeys: false, pasteMarks: false };
    this.#main = null;
    this.#saved = null;
    this.#graphics = [false, false];
    this.#charset = 0;
    this.#region(0, this.rows - 1);
  }

  /** The number of lines above the screen. */
  get base() {
    return this.lines.length - this.rows;
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

  write(text) {
    for (const character of text) {
      this.#take(character, character.codePointAt(0));
    }
  }

  /** Lines are cut or made longer; none is wrapped anew. */
  resize(cols, rows) {
    const main = this.#main;
    this.lines = this.#resized(this.lines, cols, rows, main === null);
    if (main !== null) {
      main.lines = this.#resized(main.lines, cols, rows, false);
      main.y = Math.min(main.y, rows - 1);
    }
    this.cols = cols;
    this.rows = rows;
    this.x = Math.min(this.x, cols - 1);
    this.y = Math.min(Math.max(this.y, 0), rows - 1);
    this.#wraps = false;
    this.#region(0, rows - 1);
  }

  #resized(lines, cols, rows, movesCursor) {
    const all = [...lines];
    for (let more = rows - this.rows; more > 0; more--) {
      if (movesCursor && all.length > rows - more) {
        this.y++;
      } else {
        all.push(new Line(cols, PLAIN));
      }
    }
    for (let fewer = this.rows - rows; fewer > 0; fewer--) {
      if (movesCursor && this.y < this.rows - 1 && all.at(-1).text === "") {
        all.pop();
      } else if (movesCursor) {
        this.y--;
      } else {
        all.pop();
      }
    }
    for (const line of all) {
      while (line.cells.length < cols) {
        line.cells.push({ text: " ", pen: PLAIN });
      }
      line.cells.length = cols;
    }
    return all;
  }

  // ---- reading what is written ----------------------------------------------------------------

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
      this.#control(code);
    } else if (this.#state === "escape") {
      this.#escape(character);
    } else if (this.#state === "sequence") {
      this.#sequence(character, code);
    } else if (code !== 0x7f) {
      this.#put(character);
    }
  }

  #control(code) {
    switch (code) {
      case 0x08:
        this.#move(this.x - 1, this.y);
        break;
      case 0x09:
        this.#move((Math.floor(this.x / TAB) + 1) * TAB, this.y);
        break;
      case 0x0a:
      case 0x0b:
      case 0x0c:
        this.#feed();
        break;
      case 0x0d:
        this.#move(0, this.y);
        break;
      case 0x0e:
      case 0x0f:
        this.#charset = 0x0f - code;
        break;
      default:
    }
  }

  #escape(character) {
    if (this.#marks !== "" && this.#marks !== "#") {
      // The character set that the marks choose: 0 is line drawing.
      const set = "()".indexOf(this.#marks);
      if (set >= 0) {
        this.#graphics[set] = character === "0";
      }
      this.#state = "ground";
      return;
    }
    this.#state = "ground";
    switch (character) {
      case "[":
        this.#state = "sequence";
        break;
      case "]":
      case "P":
      case "X":
      case "^":
      case "_":
        this.#state = "string";
        break;
      case "(":
      case ")":
      case "*":
      case "+":
      case "#":
      case "%":
        this.#marks = character;
        this.#state = "escape";
        break;
      case "7":
        this.#save();
        break;
      case "8":
        this.#restore();
        break;
      case "D":
        this.#feed();
        break;
      case "E":
        this.#move(0, this.y);
        this.#feed();
        break;
      case "M":
        this.#feedBack();
        break;
      case "c":
        this.reset();
        break;
      default:
    }
  }

  #sequence(character, code) {
    if (code >= 0x30 && code <= 0x3f) {
      this.#parameters += character;
    } else if (code >= 0x20 && code <= 0x2f) {
      this.#marks += character;
    } else {
      this.#state = "ground";
      this.#run(character);
    }
  }

  #run(final) {
    const isPrivate = /^[<=>?]/.test(this.#parameters);
    const numbers = this.#parameters
      .replace(/^[<=>?]/, "")
      .split(";", MOST_PARAMETERS)
      .map((text) => Number.parseInt(text, 10) || 0);
    const first = numbers[0];
    const count = Math.min(Math.max(first, 1), Math.max(this.cols, this.rows, 1));
    if (this.#marks === "!" && final === "p") {
      this.#softReset();
    } else if (this.#marks !== "") {
      return;
    } else if (isPrivate) {
      this.#runPrivate(final, numbers);
      return;
    }
    switch (final) {
      case "A":
        this.#move(this.x, Math.max(this.y - count, this.y >= this.#top ? this.#top : 0));
        break;
      case "B":
      case "e":
        this.#move(this.x, Math.min(this.y + count, this.y <= this.#bottom ? this.#bottom : this.rows - 1));
        break;
      case "C":
      case "a":
        this.#move(this.x + count, this.y);
        break;
      case "D":
        this.#move(this.x - count, this.y);
        break;
      case "E":
        this.#move(0, this.y + count);
        break;
      case "F":
        this.#move(0, this.y - count);
        break;
      case "G":
      case "`":
        this.#move(Math.max(first, 1) - 1, this.y);
        break;
      case "d":
        this.#move(this.x, Math.max(first, 1) - 1);
        break;
      case "H":
      case "f":
        this.#move(Math.max(numbers[1] ?? 1, 1) - 1, Math.max(first, 1) - 1);
        break;
      case "J":
        this.#eraseScreen(first);
        break;
      case "K":
        this.#erase(this.y, first === 0 ? this.x : 0, first === 1 ? this.x + 1 : this.cols);
        break;
      case "X":
        this.#erase(this.y, this.x, this.x + count);
        break;
      case "P":
      case "@":
        this.#shift(final === "P" ? -count : count);
        break;
      case "L":
        this.#scroll(-count, Math.max(this.y, this.#top));
        break;
      case "M":
        this.#scroll(count, Math.max(this.y, this.#top));
        break;
      case "S":
        this.#scroll(count, this.#top);
        break;
      case "T":
        this.#scroll(-count, this.#top);
        break;
      case "r":
        this.#region(Math.max(first, 1) - 1, (numbers[1] || this.rows) - 1);
        this.#move(0, 0);
        break;
      case "m":
        this.#paint(numbers);
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

  #runPrivate(final, numbers) {
    if (final !== "h" && final !== "l") {
      return;
    }
    const isOn = final === "h";
    for (const mode of numbers) {
      switch (mode) {
        case 1:
          this.modes.applicationKeys = isOn;
          break;
        case 7:
          this.modes.wrap = isOn;
          break;
        case 25:
          this.modes.cursor = isOn;
          this.#touch(this.y);
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
  }

  // ---- changing the screen --------------------------------------------------------------------

  #at(y) {
    return this.lines[this.base + y];
  }

  #touch(y) {
    this.#at(y).changed = true;
  }

  #region(top, bottom) {
    const right = top >= 0 && bottom > top && bottom < this.rows;
    this.#top = right ? top : 0;
    this.#bottom = right ? bottom : this.rows - 1;
  }

  #move(x, y) {
    this.#touch(this.y);
    this.x = Math.min(Math.max(x, 0), this.cols - 1);
    this.y = Math.min(Math.max(y, 0), this.rows - 1);
    this.#wraps = false;
    this.#touch(this.y);
  }

  #put(character) {
    const shown = this.#graphics[this.#charset] && character >= "`" && character <= "~" ? GRAPHICS[character.charCodeAt(0) - 0x60] : character;
    const width = widthOf(shown);
    if (width === 0) {
      const before = this.#at(this.y).cells[Math.max(0, this.#wraps ? this.x : this.x - 1)];
      before.text += before.text.length < 16 ? shown : "";
      this.#touch(this.y);
      return;
    }
    if ((this.#wraps || (width === 2 && this.x === this.cols - 1)) && this.modes.wrap) {
      this.#move(0, this.y);
      this.#feed();
    }
    if (this.modes.insert) {
      this.#shift(width);
    }
    const { cells } = this.#at(this.y);
    cells[this.x] = { text: shown, pen: this.pen };
    if (width === 2 && this.x + 1 < this.cols) {
      cells[this.x + 1] = { text: "", pen: this.pen };
    }
    this.#touch(this.y);
    this.#wraps = this.x + width >= this.cols;
    this.x = Math.min(this.x + width, this.cols - 1);
  }

  #feed() {
    if (this.y === this.#bottom) {
      this.#touch(this.y);
      this.#scroll(1, this.#top);
    } else {
      this.#move(this.x, this.y + 1);
    }
    this.#wraps = false;
  }

  #feedBack() {
    if (this.y === this.#top) {
      this.#scroll(-1, this.#top);
    } else {
      this.#move(this.x, this.y - 1);
    }
  }

  /** Moves the lines from one on to the bottom of the region: up, or down when the count is negative. */
  #scroll(count, top) {
    if (top > this.#bottom) {
      return;
    }
    const keeps = top === 0 && this.#bottom === this.rows - 1 && this.#main === null && count > 0;
    for (let i = 0; i < Math.min(Math.abs(count), this.#bottom - top + 1); i++) {
      const blank = new Line(this.cols, this.#ground());
      if (keeps) {
        this.lines.push(blank);
      } else if (count > 0) {
        this.lines.splice(this.base + top, 1);
        this.lines.splice(this.lines.length - this.rows + 1 + this.#bottom, 0, blank);
          } else {
        this.lines.splice(this.base + this.#bottom, 1);
        this.lines.splice(this.lines.length - this.rows + 1 + top, 0, blank);
          }
    }
    const tooMany = this.lines.length - MOST_LINES - this.rows;
    if (tooMany > 0) {
      this.lines.splice(0, tooMany);
      this.dropped += tooMany;
    }
    this.#touch(this.y);
  }

  /** A pen for what is erased: the background alone stays. */
  #ground() {
    return this.pen.background === undefined ? PLAIN : Object.freeze({ background: this.pen.background });
  }

  #erase(y, from, to) {
    const { cells } = this.#at(y);
    const pen = this.#ground();
    for (let x = from; x < Math.min(to, this.cols); x++) {
      cells[x] = { text: " ", pen };
    }
    this.#wraps = false;
    this.#touch(y);
  }

  #eraseScreen(which) {
    if (which === 3) {
      this.dropped += this.base;
      this.lines.splice(0, this.base);
      return;
    }
    for (let y = 0; y < this.rows; y++) {
      if (which === 2 || (which === 0 ? y > this.y : y < this.y)) {
        this.#erase(y, 0, this.cols);
      }
    }
    if (which !== 2) {
      this.#erase(this.y, which === 0 ? this.x : 0, which === 0 ? this.cols : this.x + 1);
    }
  }

  /** Moves the rest of a line to the right, or to the left when the count is negative. */
  #shift(count) {
    const { cells } = this.#at(this.y);
    const pen = this.#ground();
    const blanks = Array.from({ length: Math.min(Math.abs(count), this.cols - this.x) }, () => ({ text: " ", pen }));
    if (count > 0) {
      cells.splice(this.x, 0, ...blanks);
      cells.length = this.cols;
    } else {
      cells.splice(this.x, blanks.length);
      cells.push(...blanks);
    }
    this.#touch(this.y);
  }

  #save() {
    this.#saved = { x: this.x, y: this.y, pen: this.pen };
  }

  #restore() {
    const { x, y, pen } = this.#saved ?? { x: 0, y: 0, pen: PLAIN };
    this.pen = pen;
    this.#move(x, y);
  }

  #softReset() {
    this.pen = PLAIN;
    Object.assign(this.modes, { wrap: true, cursor: true, insert: false, applicationKeys: false });
    this.#region(0, this.rows - 1);
  }

  /** The other screen, of programs that fill all of it; nothing of it stays. */
  #alternate(isOn) {
    if (isOn === (this.#main !== null)) {
      return;
    }
    if (isOn) {
      this.#main = { lines: this.lines, x: this.x, y: this.y, pen: this.pen };
      this.lines = Array.from({ length: this.rows }, () => new Line(this.cols, PLAIN));
    } else {
      const { lines, x, y, pen } = this.#main;
      this.#main = null;
      this.lines = lines;
      this.pen = pen;
      this.#region(0, this.rows - 1);
      this.#move(x, y);
    }
  }

  /** SGR: colours are numbers of the palette of 256, or texts such as #00ff7f. */
  #paint(numbers) {
    const pen = { ...this.pen };
    for (let i = 0; i < numbers.length; i++) {
      const code = numbers[i];
      if (code === 38 || code === 48) {
        const of = code === 38 ? "colour" : "background";
        if (numbers[i + 1] === 5) {
          pen[of] = (numbers[i + 2] ?? 0) & 255;
          i += 2;
        } else if (numbers[i + 1] === 2) {
          pen[of] = "#" + [2, 3, 4].map((at) => ((numbers[i + at] ?? 0) & 255).toString(16).padStart(2, "0")).join("");
          i += 4;
        }
      } else if (code === 0) {
        Object.keys(pen).forEach((key) => delete pen[key]);
      } else if (code in FLAGS) {
        pen[FLAGS[code]] = true;
      } else if (code in ENDS) {
        ENDS[code].forEach((key) => delete pen[key]);
      } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
        pen.colour = code < 90 ? code - 30 : code - 82;
      } else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) {
        pen.background = code < 100 ? code - 40 : code - 92;
      }
    }
    this.pen = Object.keys(pen).length === 0 ? PLAIN : Object.freeze(pen);
  }
}

const FLAGS = { 1: "bold", 2: "dim", 3: "italic", 4: "underlined", 7: "inverse", 9: "struck" };
const ENDS = { 22: ["bold", "dim"], 23: ["italic"], 24: ["underlined"], 27: ["inverse"], 29: ["struck"], 39: ["colour"], 49: ["background"] };
