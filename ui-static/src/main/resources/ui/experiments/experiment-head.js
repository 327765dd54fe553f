// Name, state and what can be done.
import { html, nothing } from "lit";
import { tagList } from "../annotations/tag-list.js";
import { experiments } from "../api.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { menu } from "../kit/menu.js";
import { pill } from "../kit/status.js";
import { commandButtons, commandsFor, hasEnded } from "./commands.js";
import { downloadSummary } from "./summary.js";
import { bringResultsIn } from "./transfer.js";

export function experimentHead(experiment, carryOut) {
  const all = commandsFor(experiment);
  const near = all.filter((name) => name !== "remove");
  return html`
    <div class="page-head">
      <div class="title">
        <h1>${experiment.name || experiment.id}</h1>
        ${pill(experiment.status)}
        <span class="faint small"><span
          class="code">${experiment.id}</span> · ${experiment.tuner}${experiment.assessor ? ` with ${experiment.assessor}` : ""} · ${experiment.platform} ·
          <span title=${fullTime(experiment.startedAt)}>started ${time(experiment.startedAt)}</span>${experiment.endedAt
            ? html`, <span title=${fullTime(experiment.endedAt)}>ended ${time(experiment.endedAt)}</span>`
            : nothing}</span>
        ${tagList(experiment.tags)}
      </div>
      <div class="end">
        ${commandButtons(experiment, carryOut, near)}
        ${menu(
          html`${icon("more")}<span class="unseen">More</span>`,
          html`
            <a href="#/new?from=${encodeURIComponent(experiment.id)}" data-closes>${icon("fork")}New one like this</a>
            <a href=${experiments.exportAddress(experiment.id, "csv")}
              download="${experiment.id}.csv" data-closes>${icon("download")}Results as CSV</a>
            <a href=${experiments.exportAddress(experiment.id, "json")}
              download="${experiment.id}.json" data-closes>${icon("download")}Results as JSON</a>
            <button type="button" data-closes
              @click=${() => downloadSummary(experiment)}>${icon("download")}Summary as JSON</button>
            ${hasEnded(experiment)
              ? html`<a href=${experiments.archiveAddress(experiment.id)}
                download="${experiment.id}.ndjson" data-closes>${icon("download")}Archive to restore</a>`
              : nothing}
            <label>${icon("add")}Import results…<input class="unseen" type="file" accept=".json,.csv"
              @change=${(event) => bringResultsIn(experiment, event.target)}></label>
            ${commandButtons(experiment, carryOut, all.filter((name) => name === "remove"))}
          `,
          { title: "More actions", look: "square" },
        )}
      </div>
    </div>
    ${experiment.error
      ? html`<p class="trouble" role="alert">${experiment.error} <a
        href="#/experiments/${experiment.id}/trials?status=FAILED">See the failed trials</a></p>`
      : nothing}
  `;
}
