// A text with line numbers, and what is wrong below the line where it stands.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";

class ConfigEditor extends Piece {
  static properties = { text: {}, errors: { attribute: false } };

  constructor() {
    super();
    this.errors = [];
  }

  get area() {
    return this.querySelector("textarea");
  }

  /** Puts the cursor on a line. */
  show(line) {
    const { area } = this;
    const start = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = area.value.indexOf("\n", start);
    area.focus();
    area.setSelectionRange(start, end < 0 ? area.value.length : end);
  }

  write(event) {
    this.tell("written", event.target.value);
  }

  onKey(event) {
    // Tab indents; Escape, then Tab leaves, as the label says.
    if (event.key === "Escape") {
      this.leaves = true;
    } else if (event.key === "Tab" && !event.shiftKey && !this.leaves) {
      event.preventDefault();
      this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
      this.tell("written", this.area.value);
    } else if (event.key !== "Tab") {
      this.leaves = false;
    }
  }

  render() {
    const lines = (this.text ?? "").split("\n");
    const byLine = new Map();
    for (const error of this.errors) {
      const line = error.line ?? 1;
      byLine.set(line, [...(byLine.get(line) ?? []), error.message]);
    }
    return html`<div class="editor">
      <div class="gutter" aria-hidden="true">${lines.map((_, at) => html`<span
        class=${byLine.has(at + 1) ? "wrong" : ""}>${at + 1}</span>`)}</div>
      <div class="sheet">
        <div class="marks" aria-hidden="true">${lines.map(
          (line, at) => html`<div
            class=${byLine.has(at + 1) ? "wrong" : ""}><span>${line || " "}</span>${byLine.has(at + 1) ? html`<em>${byLine.get(at + 1).join(" · ")}</em>` : ""}</div>`,
        )}</div>
        <textarea class="code" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off"
          aria-invalid=${byLine.size > 0 ? "true" : "false"}
          aria-label="Configuration, YAML or JSON. Tab indents; press Escape first to leave with Tab." rows=${Math.max(18, lines.length + 1)} .value=${this.text ?? ""}
          @input=${this.write} @keydown=${this.onKey}></textarea>
      </div>
    </div>`;
  }
}

define("config-editor", ConfigEditor);
