// The run that was started from the editor: its state is shown on the tasks as it goes on.
import { html, nothing } from "lit";
import { runs } from "../api/pipelines.js";
import { icon } from "../kit/icons.js";
import { isLive, pill } from "../kit/status.js";
import { Stream } from "../live/stream.js";
import { stepsOf } from "../pipelines/task-state.js";
import { addressIn } from "../shell/router.js";
import "../pipelines/step-panel.js";
import "./shell-panel.js";

/** A controller of the editor (Lit's ReactiveController). */
export class EditorRun {
  /** What is known of the run; null when none is shown. */
  run = null;
  #host;
  /** The run that is followed, by its id; null when none is. */
  #id = null;
  #stream = null;
  /** The step whose log is shown, by its name. */
  #shown = null;
  /** {run, task, workload} of the shell that is shown; null when none is. */
  #shell = null;

  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() {
    this.close();
  }

  follow(id) {
    this.close();
    this.#id = id;
    const load = async () => this.#take(await runs.get(id).catch(() => this.run));
    this.#stream = new Stream(id, { open: () => runs.events(id), ask: () => runs.get(id) });
    this.#stream.addEventListener("reload", load);
    this.#stream.addEventListener("run", ({ detail }) => this.#take(detail));
    this.#stream.open();
    load();
  }

  close() {
    this.#stream?.close();
    this.#stream = null;
    this.#id = null;
    this.run = null;
    this.#shown = null;
    this.#shell = null;
    this.#host.requestUpdate();
  }

  /** Shows a shell in place of a task's program. */
  debug(run, task, workload) {
    this.follow(run);
    this.#shell = { run, task, workload };
  }

  #show(step) {
    this.#shown = step;
    this.#host.requestUpdate();
  }

  #take(run) {
    // Answers come late: of a run that is followed no more, or older than what was told meanwhile.
    if (run?.id !== this.#id || (this.run !== null && !isLive(this.run.status) && isLive(run.status))) {
      return;
    }
    this.run = run;
    if (!isLive(run.status)) {
      this.#stream?.close();
    }
    this.#host.requestUpdate();
  }

  /** The card of the run, with the steps of the chosen task. */
  panel() {
    const { run } = this;
    if (run === null) {
      return nothing;
    }
    const [name] = this.#host.chosen;
    const steps = this.#host.chosen.size === 1 ? stepsOf(run, name) : [];
    return html`<section class="card run-card" aria-label="Run" aria-live="polite"><header><h2>Run <a class="code" href=${addressIn("runs", run.id)}>${run.id}</a></h2>${pill(run.status)}
        <div class="end"><button type="button" class="plain square" aria-label="Do not show the run" @click=${() => this.close()}>${icon("close")}</button></div></header>
      ${run.error ? html`<p class="bad small">${run.error}</p>` : nothing}
      ${steps.map((step) => html`<p class="small">${pill(step.status)} <button type="button" class="link" @click=${() => this.#show(step.name)}>${step.name}: log and outputs</button>
        ${step.reason ? html`<span class="soft">${step.reason.split("\n")[0]}</span>` : nothing}</p>`)}
    </section>`;
  }

  /** A shell, or the log and the outputs of a step, beside the page. */
  step() {
    if (this.#shell !== null) {
      const { run, task, workload } = this.#shell;
      return html`<shell-panel .run=${run} .task=${task} .workload=${workload} .close=${() => ((this.#shell = null), this.#host.requestUpdate())}></shell-panel>`;
    }
    const step = this.run?.steps.find((one) => one.name === this.#shown);
    return step === undefined ? nothing : html`<step-panel .run=${this.run} .step=${step} .close=${() => this.#show(null)}></step-panel>`;
  }
}
