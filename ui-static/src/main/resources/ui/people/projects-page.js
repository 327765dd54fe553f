// All projects that one may see, and a form for a new one.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { projects } from "../api/people.js";
import { loadingRows } from "../experiments/list-states.js";
import { time, fullTime } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { addressIn, navigate } from "../shell/router.js";

const PAGE = 200;

class ProjectsPage extends Piece {
  static properties = { items: { state: true }, failure: { state: true }, fault: { state: true } };

  constructor() {
    super();
    this.items = null;
    this.failure = null;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Projects · Orrery";
    this.load();
  }

  async load() {
    try {
      this.items = (await projects.list({ limit: PAGE })).items;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  async create(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const name = data.get("name").trim();
    try {
      if (this.items.some((project) => project.name === name)) {
        throw new Error(`There is a project ${name} already.`);
      }
      await projects.put(name, { title: data.get("title").trim() });
      navigate(addressIn("projects", name));
    } catch (refusal) {
      this.fault = refusal.errors?.map((error) => error.message).join(" ") || refusal.message;
    }
  }

  render() {
    return html`
      <div class="page-head"><h1>Projects</h1></div>
      ${this.items === null
        ? this.failure ? html`<div class="card state"><p>${this.failure.message}</p></div>` : loadingRows()
        : html`<div class="card flush"><table class="objects" aria-label="Projects">
            <thead><tr><th>Name</th><th>Your role</th><th>Creator</th><th>Changed</th></tr></thead>
            <tbody>${repeat(this.items, (one) => one.name, projectRow)}</tbody></table></div>
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

const projectRow = (project) => html`<tr data-name=${project.name}>
  <td class="who"><a class="name" href=${addressIn("projects", project.name)}>${project.name}</a>
    ${project.title ? html`<span class="faint small">${project.title}</span>` : nothing}</td>
  <td class="small soft" data-label="Your role">${project.role ?? (project.name === "public" ? "member" : "none")}</td>
  <td class="small soft" data-label="Creator">${project.owner || "–"}</td>
  <td class="small soft number" data-label="Changed" title=${fullTime(project.changedAt)}>${project.owner ? time(project.changedAt) : "–"}</td>
</tr>`;

define("projects-page", ProjectsPage);
