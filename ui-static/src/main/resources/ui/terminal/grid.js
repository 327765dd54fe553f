// The grid of a terminal: lines of cells, a cursor, and a region that scrolls. Draws nothing.
import { PLAIN, groundOf } from "./pen.js";

const MOST_LINES = 2_000;

/** A line: its cells {text, pen}, and whether it has changed since it was drawn. */
export class Line {
  constructor(cols, pen) {
    this.cells = Array.from({ length: cols }, () => ({ text: " ", pen }));
    this.changed = true;
  }

  get text() {
    return this.cells.map((cell) => cell.text).join("").trimEnd();
  }
}

export class Grid {
  constructor(cols, rows) {
    this.cols = cols;
    this.rows = rows;
    /** What has left the screen above, then the screen. */
    this.lines = [];
    /** Lines that were dropped at the beginning, since the grid was made. */
    this.dropped = 0;
    /** Whether lines that leave the screen stay above it. */
    this.keepsHistory = true;
    this.wraps = false;
    this.blank();
  }

  /** Makes all of it empty. */
  blank() {
    this.lines = Array.from({ length: this.rows }, () => new Line(this.cols, PLAIN));
    this.x = 0;
    this.y = 0;
    this.pen = PLAIN;
    this.region(0, this.rows - 1);
  }

  /** The number of lines above the screen. */
  get base() {
    return this.lines.length - this.rows;
  }

  /**
   * Lines cut or made longer, none wrapped anew. Those above the screen come down where there is room, and the upper ones
   * leave it where there is none; empty ones below the cursor go first.
   *
   * @param of {lines, y} with the rows of before
   * @param keeps whether lines stay above the screen
   * @return {lines, y}
   */
  resized(of, cols, rows, keeps) {
    const lines = [...of.lines];
    const cursor = lines.length - this.rows + of.y;
    for (let fewer = this.rows - rows; fewer > 0 && lines.length - 1 > cursor && lines.at(-1).text === ""; fewer--) {
      lines.pop();
    }
    while (lines.length < rows) {
      lines.push(new Line(cols, PLAIN));
    }
    const y = cursor - (lines.length - rows);
    if (!keeps) {
      lines.splice(0, lines.length - rows);
    }
    for (const line of lines) {
      while (line.cells.length < cols) {
        line.cells.push({ text: " ", pen: PLAIN });
      }
      line.cells.length = cols;
      line.changed = true;
    }
    return { lines, y: Math.max(0, y) };
  }

  at(y) {
    return this.lines[this.base + y];
  }

  touch(y) {
    this.at(y).changed = true;
  }

  region(top, bottom) {
    const right = top >= 0 && bottom > top && bottom < this.rows;
    this.top = right ? top : 0;
    this.bottom = right ? bottom : this.rows - 1;
  }

  move(x, y) {
    this.touch(this.y);
    this.x = Math.min(Math.max(x, 0), this.cols - 1);
    this.y = Math.min(Math.max(y, 0), this.rows - 1);
    this.wraps = false;
    this.touch(this.y);
  }

  put(shown, width, { wrap, insert }) {
    if (width === 0) {
      const before = this.at(this.y).cells[Math.max(0, this.wraps ? this.x : this.x - 1)];
      before.text += before.text.length < 16 ? shown : "";
      this.touch(this.y);
      return;
    }
    if ((this.wraps || (width === 2 && this.x === this.cols - 1)) && wrap) {
      this.move(0, this.y);
      this.feed();
    }
    if (insert) {
      this.shift(width);
    }
    const { cells } = this.at(this.y);
    cells[this.x] = { text: shown, pen: this.pen };
    if (width === 2 && this.x + 1 < this.cols) {
      cells[this.x + 1] = { text: "", pen: this.pen };
    }
    this.touch(this.y);
    this.wraps = this.x + width >= this.cols;
    this.x = Math.min(this.x + width, this.cols - 1);
  }

  feed() {
    if (this.y === this.bottom) {
      this.touch(this.y);
      this.scroll(1, this.top);
    } else {
      this.move(this.x, this.y + 1);
    }
    this.wraps = false;
  }

  feedBack() {
    if (this.y === this.top) {
      this.scroll(-1, this.top);
    } else {
      this.move(this.x, this.y - 1);
    }
  }

  /** Moves the lines from one on to the bottom of the region: up, or down when the count is negative. */
  scroll(count, top) {
    if (top > this.bottom) {
      return;
    }
    const keeps = top === 0 && this.bottom === this.rows - 1 && this.keepsHistory && count > 0;
    for (let i = 0; i < Math.min(Math.abs(count), this.bottom - top + 1); i++) {
      const blank = new Line(this.cols, groundOf(this.pen));
      if (keeps) {
        this.lines.push(blank);
      } else if (count > 0) {
        this.lines.splice(this.base + top, 1);
        this.lines.splice(this.lines.length - this.rows + 1 + this.bottom, 0, blank);
      } else {
        this.lines.splice(this.base + this.bottom, 1);
        this.lines.splice(this.lines.length - this.rows + 1 + top, 0, blank);
      }
    }
    const tooMany = this.lines.length - MOST_LINES - this.rows;
    if (tooMany > 0) {
      this.lines.splice(0, tooMany);
      this.dropped += tooMany;
    }
    this.touch(this.y);
  }

  erase(y, from, to) {
    const { cells } = this.at(y);
    const pen = groundOf(this.pen);
    for (let x = from; x < Math.min(to, this.cols); x++) {
      cells[x] = { text: " ", pen };
    }
    this.wraps = false;
    this.touch(y);
  }

  eraseScreen(which) {
    if (which === 3) {
      this.dropped += this.base;
      this.lines.splice(0, this.base);
      return;
    }
    for (let y = 0; y < this.rows; y++) {
      if (which === 2 || (which === 0 ? y > this.y : y < this.y)) {
        this.erase(y, 0, this.cols);
      }
    }
    if (which !== 2) {
      this.erase(this.y, which === 0 ? this.x : 0, which === 0 ? this.cols : this.x + 1);
    }
  }

  /** Moves the rest of a line to the right, or to the left when the count is negative. */
  shift(count) {
    const { cells } = this.at(this.y);
    const pen = groundOf(this.pen);
    const blanks = Array.from({ length: Math.min(Math.abs(count), this.cols - this.x) }, () => ({ text: " ", pen }));
    if (count > 0) {
      cells.splice(this.x, 0, ...blanks);
      cells.length = this.cols;
    } else {
      cells.splice(this.x, blanks.length);
      cells.push(...blanks);
    }
    this.touch(this.y);
  }
}
