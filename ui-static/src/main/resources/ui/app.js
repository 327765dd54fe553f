// The page: what the address names, below the bar that is always there.
import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { session } from "./api.js";
import { me } from "./api/people.js";
import { later } from "./kit/later.js";
import { Piece, define } from "./kit/piece.js";
import { chosen } from "./people/chosen-project.js";
import { addressOfPage, allPages, modules, pageOf } from "./shell/pages.js";
import { navigate, route } from "./shell/router.js";
import { shortcuts } from "./shell/keyboard.js";
import { openShortcutSheet } from "./shell/shortcut-sheet.js";
import { turnTheme } from "./shell/theme.js";
import "./shell/top-bar.js";
import "./shell/banner.js";
import "./shell/toasts.js";
import "./shell/sign-in.js";
import { loadingRows } from "./experiments/list-states.js";
import "./pages.js";

const lost = () => html`<div class="state"><h1>There is no such page</h1><p><a href="#/">All experiments</a></p></div>`;

/** The shortcuts that open pages. */
const openers = () =>
  Object.fromEntries(
    allPages()
      .filter((page) => page.shortcut)
      .map((page) => [page.shortcut[0], [page.shortcut[1], () => navigate(addressOfPage(page))]]),
  );

class OrreryApp extends Piece {
  // Another turn shows the page anew, when another project was chosen; one that is kept stays.
  static properties = { at: { state: true }, locked: { state: true }, turn: { state: true } };

  constructor() {
    super();
    this.at = route.current;
    this.locked = false;
    this.turn = 0;
    this.isReady = later(modules, () => this.requestUpdate(), () => this.missed());
  }

  connectedCallback() {
    // The skeleton that the document came with.
    this.replaceChildren();
    super.connectedCallback();
    this.listen(route, "change", () => this.show());
    this.listen(chosen, "chosen", () => this.turn++);
    this.listen(session, "wanted", () => (this.locked = true));
    this.listen(session, "granted", () => this.unlock());
    this.keep(
      shortcuts("Everywhere", {
        ...openers(),
        t: ["Other theme", turnTheme],
        "/": ["Search", () => this.querySelector("input[type=search]")?.focus()],
        "?": ["This list", openShortcutSheet],
      }),
    );
    this.show();
  }

  /** A module could not be had: the server has gone, or wants to know who asks. */
  missed() {
    this.lacksModules = true;
    me().catch(() => {});
  }

  unlock() {
    if (this.lacksModules) {
      // Browsers may remember that a module could not be had.
      location.reload();
      return;
    }
    this.locked = false;
  }

  show() {
    const changed = this.at.page !== route.current.page || this.at.id !== route.current.id;
    this.at = route.current;
    if (changed) {
      window.scrollTo(0, 0);
      this.updateComplete.then(() => this.querySelector("main")?.focus({ preventScroll: true }));
    }
  }

  page() {
    const page = pageOf(this.at.page);
    return repeat([page?.isKept ? page.name : this.turn], (key) => key, () => (page?.view ?? lost)(this.at));
  }

  render() {
    return html`
      <a class="skip" href="#main" @click=${this.skip}>Skip to the content</a>
      <top-bar .at=${this.at}></top-bar>
      <connection-banner></connection-banner>
      <main id="main" tabindex="-1">${this.locked ? html`<sign-in></sign-in>` : this.isReady(this.at.page) ? this.page() : loadingRows()}</main>
      <toast-list></toast-list>
      <shortcut-sheet></shortcut-sheet>
    `;
  }

  skip(event) {
    event.preventDefault();
    this.querySelector("main").focus();
  }
}

define("orrery-app", OrreryApp);
