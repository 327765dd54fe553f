// Brand, where one is, theme and help.
import { html, nothing } from "lit";
import { Piece, define } from "../kit/piece.js";
import { icon } from "../kit/icons.js";
import { menu } from "../kit/menu.js";
import { account } from "../people/account.js";
import { chosen } from "../people/chosen-project.js";
import { addressOfPage, allPages, pageOf } from "./pages.js";
import { theme, THEMES } from "./theme.js";
import { openShortcutSheet } from "./shortcut-sheet.js";

const THEME_ICONS = { system: "system", light: "sun", dark: "moon" };

class TopBar extends Piece {
  static properties = { at: {} };

  connectedCallback() {
    super.connectedCallback();
    this.listen(theme, "change", () => this.requestUpdate());
    this.listen(account, "change", () => this.requestUpdate());
    this.listen(chosen, "change", () => this.requestUpdate());
    account.begin();
    chosen.known();
  }

  updated() {
    const nav = this.querySelector("nav");
    const here = nav.querySelector("[aria-current=page]");
    if (here && nav.scrollWidth > nav.clientWidth) {
      nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
    }
  }

  render() {
    const here = pageOf(this.at.page)?.under ?? this.at.page;
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
          ${allPages()
            .filter((page) => page.navigation)
            .map((page) => html`<a href=${addressOfPage(page)} aria-current=${page.name === here ? "page" : "false"}>${page.navigation}</a>`)}
        </nav>
        <div class="end">
          ${chosen.names.length > 1 ? projectSwitcher() : nothing}
          ${account.who ? accountMenu(account) : nothing}
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

const projectSwitcher = () => html`<select class="project" aria-label="Project" title="Show only what belongs to this project"
  @change=${(event) => chosen.choose(event.target.value)}>
  <option value="" .selected=${chosen.name === ""}>All projects</option>
  ${chosen.names.map((name) => html`<option value=${name} .selected=${name === chosen.name}>${name}</option>`)}
</select>`;

const accountMenu = ({ who, isAdmin }) => menu(
  html`${icon("person")}<span class="who">${who.user}</span>`,
  allPages()
    .filter((page) => page.menu && (isAdmin || !page.forAdmins))
    .map((page) => html`<a href=${addressOfPage(page)} data-closes>${page.menu}</a>`),
  { title: `Account of ${who.user}`, look: "plain account" },
);

define("top-bar", TopBar);
