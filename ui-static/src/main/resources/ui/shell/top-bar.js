// Brand, where one is, theme and help.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";
import { icon } from "../kit/icons.js";
import { theme, THEMES } from "./theme.js";
import { openShortcutSheet } from "./shortcut-sheet.js";

const THEME_ICONS = { system: "system", light: "sun", dark: "moon" };

class TopBar extends Piece {
  static properties = { at: {} };

  connectedCallback() {
    super.connectedCallback();
    this.listen(theme, "change", () => this.requestUpdate());
  }

  render() {
    const page = this.at.page;
    return html`
      <header class="top">
        <a class="brand" href="#/" aria-label="Orrery, all experiments">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <circle class="sun" cx="16" cy="16" r="3.6" />
            <ellipse cx="16" cy="16" rx="13" ry="6.4" transform="rotate(-28 16 16)" />
            <circle class="planet" cx="27.2" cy="9.6" r="3" />
          </svg>
          <span>Orrery</span>
        </a>
        <nav aria-label="Main">
          <a href="#/" aria-current=${page === "list" || page === "experiment" ? "page" : "false"}>Experiments</a>
          <a href="#/services" aria-current=${page === "services" ? "page" : "false"}>Services</a>
          <a href="#/log" aria-current=${page === "log" ? "page" : "false"}>Log</a>
          <a href="#/about" aria-current=${page === "about" ? "page" : "false"}>Help</a>
        </nav>
        <div class="end">
          <div class="switch" role="group" aria-label="Theme">
            ${THEMES.map(
              (name) => html`<button type="button" aria-pressed=${theme.chosen === name} title="Theme: ${name}"
                @click=${() => theme.choose(name)}>
                ${icon(THEME_ICONS[name])}<span class="unseen">${name} theme</span>
              </button>`,
            )}
          </div>
          <button type="button" class="plain square" title="Keyboard shortcuts (?)" @click=${openShortcutSheet}>
            <span aria-hidden="true">?</span><span class="unseen">Keyboard shortcuts</span>
          </button>
        </div>
      </header>
    `;
  }
}

define("top-bar", TopBar);
