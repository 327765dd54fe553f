// The page: what the address names, below the bar that is always there.
import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { session } from "./api.js";
import { me } from "./api/people.js";
import { later } from "./kit/later.js";
import { Piece, define } from "./kit/piece.js";
import { chosen } from "./people/chosen-project.js";
import { navigate, route } from "./shell/router.js";
import { shortcuts } from "./shell/keyboard.js";
import { openShortcutSheet } from "./shell/shortcut-sheet.js";
import { turnTheme } from "./shell/theme.js";
import "./shell/top-bar.js";
import "./shell/banner.js";
import "./shell/toasts.js";
import "./shell/sign-in.js";
import "./experiments/list-page.js";
import { loadingRows } from "./experiments/list-states.js";

const PAGES = {
  list: () => html`<experiment-list></experiment-list>`,
  overview: () => html`<overview-page></overview-page>`,
  new: (at) => html`<new-experiment .from=${at.query.get("from")}></new-experiment>`,
  compare: () => html`<comparison-page></comparison-page>`,
  experiment: (at) => html`<experiment-page .experimentId=${at.id} .tab=${at.tab}></experiment-page>`,
  services: () => html`<services-page></services-page>`,
  service: (at) => html`<service-page .name=${at.id} .tab=${at.tab}></service-page>`,
  domain: (at) => html`<domain-page .host=${at.id}></domain-page>`,
  pipelines: () => html`<pipelines-page></pipelines-page>`,
  pipeline: (at) => html`<pipeline-page .name=${at.id} .tab=${at.tab}></pipeline-page>`,
  editor: ({ query }) => html`<pipeline-editor .name=${query.get("name")} .like=${query.get("like")} .sample=${query.get("sample")}></pipeline-editor>`,
  runs: () => html`<runs-page></runs-page>`,
  run: (at) => html`<run-page .runId=${at.id} .tab=${at.tab}></run-page>`,
  notebooks: () => html`<notebooks-page></notebooks-page>`,
  images: () => html`<images-page></images-page>`,
  builds: () => html`<images-page></images-page>`,
  build: (at) => html`<build-page .name=${at.id}></build-page>`,
  files: () => html`<files-page></files-page>`,
  models: () => html`<models-page></models-page>`,
  model: (at) => html`<model-page .name=${at.id}></model-page>`,
  document: (at) => html`<document-page .kind=${at.id} .isNew=${at.tab === "new"}></document-page>`,
  projects: () => html`<projects-page></projects-page>`,
  project: (at) => html`<project-page .name=${at.id}></project-page>`,
  people: () => html`<people-page></people-page>`,
  audit: () => html`<audit-page></audit-page>`,
  usage: () => html`<usage-page></usage-page>`,
  account: () => html`<account-page></account-page>`,
  routes: () => html`<routes-page></routes-page>`,
  about: () => html`<about-page></about-page>`,
  log: () => html`<div class="page-head"><h1>Server log</h1></div><server-log></server-log>`,
  lost: () => html`<div class="state"><h1>There is no such page</h1><p><a href="#/">All experiments</a></p></div>`,
};

/** What the first view does not need comes when it is asked for. */
const MODULES = {
  overview: () => import("./overview/overview-page.js"),
  new: () => import("./experiments/new-page.js"),
  compare: () => import("./comparison/comparison-page.js"),
  experiment: () => import("./experiments/experiment-page.js"),
  services: () => import("./services/services-page.js"),
  service: () => import("./services/service-page.js"),
  domain: () => import("./services/domain-page.js"),
  pipelines: () => import("./pipelines/pipelines-page.js"),
  pipeline: () => import("./pipelines/pipeline-page.js"),
  editor: () => import("./editor/pipeline-editor.js"),
  runs: () => import("./pipelines/runs-page.js"),
  run: () => import("./pipelines/run-page.js"),
  notebooks: () => import("./notebooks/notebooks-page.js"),
  images: () => import("./images/images-page.js"),
  builds: () => import("./images/images-page.js"),
  build: () => import("./images/build-page.js"),
  files: () => import("./files/files-page.js"),
  models: () => import("./models/models-page.js"),
  model: () => import("./models/model-page.js"),
  document: () => import("./documents/document-page.js"),
  projects: () => import("./people/projects-page.js"),
  project: () => import("./people/project-page.js"),
  people: () => import("./people/people-page.js"),
  audit: () => import("./people/audit-page.js"),
  usage: () => import("./usage/usage-page.js"),
  account: () => import("./people/account-page.js"),
  routes: () => import("./routes/routes-page.js"),
  about: () => import("./about/about-page.js"),
  log: () => import("./log/server-log.js"),
};

class OrreryApp extends Piece {
  // Another turn shows the page anew, when another project was chosen.
  static properties = { at: { state: true }, locked: { state: true }, turn: { state: true } };

  constructor() {
    super();
    this.at = route.current;
    this.locked = false;
    this.turn = 0;
    this.isReady = later(MODULES, () => this.requestUpdate(), () => this.missed());
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
        "g o": ["Overview", () => navigate("#/overview")],
        "g e": ["Experiments", () => navigate("#/")],
        "g l": ["Server log", () => navigate("#/log")],
        "g s": ["Services", () => navigate("#/services")],
        "g p": ["Pipelines", () => navigate("#/pipelines")],
        "g b": ["Notebooks", () => navigate("#/notebooks")],
        "g i": ["Images", () => navigate("#/images")],
        "g f": ["Files", () => navigate("#/files")],
        "g m": ["Models", () => navigate("#/models")],
        "g r": ["Route table", () => navigate("#/routes")],
        "g n": ["New experiment", () => navigate("#/new")],
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

  render() {
    return html`
      <a class="skip" href="#main" @click=${this.skip}>Skip to the content</a>
      <top-bar .at=${this.at}></top-bar>
      <connection-banner></connection-banner>
      <main id="main" tabindex="-1">${this.locked ? html`<sign-in></sign-in>` : this.isReady(this.at.page) ? repeat([this.turn], (turn) => turn, () => PAGES[this.at.page](this.at)) : loadingRows()}</main>
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
