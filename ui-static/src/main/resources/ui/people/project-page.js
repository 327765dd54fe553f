// One project: its members and those who ask to join, and its settings.
import { html, nothing } from "lit";
import { projects } from "../api/people.js";
import { confirm } from "../kit/confirm.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { navigate } from "../shell/router.js";
import { attempt } from "../shell/toasts.js";
import { account } from "./account.js";
import "./project-secrets.js";

const ROLES = ["creator", "ops", "member", "viewer"];
const SETTINGS = {
  cluster: "Cluster that its programs run on",
  node_selector: "Node selector",
  volume_mount: "Volume mounts",
  SERVICE_EXTERNAL_IP: "External addresses",
  org: "Organisation",
  area: "Area",
};

class ProjectPage extends Piece {
  static properties = { name: {}, data: { state: true }, failure: { state: true }, errors: { state: true }, notices: { state: true } };

  constructor() {
    super();
    this.data = null;
    this.failure = null;
    this.errors = [];
    this.notices = null;
    /** The project as another person has saved it while it was edited here; null when none has. */
    this.overtaken = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(account, "change", () => this.requestUpdate());
  }

  willUpdate(changed) {
    if (changed.has("name")) {
      this.data = null;
      this.load();
    }
  }

  async load() {
    try {
      const project = await projects.get(this.name);
      const isMember = project.role !== null || account.isAdmin;
      const isCreator = project.role === "creator" || account.isAdmin;
      const [members, requests] = await Promise.all([
        isMember ? projects.members(this.name) : { items: [] },
        isCreator ? projects.joinRequests(this.name) : { items: [] },
      ]);
      this.overtaken = null;
      this.data = { project, members: members.items, requests: requests.items, isMember, isCreator };
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  /** Shows a refused text beside what is there: another person may have changed it. */
  async change(action, done) {
    await attempt(async () => (await action(), true), done);
    await this.load();
  }

  async setRole(member, field) {
    const role = field.value;
    await this.change(() => projects.setMember(this.name, member.user, role, member.revision), `${member.user} is ${role} now`);
    field.value = this.data.members.find((one) => one.user === member.user)?.role ?? member.role;
  }

  /** One that is listed gets the role; one that is not listed is to be new. */
  async addMember(form) {
    const data = new FormData(form);
    const user = data.get("user").trim();
    const known = this.data.members.find((one) => one.user === user);
    form.reset();
    await this.change(() => projects.setMember(this.name, user, data.get("role"), known?.revision ?? null), "Added");
  }

  async removeMember(member) {
    const agreed = await confirm({ title: `Remove ${member.user} from ${this.name}?`, text: "What this person owns in the project stays.", action: "Remove" });
    if (agreed) {
      await this.change(() => projects.removeMember(this.name, member.user, member.revision), `${member.user} removed`);
    }
  }

  /** The settings of the form, with those of the project that it has no field for. */
  written(form) {
    const settings = { ...(this.overtaken ?? this.data.project).settings };
    for (const key of Object.keys(SETTINGS)) {
      const text = form.get(key).trim();
      if (text) {
        settings[key] = text;
      } else {
        delete settings[key];
      }
    }
    return settings;
  }

  async save(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    try {
      const { revision } = this.overtaken ?? this.data.project;
      const saved = await projects.put(this.name, { title: form.get("title").trim(), settings: this.written(form) }, revision);
      this.errors = [];
      this.notices = saved.notices.map((message) => ({ message }));
      await this.load();
    } catch (refusal) {
      this.overtaken = refusal.present ?? this.overtaken;
      this.notices = null;
      this.errors = refusal.present
        ? overtakenBy(refusal.present, this.data.project)
        : refusal.errors.length > 0 ? refusal.errors : [{ pointer: "", message: refusal.message }];
    }
  }

  async check(event) {
    const settings = this.written(new FormData(event.target.form));
    const found = await attempt(() => projects.check(this.name, settings));
    if (found) {
      this.errors = found.errors;
      this.notices = found.notices;
    }
  }

  async erase() {
    const agreed = await confirm({ title: `Delete project ${this.name}?`, text: "Only a project that nothing belongs to can be deleted.", action: "Delete" });
    if (agreed && (await attempt(async () => (await projects.remove(this.name), true), `${this.name} deleted`))) {
      navigate("#/projects");
    }
  }

  render() {
    if (this.data === null && this.failure?.status === 404) {
      // A project that one is not in looks as one that is not there, and can be asked all the same.
      return html`<div class="stack narrow"><div class="state"><h1>No such project</h1><p>There is no project <code>${this.name}</code> that you
        are in.</p></div>${this.join()}</div>`;
    }
    if (this.data === null) {
      return notShown(this.failure, "project", this.name, ["#/projects", "All projects"]);
    }
    const { project, isMember, isCreator } = this.data;
    const isPublic = project.name === "public";
    document.title = `${project.name} · Orrery`;
    return html`
      <div class="page-head"><div class="title"><h1>${project.name}</h1><span class="soft">${project.title}</span></div>
        <div class="end">${isCreator && !isPublic ? html`<button type="button" class="danger" @click=${this.erase}>${icon("trash")}Delete</button>` : nothing}</div></div>
      <div class="stack narrow">
        ${isPublic ? html`<section class="card"><p class="soft">All users are members of this project.</p></section>` : isMember ? this.members() : this.join()}
        ${isMember ? html`<project-secrets .name=${project.name} .maySet=${account.isAdmin || ["creator", "ops"].includes(project.role)}></project-secrets>` : nothing}
        ${isCreator && !isPublic ? this.settings() : nothing}
      </div>`;
  }

  join() {
    return html`<section class="card"><header><h2>Join</h2></header>
      <form class="stack" @submit=${(event) => {
        event.preventDefault();
        this.change(() => projects.askToJoin(this.name, new FormData(event.target).get("message")), "Asked: a creator of the project answers");
      }}><label class="field"><span>Message to its creators</span><textarea name="message" rows="2" maxlength="500"></textarea></label>
      <button class="primary">Ask to join</button></form></section>`;
  }

  members() {
    const { members, requests, isCreator } = this.data;
    return html`
      ${requests.map((request) => html`<section class="card" data-request=${request.user}><header><h2>${request.user} asks to join</h2><span class="soft small"
        title=${fullTime(request.askedAt)}>${time(request.askedAt)}</span></header>
        ${request.message ? html`<p>${request.message}</p>` : nothing}
        <div class="toolbar"><button type="button" class="primary" @click=${() => this.change(() => projects.answerRequest(this.name, request.user, "accept"), `${request.user} is a member now`)}>Accept</button>
          <button type="button" @click=${() => this.change(() => projects.answerRequest(this.name, request.user, "refuse"), "Refused")}>Refuse</button></div></section>`)}
      <section class="card"><header><h2>Members</h2></header>
        <table class="objects" aria-label="Members"><thead><tr><th>Name</th><th>Role</th><th></th></tr></thead><tbody>${members.map(
          (member) => html`<tr data-user=${member.user}><td class="who"><span class="name">${member.user}</span>${member.displayName && member.displayName !== member.user ? html` <span class="faint small">${member.displayName}</span>` : nothing}</td>
            <td>${isCreator ? html`<select aria-label="Role of ${member.user}" @change=${(event) => this.setRole(member, event.target)}>
              ${ROLES.map((role) => html`<option ?selected=${role === member.role}>${role}</option>`)}</select>` : member.role}</td>
            <td class="right">${isCreator ? html`<button type="button" class="plain small danger" aria-label="Remove ${member.user}" @click=${() => this.removeMember(member)}>Remove</button>` : nothing}</td></tr>`,
        )}</tbody></table>
        ${isCreator ? html`<form class="inline" @submit=${(event) => {
          event.preventDefault();
          this.addMember(event.target);
        }}><label class="field"><span>Person</span><input type="text" name="user" required spellcheck="false"></label>
          <label class="field"><span>Role</span><select name="role">${ROLES.map((role) => html`<option ?selected=${role === "member"}>${role}</option>`)}</select></label>
          <button>${icon("add")}Add</button></form>` : nothing}
      </section>`;
  }

  settings() {
    const { project } = this.data;
    const faultOf = (key) => this.errors.filter((error) => error.pointer.startsWith(`/settings/${key}`) || (key === "title" && error.pointer === "/title")).map((error) => error.message).join(" ");
    const others = this.errors.filter((error) => !Object.keys(SETTINGS).some((key) => error.pointer.startsWith(`/settings/${key}`)) && error.pointer !== "/title");
    const field = (key, label, value, area) => html`<label class="field"><span>${label}</span>
      ${area ? html`<textarea class="code" name=${key} rows="2" spellcheck="false" aria-invalid=${faultOf(key) ? "true" : "false"} .value=${value}></textarea>` : html`<input type="text" name=${key} .value=${value} aria-invalid=${faultOf(key) ? "true" : "false"} spellcheck="false">`}
      <span class="fault" role="alert">${faultOf(key) || nothing}</span></label>`;
    return html`<section class="card"><header><h2>Settings</h2></header>
      <form class="stack" @submit=${this.save}>
        ${field("title", "Title", project.title, false)}
        ${Object.entries(SETTINGS).map(([key, label]) => field(key, label, project.settings[key] ?? "", key === "volume_mount"))}
        ${others.map((error) => html`<p class="fault" role="alert">${error.message}</p>`)}
        ${this.notices?.map((notice) => html`<p class="soft" data-notice>${notice.message}</p>`) ?? nothing}
        ${this.notices !== null && this.notices.length === 0 && this.errors.length === 0 ? html`<p class="soft" role="status">Nothing is wrong.</p>` : nothing}
        <div class="toolbar"><button class="primary">Save</button><button type="button" @click=${this.check}>Check</button></div>
      </form></section>`;
  }
}

/** What another person has changed since, as messages at the fields. */
function overtakenBy(present, before) {
  const changed = Object.keys(SETTINGS)
    .filter((key) => (present.settings[key] ?? "") !== (before.settings[key] ?? ""))
    .map((key) => ({ pointer: `/settings/${key}`, message: `It is “${present.settings[key] ?? ""}” now.` }));
  const title = present.title === before.title ? [] : [{ pointer: "/title", message: `It is “${present.title}” now.` }];
  return [{ pointer: "", message: "Another person has changed the project meanwhile. Save again to replace that with what is here, or reload the page to start from it." }, ...title, ...changed];
}

define("project-page", ProjectPage);
