// What the keyboard can do here, on `?`.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";
import { icon } from "../kit/icons.js";
import { allShortcuts } from "./keyboard.js";

const SHOWN = { Escape: "Esc", Enter: "↵" };

export const openShortcutSheet = () => document.querySelector("shortcut-sheet").open();

class ShortcutSheet extends Piece {
  open() {
    this.requestUpdate();
    this.updateComplete.then(() => this.querySelector("dialog").showModal());
  }

  render() {
    return html`
      <dialog class="sheet" aria-labelledby="shortcuts-title" @click=${this.closeOutside}>
        <header><h2 id="shortcuts-title">Keyboard shortcuts</h2>
          <button type="button" class="plain square" aria-label="Close" @click=${this.close}>${icon("close")}</button></header>
        <div class="shortcut-groups">
          ${allShortcuts().map(
            (group) => html`<section>
              <h3>${group.title}</h3>
              <dl>
                ${Object.entries(group.bindings).map(
                  ([keys, [what]]) => html`<div><dt>${keys.split(" ").map((key) => html`<kbd>${SHOWN[key] ?? key}</kbd> `)}</dt><dd>${what}</dd></div>`,
                )}
              </dl>
            </section>`,
          )}
        </div>
      </dialog>
    `;
  }

  close() {
    this.querySelector("dialog").close();
  }

  closeOutside(event) {
    if (event.target.tagName === "DIALOG") {
      this.close();
    }
  }
}

define("shortcut-sheet", ShortcutSheet);
