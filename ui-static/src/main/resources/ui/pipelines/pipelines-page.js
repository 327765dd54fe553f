// All pipelines, and the runs that were started last.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { pipelines, runs } from "../api/pipelines.js";
import { loadingRows } from "../experiments/list-states.js";
import { count, fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { shortcuts } from "../shell/keyboard.js";
import { addressIn, navigate, route, setQuery } from "../shell/router.js";
import { runTable } from "./run-table.js";

const PAGE = 500;
const LATEST = 20;

class PipelinesPage extends Piece {
  constructor() {
    super();
    this.poll = new Poll(this, async () => {
      const [all, latest] = await Promise.all([pipelines.list({ limit: PAGE }), runs.list({ limit: LATEST })]);
      return { pipelines: all.items, next: all.next, runs: latest.items };
    });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Pipelines · Orrery";
    this.listen(route, "change", () => this.requestUpdate());
    this.keep(shortcuts("Pipelines", { n: ["New pipeline", () => navigate("#/editor")] }));
  }

  render() {
    const { answer, failure } = this.poll;
    return html`
      <div class="page-head"><h1>Pipelines</h1>
        <div class="end"><a class="button" href="#/templates">Templates</a><a class="button primary" href="#/editor">${icon("add")}New pipeline</a></div></div>
      ${answer === null
        ? failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()
        : html`${answer.pipelines.length === 0 ? noPipelines() : this.list(answer)}
          ${answer.runs.length > 0
            ? html`<section class="below"><h2>Latest runs <a class="small" href="#/runs">All runs</a></h2><div class="card flush">${runTable(answer.runs, { shows: "pipeline" })}</div></section>`
            : nothing}`}
    `;
  }

  list({ pipelines: all, runs: latest, next }) {
    const text = route.current.query.get("q") ?? "";
    const found = all.filter((one) => `${one.name} ${one.title ?? ""} ${one.owner} ${one.project}`.toLowerCase().includes(text.toLowerCase()));
    return html`
      <div class="toolbar filters"><label class="search">${icon("search")}<span class="unseen">Search pipelines</span>
        <input type="search" placeholder="Pipeline, owner or project" .value=${text} @input=${(event) => setQuery({ q: event.target.value })}></label></div>
      ${found.length === 0
        ? html`<div class="card state"><p>No pipeline fits.</p><button type="button" @click=${() => setQuery({ q: null })}>Show all</button></div>`
        : html`<div class="card flush"><table class="objects" aria-label="Pipelines">
            <thead><tr><th>Name</th><th>Last run</th><th class="right">Tasks</th><th class="right">Version</th><th>Owner</th><th>Changed</th></tr></thead>
            <tbody>${repeat(found, (one) => one.name, (one) => pipelineRow(one, latest.find((run) => run.pipeline === one.name)))}</tbody>
          </table></div>`}
      ${next ? html`<p class="more soft small">The first ${count(PAGE)} are shown.</p>` : nothing}`;
  }
}

const pipelineRow = (pipeline, last) => html`<tr data-name=${pipeline.name}>
  <td class="who"><a class="name" href=${addressIn("pipelines", pipeline.name)}>${pipeline.name}</a>
    ${pipeline.title ? html`<span class="faint small">${pipeline.title}</span>` : nothing}</td>
  <td>${last ? html`<a href=${addressIn("runs", last.id)}>${pill(last.status)}</a>` : html`<span class="faint small">not lately</span>`}</td>
  <td class="right number soft" data-label="Tasks">${pipeline.tasks.length}</td>
  <td class="right number soft" data-label="Version">${pipeline.version ?? pipeline.revision}</td>
  <td class="small soft" data-label="Owner">${pipeline.owner}<span class="faint"> in ${pipeline.project}</span></td>
  <td class="small soft number" data-label="Changed" title=${fullTime(pipeline.changedAt)}>${time(pipeline.changedAt)}</td>
</tr>`;

const noPipelines = () => html`<div class="card state">
  <h2>No pipelines yet</h2>
  <p>A pipeline is a graph of tasks: commands that pass files and values on, are repeated when they fail, and are skipped when nothing
    changed.</p>
  <a class="button primary" href="#/editor">${icon("add")}New pipeline</a>
  <p class="small">or from a shell: <code>orrery pipeline run examples/pipelines/digits.yml</code></p>
</div>`;

define("pipelines-page", PipelinesPage);
