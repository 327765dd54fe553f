// A shell in place of a task's program, beside the page: what it writes, and a line to type into. `close` is called when
// it is closed, which ends the shell and its run.
import { html } from "lit";
import { runs } from "../api/pipelines.js";
import { shells } from "../api/shells.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { isLive } from "../kit/status.js";

const LOOK_MILLIS = 500;
const MOST_CHARACTERS = 200_000;
/** What moves the cursor of a terminal, colours its text or names its window. */
const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_=>])/g;

/** The text of a terminal without what is not text; a line that is written again stands once. */
export function plain(text) {
  return text
    .replace(ESCAPES, "")
    .replace(/\r+\n/g, "\n")
    .replace(/[^\n]*\r(?!\n)/g, "")
    .replace(/[^\n]\x08/g, "")
    .replace(/[\x00-\x08\x0b-\x1f]/g, "");
}

class ShellPanel extends Piece {
  static properties = { run: {}, task: {}, workload: {}, close: { attribute: false }, text: { state: true }, state: { state: true } };

  #socket = null;
  #raw = "";
  /** What was typed before the connection was there. */
  #early = "";

  constructor() {
    super();
    this.text = "";
    this.state = "starting";
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.end());
    this.begin();
  }

  /** Opens the terminal once its program runs. */
  async begin() {
    while (this.isConnected && this.state === "starting") {
      const [run, workload] = await Promise.all([runs.get(this.run), shells.find(this.workload)].map((asked) => asked.catch(() => null)));
      if (run !== null && !isLive(run.status)) {
        this.over(run.error ?? "The run is over.");
      } else if (workload?.status === "READY") {
        this.open();
      } else {
        await new Promise((passed) => setTimeout(passed, LOOK_MILLIS));
      }
    }
  }

  open() {
    if (!this.isConnected) {
      return;
    }
    this.state = "open";
    const decoder = new TextDecoder();
    const socket = shells.open(this.workload);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.write(this.#early);
      this.#early = "";
      this.updateComplete.then(() => this.querySelector("input")?.focus());
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") {
        this.#raw = (this.#raw + decoder.decode(data, { stream: true })).slice(-MOST_CHARACTERS);
        this.text = plain(this.#raw);
      }
    });
    socket.addEventListener("close", ({ reason }) => this.over(reason || "The shell has ended."));
  }

  over(why) {
    this.state = why;
    this.stop();
  }

  /** Ends the run, if it is not over already. */
  stop() {
    runs.command(this.run, "stop").catch(() => {});
  }

  end() {
    const begun = this.#socket !== null || this.state === "starting";
    this.#socket?.close();
    this.#socket = null;
    if (begun) {
      this.stop();
    }
  }

  type(event) {
    event.preventDefault();
    const field = this.querySelector("input");
    this.write(field.value + "\n");
    field.value = "";
  }

  write(text) {
    const state = this.#socket?.readyState;
    if (state === WebSocket.CONNECTING) {
      this.#early += text;
    } else if (state === WebSocket.OPEN && text !== "") {
      this.#socket.send(new TextEncoder().encode(text));
    }
  }

  onKey(event) {
    const key = event.ctrlKey ? { c: "\x03", d: "\x04" }[event.key] : undefined;
    if (key && window.getSelection().isCollapsed) {
      event.preventDefault();
      this.write(key);
    }
  }

  updated() {
    const log = this.querySelector("pre");
    log.scrollTop = log.scrollHeight;
  }

  render() {
    const isOpen = this.state === "open";
    return html`<aside class="panel" aria-label="Shell of ${this.task}">
      <header><h2>Shell of ${this.task}</h2>
        <div class="end"><button type="button" class="plain square" aria-label="End the shell" @click=${() => this.close()}>${icon("close")}</button></div></header>
      <p class="inset small soft">In place of the program, with its code, inputs and variables. <code>$ORRERY_COMMAND</code> is its command; the run ends with the shell.</p>
      <pre class="log inset" tabindex="0" role="log" aria-label="What the shell writes">${this.text}</pre>
      ${isOpen
        ? html`<form class="inset" @submit=${this.type}><label class="field"><span class="unseen">Command</span>
            <input class="code" name="command" autocomplete="off" spellcheck="false" placeholder="A command; Ctrl C interrupts it" @keydown=${this.onKey}></label></form>`
        : html`<p class="inset small ${this.state === "starting" ? "faint" : ""}" role="status">${this.state === "starting" ? "The shell is starting …" : this.state}</p>`}
    </aside>`;
  }
}

define("shell-panel", ShellPanel);
