// All projects, narrowed by name, role and people, and a form for a new one.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { projects } from "../api/people.js";
import { loadingRows } from "../experiments/list-states.js";
import { time, fullTime } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { addressIn, navigate } from "../shell/router.js";
import { account } from "./account.js";

const PAGE = 200;
const ROLES = ["creator", "ops", "member", "viewer"];
const TYPING_MS = 200;

class ProjectsPage extends Piece {
  static properties = { items: { state: true }, next: { state: true }, failure: { state: true }, fault: { state: true } };

  constructor() {
    super();
    this.items = null;
    this.next = null;
    this.failure = null;
    this.wanted = { q: "", role: "", owner: "", member: "" };
    /** The filters of the projects that are shown. */
    this.shown = this.wanted;
    this.soon = settled(() => this.load(), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Projects · Orrery";
    this.keep(() => this.soon.cancel());
    this.listen(account, "change", () => this.requestUpdate());
    this.load();
  }

  filter(changed) {
    this.wanted = { ...this.wanted, ...changed };
    this.soon();
  }

  /** @param cursor of the page after what is shown; null to begin anew */
  async load(cursor = null) {
    const { wanted } = this;
    try {
      const page = await projects.list({ ...wanted, limit: PAGE, cursor });
      if (wanted === this.wanted) {
        this.items = cursor ? [...this.items, ...page.items] : page.items;
        this.next = page.next;
        this.shown = wanted;
        this.failure = null;
      }
    } catch (refusal) {
      if (wanted === this.wanted) {
        this.failure = refusal;
      }
    }
  }

  async create(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const name = data.get("name").trim();
    try {
      if (await exists(name)) {
        throw new Error(`There is a project ${name} already.`);
      }
      await projects.put(name, { title: data.get("title").trim() });
      navigate(addressIn("projects", name));
    } catch (refusal) {
      this.fault = refusal.errors?.map((error) => error.message).join(" ") || refusal.message;
    }
  }

  filters() {
    const input = (key, label) => html`<input type="search" aria-label=${label} placeholder=${label}
      @input=${(event) => this.filter({ [key]: event.target.value.trim() })}>`;
    return html`<div class="toolbar filters"><label class="search">${icon("search")}<span class="unseen">Search projects</span>
        <input type="search" placeholder="Name or title" @input=${(event) => this.filter({ q: event.target.value.trim() })}></label>
      ${account.isAdmin ? [input("owner", "Creator"), input("member", "Member")] : nothing}
      <select aria-label="Filter by role" title="Of the member that is named, or else your own" @change=${(event) => this.filter({ role: event.target.value })}>
        <option value="">All roles</option>${ROLES.map((role) => html`<option>${role}</option>`)}</select></div>`;
  }

  render() {
    const { member } = this.shown;
    const role = member ? `Role of ${member}` : "Your role";
    return html`
      <div class="page-head"><h1>Projects</h1></div>
      ${this.filters()}
      ${this.failure ? html`<div class="card state"><p>${this.failure.message}</p></div>` : this.items === null
        ? loadingRows()
        : html`${this.items.length === 0 ? html`<div class="card state"><p>No project fits.</p></div>` : html`<div class="card flush"><table class="objects" aria-label="Projects">
            <thead><tr><th>Name</th><th>${role}</th><th>Creator</th><th>Changed</th></tr></thead>
            <tbody>${repeat(this.items, (one) => one.name, (one) => projectRow(one, role, member ? one.memberRole : one.role))}</tbody></table></div>`}
          ${this.next ? html`<p class="more"><button type="button" @click=${() => this.load(this.next)}>Show more</button></p>` : nothing}
          <section class="card below"><header><h2>New project</h2></header>
            <form class="inline" @submit=${this.create}>
              <label class="field"><span>Name</span><input type="text" name="name" required maxlength="50" placeholder="vision"
                spellcheck="false" aria-describedby="project-fault"></label>
              <label class="field"><span>Title</span><input type="text" name="title" maxlength="200" placeholder="Vision team"></label>
              <button class="primary">${icon("add")}Create</button>
            </form>
            <p id="project-fault" class="fault" role="alert">${this.fault ?? nothing}</p></section>`}`;
  }
}

async function exists(name) {
  try {
    await projects.get(name);
    return true;
  } catch (refusal) {
    if (refusal.status === 404) {
      return false;
    }
    throw refusal;
  }
}

const projectRow = (project, label, role) => html`<tr data-name=${project.name}>
  <td class="who"><a class="name" href=${addressIn("projects", project.name)}>${project.name}</a>
    ${project.title ? html`<span class="faint small">${project.title}</span>` : nothing}</td>
  <td class="small soft" data-label=${label}>${role ?? (project.name === "public" ? "member" : "none")}</td>
  <td class="small soft" data-label="Creator">${project.owner || "–"}</td>
  <td class="small soft number" data-label="Changed" title=${fullTime(project.changedAt)}>${project.owner ? time(project.changedAt) : "–"}</td>
</tr>`;

define("projects-page", ProjectsPage);
