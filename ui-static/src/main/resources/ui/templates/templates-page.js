// All templates: those of the server, and those that people have written.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { templates } from "../api/pipelines.js";
import { loadingRows } from "../experiments/list-states.js";
import { count } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { shortcuts } from "../shell/keyboard.js";
import { addressIn, navigate, route, setQuery } from "../shell/router.js";

const PAGE = 500;
const SLOW_MS = 10_000;

class TemplatesPage extends Piece {
  constructor() {
    super();
    this.poll = new Poll(this, () => templates.list({ limit: PAGE }), { pauseMs: SLOW_MS });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Templates · Orrery";
    this.listen(route, "change", () => this.requestUpdate());
    this.keep(shortcuts("Templates", { n: ["New template", () => navigate("#/documents/template")] }));
  }

  render() {
    const { answer, failure } = this.poll;
    return html`
      <div class="page-head"><h1>Templates</h1>
        <div class="end"><a class="button primary" href="#/documents/template">${icon("add")}New template</a></div></div>
      ${answer === null ? (failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()) : this.list(answer)}`;
  }

  list({ items, next }) {
    const text = route.current.query.get("q") ?? "";
    const wanted = text.toLowerCase();
    const found = items.filter((one) => `${one.name} ${one.title ?? ""} ${one.group ?? ""} ${one.owner}`.toLowerCase().includes(wanted));
    return html`
      <div class="toolbar filters"><label class="search">${icon("search")}<span class="unseen">Search templates</span>
        <input type="search" placeholder="Template, group or owner" .value=${text} @input=${(event) => setQuery({ q: event.target.value })}></label></div>
      ${found.length === 0
        ? html`<div class="card state"><p>No template fits.</p><button type="button" @click=${() => setQuery({ q: null })}>Show all</button></div>`
        : html`<div class="card flush"><table class="objects" aria-label="Templates">
            <thead><tr><th>Name</th><th>Group</th><th>Version</th><th>Owner</th></tr></thead>
            <tbody>${repeat(found, (one) => one.name, templateRow)}</tbody></table></div>`}
      ${next ? html`<p class="more soft small">The first ${count(PAGE)} are shown.</p>` : nothing}`;
  }
}

const templateRow = (template) => html`<tr data-name=${template.name}>
  <td class="who"><a class="name" href=${addressIn("templates", template.name)}>${template.name}</a>
    ${template.title ? html`<span class="faint small">${template.title}</span>` : nothing}</td>
  <td class="small soft" data-label="Group">${template.group ?? "–"}</td>
  <td class="small soft" data-label="Version">${template.version}</td>
  <td class="small soft" data-label="Owner">${template.builtIn ? "the server" : html`${template.owner}<span class="faint"> in ${template.project}</span>`}</td>
</tr>`;

define("templates-page", TemplatesPage);
