// One pipeline: its graph, a form to run it, its runs and versions.
import { html, nothing } from "lit";
import { pipelines, runs } from "../api/pipelines.js";
import { documentText } from "../documents/document-text.js";
import { confirm } from "../kit/confirm.js";
import { download } from "../kit/download.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { addressIn, navigate } from "../shell/router.js";
import { attempt, toast } from "../shell/toasts.js";
import { yaml } from "../kit/yaml.js";
import "./pipeline-graph.js";
import "./run-form.js";
import "./runs-list.js";
import "./schedule-tab.js";

const TABS = [
  ["graph", "Graph"],
  ["runs", "Runs"],
  ["schedule", "Schedule"],
  ["versions", "Versions"],
];
const SLOW_MS = 4000;
const LATEST = 5;

class PipelinePage extends Piece {
  static properties = { name: {}, tab: {}, task: { state: true }, versions: { state: true }, olderThan: { state: true } };

  constructor() {
    super();
    this.task = null;
    this.versions = null;
    this.olderThan = null;
    this.poll = new Poll(
      this,
      async () => {
        const [pipeline, page, advice] = await Promise.all([
          pipelines.get(this.name),
          runs.list({ pipeline: this.name, limit: LATEST }),
          pipelines.advice(this.name),
        ]);
        return { pipeline, runs: page.items, advice: advice.items };
      },
      { pauseMs: SLOW_MS, about: () => this.name },
    );
  }

  willUpdate(changed) {
    if (changed.has("name")) {
      this.task = null;
      this.versions = null;
    }
    if (this.tab === "versions" && (changed.has("tab") || changed.has("name"))) {
      this.versions = null;
      this.moreVersions(this.name, null);
    }
  }

  async erase() {
    const agreed = await confirm({
      title: `Delete ${this.name}?`,
      text: "Its versions are deleted for good. Runs that it had stay where they are.",
      action: "Delete",
    });
    if (agreed && (await attempt(async () => (await pipelines.remove(this.name), true), `${this.name} deleted`))) {
      navigate("#/pipelines");
    }
  }

  async clear(task) {
    const agreed = await confirm({ title: `Clear ${task}?`, text: "Its runs alone are stopped and deleted. Runs of the whole pipeline stay.", action: "Clear" });
    const done = agreed ? await attempt(() => pipelines.clearTask(this.name, task)) : null;
    if (done) {
      toast(done.deleted.length === 1 ? "1 run deleted" : `${done.deleted.length} runs deleted`);
    }
  }

  async exportWorkflow() {
    const written = await attempt(() => pipelines.exportWorkflow(this.name));
    if (written) {
      download(`${this.name}-workflow.yaml`, yaml(written.workflow), "application/yaml");
      written.notices.forEach((notice) => toast(notice));
    }
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null || failure?.status === 404) {
      return notShown(failure, "pipeline", this.name, ["#/pipelines", "All pipelines"]);
    }
    const { pipeline } = answer;
    document.title = `${pipeline.name} · Orrery`;
    return html`
      <div class="object-head">
        <div class="page-head">
          <div class="title"><h1>${pipeline.name}</h1>
            <span class="faint small">${pipeline.title ? `${pipeline.title} · ` : ""}version ${pipeline.revision} · ${pipeline.owner} in
              ${pipeline.project} · <span title=${fullTime(pipeline.changedAt)}>changed ${time(pipeline.changedAt)}</span></span></div>
          <div class="end">
            <a class="button" href="#/editor?like=${encodeURIComponent(pipeline.name)}">${icon("copy")}New one like this</a>
            <a class="button" href="#/editor?name=${encodeURIComponent(pipeline.name)}">${icon("fork")}Change</a>
            <button type="button" title="For Argo Workflows" @click=${this.exportWorkflow}>${icon("download")}Argo workflow</button>
            <button type="button" class="danger" @click=${this.erase}>${icon("trash")}Delete</button>
          </div>
        </div>
        <nav class="tabs" aria-label="Pipeline">${TABS.map(([tab, label]) => html`<a href=${addressIn("pipelines", pipeline.name, tab === "graph" ? "" : tab)}
          aria-current=${tab === this.tab ? "page" : "false"}>${label}</a>`)}</nav>
      </div>
      ${this.view(answer)}
    `;
  }

  view({ pipeline, runs: all, advice }) {
    switch (this.tab) {
      case "runs":
        return html`<runs-list .pipeline=${pipeline.name}></runs-list>`;
      case "schedule":
        return html`<schedule-tab .name=${pipeline.name}></schedule-tab>`;
      case "versions":
        return this.versionList();
      default:
        return html`<div class="with-side">
          <div class="stack">
            <section class="card flush"><pipeline-graph .tasks=${pipeline.tasks} .chosen=${this.task}
              @choose=${(event) => (this.task = this.task === event.detail ? null : event.detail)}></pipeline-graph></section>
            ${this.task ? this.taskCard(pipeline, advice) : nothing}
          </div>
          <aside class="stack">
            <run-form class="card" .pipeline=${pipeline}></run-form>
            <section class="card"><header><h2>Latest runs</h2></header>
              ${all.length === 0 ? html`<p class="soft small">It was not run yet.</p>` : html`<ul class="plain-list">${all.map(
                (run) => html`<li><a class="code" href=${addressIn("runs", run.id)}>${run.id}</a> <span class="small soft">${run.status.toLowerCase()},
                  ${time(run.startedAt ?? run.createdAt)}</span></li>`,
              )}</ul>`}</section>
          </aside>
        </div>`;
    }
  }

  taskCard(pipeline, advice) {
    const task = pipeline.tasks.find((one) => one.name === this.task);
    const words = advice.find((one) => one.task === this.task)?.words ?? [];
    return task === undefined ? nothing : html`<section class="card" aria-live="polite"><header><h2>Task ${task.name}</h2><div class="end"><button type="button" class="small"
        @click=${() => this.clear(task.name)}>Clear its runs alone</button></div></header>
      ${words.map((sentence) => html`<p class="soft small">${sentence}</p>`)}
      <pre class="document" tabindex="0" role="region" aria-label="Task ${task.name} as YAML">${yaml(task)}</pre></section>`;
  }

  /** Reads the versions that are older than those shown. */
  async moreVersions(name, cursor) {
    const page = await pipelines.versions(name, { cursor }).catch(() => ({ items: [], next: null }));
    if (name === this.name) {
      this.versions = [...(cursor === null ? [] : this.versions), ...page.items];
      this.olderThan = page.next;
    }
  }

  versionList() {
    if (this.versions === null) {
      return html`<div class="card state" role="status"><span class="spinner"></span></div>`;
    }
    return html`<ul class="stack">${this.versions.map(
      ({ version, at, by, document: text }) => html`<li class="card"><details><summary>Version ${version}
        <span class="soft small" title=${fullTime(at)}>by ${by}, ${time(at)}</span></summary>
        <pre class="document" tabindex="0" role="region" aria-label="Version ${version}">${documentText(text)}</pre></details></li>`,
    )}</ul>
    ${this.olderThan === null ? nothing : html`<p><button type="button" @click=${() => this.moreVersions(this.name, this.olderThan)}>Show older versions</button></p>`}`;
  }
}

define("pipeline-page", PipelinePage);
