// Runs, the newest first.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { duration, fullTime, lasted, parameter, time } from "../kit/format.js";
import { pill } from "../kit/status.js";
import { addressIn } from "../shell/router.js";

/** @param options shows: "pipeline" where runs of several stand together */
export const runTable = (runs, { shows = "parameters" } = {}) => html`<table class="objects" aria-label="Runs">
  <thead><tr><th>Run</th><th>Status</th><th>${shows === "pipeline" ? "Pipeline" : "Parameters"}</th><th>Started by</th><th>Started</th><th class="right">Duration</th></tr></thead>
  <tbody>${repeat(
    runs,
    (run) => run.id,
    (run) => html`<tr data-run=${run.id}>
      <td class="who"><a class="name code" href=${addressIn("runs", run.id)}>${run.id}</a>
        ${run.error ? html`<span class="fault clip" title=${run.error}>${run.error}</span>` : nothing}</td>
      <td>${pill(run.status)}</td>
      <td class="small" data-label=${shows === "pipeline" ? "Pipeline" : "Parameters"}>${shows === "pipeline"
        ? html`<a href=${addressIn("pipelines", run.pipeline)}>${run.pipeline}</a> <span class="faint">version ${run.version}</span>`
        : html`<span class="clip">${parametersOf(run)}</span>`}</td>
      <td class="small soft" data-label="Started by">${run.trigger === "manual" ? run.creator : run.trigger}${run.due ? html` <span
        class="faint">due ${time(run.due)}</span>` : nothing}</td>
      <td class="small soft number" data-label="Started" title=${fullTime(run.startedAt ?? run.createdAt)}>${time(run.startedAt ?? run.createdAt)}</td>
      <td class="right small soft number" data-label="Duration">${duration(lasted(run))}</td>
    </tr>`,
  )}</tbody>
</table>`;

export const parametersOf = (run) =>
  Object.entries(run.parameters ?? {})
    .map(([name, value]) => `${name} ${parameter(value)}`)
    .join(", ");
