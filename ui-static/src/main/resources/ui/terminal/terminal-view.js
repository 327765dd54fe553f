// A terminal of xterm's kind: draws its screen, sends what is typed and pasted, and follows the size of its place.
import { html, nothing } from "lit";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { pasted, textOf } from "./keys.js";
import { Screen } from "./screen.js";

const USUAL = { cols: 80, rows: 24 };
const LEAST = { cols: 20, rows: 5 };
const MOST = 500;
/** Colours 0 to 15 have names in the style sheet, for dark and light; the others are those of xterm's cube. */
const NAMED = 16;

class TerminalView extends Piece {
  static properties = { label: {}, line: {}, open: { attribute: false }, refusal: { attribute: false }, ended: { state: true } };

  #screen = new Screen(USUAL.cols, USUAL.rows);
  #socket = null;
  #drawn = [];
  #dropped = 0;
  #frame = 0;
  #encoder = new TextEncoder();

  constructor() {
    super();
    /** A line that is typed when it opens; null for none. */
    this.line = null;
    /** Words on how it ended; null while it is open. */
    this.ended = null;
  }

  firstUpdated() {
    this.#begin();
    const observer = new ResizeObserver(() => this.#fit());
    observer.observe(this.#place);
    this.keep(() => observer.disconnect());
    this.keep(() => this.#socket?.close());
    this.keep(() => cancelAnimationFrame(this.#frame));
  }

  get #place() {
    return this.querySelector(".terminal");
  }

  get #field() {
    return this.querySelector("textarea");
  }

  #begin() {
    this.ended = null;
    const decoder = new TextDecoder();
    const socket = this.open();
    let opened = false;
    let exitCode = null;
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      opened = true;
      this.#tellSize();
      this.#send(this.line === null ? "" : `${this.line}\r`);
      this.#field?.focus();
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") {
        exitCode = JSON.parse(data).exitCode;
      } else {
        this.#screen.write(decoder.decode(data, { stream: true }));
        this.#send(this.#screen.takeAnswers());
        this.#soon();
      }
    });
    socket.addEventListener("close", async ({ reason }) => {
      this.#socket = null;
      const why = opened ? reason : await this.refusal();
      this.ended =
        exitCode === null
          ? why || (opened ? "The connection to the terminal is lost." : "The terminal could not be opened.")
          : `The shell has ended with exit code ${exitCode}.`;
      this.#screen.touch(this.#screen.y);
      this.#soon();
    });
  }

  #again() {
    this.#screen.reset();
    this.#soon();
    this.#begin();
  }

  #send(text) {
    if (text !== "" && this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(this.#encoder.encode(text));
    }
  }

  // ---- size -----------------------------------------------------------------------------------

  #fit() {
    const probe = this.querySelector(".probe").getBoundingClientRect();
    const place = this.#place;
    const style = getComputedStyle(place);
    const across = place.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const down = place.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
    const fits = (room, of, least) => Math.min(MOST, Math.max(least, Math.floor(room / of) || least));
    const cols = fits(across, probe.width / 10, LEAST.cols);
    const rows = fits(down, probe.height, LEAST.rows);
    if (cols !== this.#screen.cols || rows !== this.#screen.rows) {
      this.#screen.resize(cols, rows);
      this.#tellSize();
      this.#soon();
    }
  }

  #tellSize() {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      const { cols, rows } = this.#screen;
      this.#socket.send(JSON.stringify({ cols, rows }));
    }
  }

  // ---- drawing --------------------------------------------------------------------------------

  /** Draws before the next frame of the browser, however much is written until then. */
  #soon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const rows = this.querySelector(".lines");
    if (rows === null) {
      return;
    }
    const place = this.#place;
    const follows = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
    const screen = this.#screen;
    for (; this.#dropped < screen.dropped; this.#dropped++) {
      rows.firstChild?.remove();
      this.#drawn.shift();
    }
    while (rows.childElementCount > screen.lines.length) {
      rows.lastChild.remove();
      this.#drawn.pop();
    }
    screen.lines.forEach((line, at) => {
      if (this.#drawn[at] !== line || line.changed) {
        const row = rows.children[at] ?? rows.appendChild(document.createElement("div"));
        const cursor = at === screen.base + screen.y && screen.modes.cursor && this.ended === null ? screen.x : -1;
        row.replaceChildren(...runsOf(line, cursor));
        line.changed = false;
        this.#drawn[at] = line;
      }
    });
    if (follows) {
      place.scrollTop = place.scrollHeight;
    }
  }

  // ---- typing ---------------------------------------------------------------------------------

  #onKey(event) {
    if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === "x") {
      event.preventDefault();
      this.querySelector(".after").focus();
      return;
    }
    if (event.ctrlKey && event.key === "c" && !window.getSelection().isCollapsed) {
      return;
    }
    const text = textOf(event, this.#screen.modes);
    if (text !== null) {
      event.preventDefault();
      // The page has shortcuts of its own.
      event.stopPropagation();
      this.#type(text);
    }
  }

  #onInput(event) {
    if (!event.isComposing) {
      this.#type(this.#field.value);
      this.#field.value = "";
    }
  }

  #onPaste(event) {
    event.preventDefault();
    this.#type(pasted(event.clipboardData.getData("text/plain"), this.#screen.modes));
  }

  #type(text) {
    this.#place.scrollTop = this.#place.scrollHeight;
    this.#send(text);
  }

  #onPointer() {
    if (window.getSelection().isCollapsed) {
      this.#field?.focus({ preventScroll: true });
    }
  }

  render() {
    return html`<div class="terminal" @mouseup=${() => this.#onPointer()}>
        <span class="probe" aria-hidden="true">WWWWWWWWWW</span>
        <div class="lines" role="log" aria-label="Screen"></div>
        ${this.ended === null
          ? html`<textarea aria-label=${this.label} autocapitalize="off" autocomplete="off" spellcheck="false" rows="1"
              @keydown=${(event) => this.#onKey(event)} @input=${(event) => this.#onInput(event)}
              @compositionend=${(event) => this.#onInput(event)} @paste=${(event) => this.#onPaste(event)}></textarea>`
          : nothing}
      </div>
      <p class="inset small soft after" tabindex="-1" role="status">${this.ended === null
        ? html`<kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>X</kbd> leaves the terminal`
        : html`${this.ended} <button type="button" class="small" @click=${() => this.#again()}>${icon("retry")}Open again</button>`}</p>`;
  }
}

/** A line as pieces of text that look alike. */
function runsOf(line, cursor) {
  const pieces = [];
  let last = null;
  line.cells.forEach(({ text, pen }, x) => {
    const isCursor = x === cursor;
    if (last === null || last.pen !== pen || isCursor || last.isCursor) {
      last = { pen, isCursor, text: "" };
      pieces.push(last);
    }
    last.text += text;
  });
  const end = pieces.at(-1);
  if (end !== undefined && !end.isCursor && end.pen.background === undefined && !end.pen.inverse) {
    end.text = end.text.trimEnd();
  }
  return pieces.filter(({ text }) => text !== "").map(pieceOf);
}

function pieceOf({ text, pen, isCursor }) {
  const piece = document.createElement("span");
  piece.textContent = text;
  for (const flag of ["bold", "dim", "italic", "underlined", "inverse", "struck"]) {
    piece.classList.toggle(flag, pen[flag] === true);
  }
  piece.classList.toggle("cursor", isCursor);
  const colour = colourOf(pen.colour);
  const background = colourOf(pen.background);
  if (colour !== null) {
    piece.style.setProperty("--ink", colour);
  }
  if (background !== null) {
    piece.style.setProperty("--paper", background);
  }
  return piece;
}

function colourOf(colour) {
  if (colour === undefined) {
    return null;
  }
  if (typeof colour === "string") {
    return colour;
  }
  if (colour < NAMED) {
    return `var(--ansi-${colour})`;
  }
  if (colour >= 232) {
    const grey = 8 + (colour - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const part = (of) => (of === 0 ? 0 : 55 + of * 40);
  const cube = colour - NAMED;
  return `rgb(${part(Math.floor(cube / 36))} ${part(Math.floor(cube / 6) % 6)} ${part(cube % 6)})`;
}

define("terminal-view", TerminalView);
