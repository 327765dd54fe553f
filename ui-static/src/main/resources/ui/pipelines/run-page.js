// One run of a pipeline: its graph as the steps go on, and each step with its reason, log and outputs.
import { html, nothing } from "lit";
import { pipelines, runs } from "../api/pipelines.js";
import { confirm } from "../kit/confirm.js";
import { duration, fullTime, lasted, parameter, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { isLive, pill } from "../kit/status.js";
import { Stream } from "../live/stream.js";
import { shortcuts } from "../shell/keyboard.js";
import { addressIn, navigate, route, setQuery } from "../shell/router.js";
import { attempt } from "../shell/toasts.js";
import { stepsOf } from "./task-state.js";
import "./pipeline-graph.js";
import { alertTable } from "./alert-table.js";
import "./run-comparison.js";
import "./step-panel.js";

const TABS = [
  ["graph", "Graph"],
  ["compare", "Compare"],
];

class RunPage extends Piece {
  static properties = { runId: {}, tab: {}, run: { state: true }, tasks: { state: true }, failure: { state: true } };

  constructor() {
    super();
    this.run = null;
    this.tasks = null;
    this.failure = null;
    /** The number of states that were taken. */
    this.told = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(route, "change", () => this.requestUpdate());
    this.keep(() => this.stream?.close());
    this.keep(shortcuts("Run", { Escape: ["Close the step", () => route.current.query.get("step") !== null && setQuery({ step: null })] }));
    // How long a running step has lasted.
    const clock = setInterval(() => this.run && isLive(this.run.status) && this.requestUpdate(), 1000);
    this.keep(() => clearInterval(clock));
  }

  willUpdate(changed) {
    if (changed.has("runId")) {
      this.stream?.close();
      this.run = null;
      this.tasks = null;
      this.stream = new Stream(this.runId, { open: () => runs.events(this.runId), ask: () => runs.get(this.runId) });
      this.stream.addEventListener("reload", () => this.load());
      this.stream.addEventListener("run", ({ detail }) => this.take(detail));
      this.stream.addEventListener("deleted", () => (this.failure = { status: 404 }));
      this.stream.addEventListener("refused", ({ detail }) => (this.failure = detail));
      this.stream.open();
    }
  }

  async load() {
    const told = this.told;
    try {
      const run = await runs.get(this.runId);
      // An answer that was under way while the stream told a later state must not take it back.
      if (told === this.told) {
        this.take(run);
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  async take(run) {
    this.told++;
    this.run = run;
    this.failure = null;
    if (this.tasks === null) {
      this.tasks = await tasksOf(run);
    }
    if (!isLive(run.status)) {
      this.stream.close();
    }
  }

  async command(command, done) {
    if ((await attempt(() => runs.command(this.runId, command), done)) !== null) {
      this.stream.open();
    }
  }

  async stop() {
    const agreed = await confirm({ title: "Stop the run?", text: "Steps that run are ended. It can be retried from there.", action: "Stop" });
    if (agreed) {
      await this.command("stop", "Stopping");
    }
  }

  async erase() {
    const agreed = await confirm({ title: "Delete the run?", text: "Its logs and outputs are deleted for good, unless something refers to it.", action: "Delete" });
    if (agreed && (await attempt(async () => (await runs.remove(this.runId), true), "Deleted"))) {
      navigate(addressIn("pipelines", this.run.pipeline, "runs"));
    }
  }

  render() {
    const { run } = this;
    if (run === null || this.failure?.status === 404) {
      return notShown(this.failure, "run", this.runId, ["#/pipelines", "All pipelines"]);
    }
    document.title = `${run.pipeline} ${run.id} · Orrery`;
    const step = run.steps.find((one) => one.name === route.current.query.get("step"));
    return html`
      <div class="object-head">
        <div class="page-head">
          <div class="title"><h1><a href=${addressIn("pipelines", run.pipeline)}>${run.pipeline}</a> <span class="code soft">${run.id}</span></h1>
            ${pill(run.status)}
            <span class="faint small">version ${run.version} · ${run.trigger === "manual" ? `started by ${run.creator}` : run.trigger}${run.due ? `, due ${time(run.due)}` : ""} ·
              <span title=${fullTime(run.startedAt)}>${time(run.startedAt ?? run.createdAt)}</span> · ${duration(lasted(run))}</span></div>
          <div class="end">${this.commands(run)}</div>
        </div>
        ${run.error ? html`<p class="trouble" role="alert">${run.error}</p>` : nothing}
        ${Object.keys(run.parameters).length > 0 ? html`<p class="small soft">${Object.entries(run.parameters).map(
          ([name, value]) => html`<span class="code">${name}</span> ${parameter(value)} &nbsp; `,
        )}</p>` : nothing}
        <nav class="tabs" aria-label="Run">${TABS.map(([tab, label]) => html`<a href=${addressIn("runs", run.id, tab === "graph" ? "" : tab)}
          aria-current=${tab === this.tab ? "page" : "false"}>${label}</a>`)}</nav>
      </div>
      ${this.tab === "compare" ? html`<run-comparison .run=${run}></run-comparison>` : this.graph(run, step)}
    `;
  }

  graph(run, step) {
    return html`
      <section class="card flush below"><pipeline-graph .tasks=${this.tasks ?? tasksOfSteps(run)} .run=${run} .chosen=${step?.task ?? null}
        @choose=${({ detail }) => setQuery({ step: stepsOf(run, detail)[0]?.name ?? null })}></pipeline-graph></section>
      <div class="card flush"><table class="objects" aria-label="Steps">
        <thead><tr><th>Step</th><th>Status</th><th>Reason</th><th class="right">Attempt</th><th>Started</th><th class="right">Duration</th></tr></thead>
        <tbody>${run.steps.map((one) => stepRow(one, one === step))}</tbody>
      </table></div>
      ${step ? html`<step-panel .run=${run} .step=${step}></step-panel>` : nothing}
      ${run.alerts?.length > 0 ? alertTable(run.alerts) : nothing}
    `;
  }

  commands(run) {
    const again = html`<button type="button" data-command="retry" @click=${() => this.command("retry", "Retrying what did not succeed")}>${icon("retry")}Retry</button>`;
    const erase = html`<button type="button" class="danger" data-command="delete" @click=${this.erase}>${icon("trash")}Delete</button>`;
    switch (run.status) {
      case "SUCCEEDED":
        return erase;
      case "FAILED":
      case "STOPPED":
        return html`${again}${erase}`;
      case "STOPPING":
        return nothing;
      case "PAUSED":
        return html`<button type="button" class="primary" data-command="resume" @click=${() => this.command("resume", "Resumed")}>${icon("play")}Resume</button>
          <button type="button" data-command="stop" @click=${this.stop}>${icon("stop")}Stop</button>`;
      default:
        return html`<button type="button" data-command="pause" @click=${() => this.command("pause", "Paused: running steps go on, no new ones start")}>${icon("pause")}Pause</button>
          <button type="button" data-command="stop" @click=${this.stop}>${icon("stop")}Stop</button>`;
    }
  }
}

const stepRow = (step, isChosen) => html`<tr data-step=${step.name} class=${isChosen ? "chosen" : ""}>
  <td class="who"><button type="button" class="link name" aria-expanded=${isChosen}
    @click=${() => setQuery({ step: isChosen ? null : step.name })}>${step.name}</button>${Object.keys(step.each).length > 0
    ? html`<span class="faint small">${Object.entries(step.each).map(([name, value]) => `${name} ${value}`).join(", ")}</span>`
    : nothing}</td>
  <td>${pill(step.status)}</td>
  <td class="small wrap ${step.status === "FAILED" ? "bad" : "soft"}">${firstLine(step.reason)}</td>
  <td class="right number soft" data-label="Attempt">${step.attempt || ""}</td>
  <td class="small soft number" data-label="Started" title=${fullTime(step.startedAt)}>${time(step.startedAt)}</td>
  <td class="right small soft number" data-label="Duration">${step.startedAt ? duration(lasted(step)) : ""}</td>
</tr>`;

const firstLine = (text) => (text ?? "").split("\n")[0];

/** The tasks of the version that runs; those of its steps when the pipeline is gone. */
async function tasksOf(run) {
  try {
    const { items } = await pipelines.versions(run.pipeline, { cursor: run.version + 1, limit: 1 });
    const found = items.find((one) => one.version === run.version)?.document.tasks;
    // Edges of another version would be wrong.
    return found && run.steps.every((step) => found.some((task) => task.name === step.task) || step.task === "onExit") ? found : tasksOfSteps(run);
  } catch {
    return tasksOfSteps(run);
  }
}

const tasksOfSteps = (run) => [...new Set(run.steps.map((step) => step.task))].map((name) => ({ name }));

define("run-page", RunPage);
