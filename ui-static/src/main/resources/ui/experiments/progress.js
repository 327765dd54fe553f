// How far an experiment is: one bar, split by what became of the trials.
import { html, nothing } from "lit";
import { styled } from "../kit/styled.js";
import { count } from "../kit/format.js";
import { TRIAL_STATUSES, statusTone, statusWord } from "../kit/status.js";

const ENDED = ["SUCCEEDED", "EARLY_STOPPED", "FAILED", "USER_CANCELED", "SYS_CANCELED"];

export const ended = (counts) => ENDED.reduce((sum, status) => sum + (counts[status] ?? 0), 0);

export const total = (counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);

/** How many have ended of those that the limit counts: what was imported is not among them. */
export const endedOfLimit = (experiment) =>
  ended(experiment.trialCounts) - (experiment.maxTrialNumber ? (experiment.importedTrials ?? 0) : 0);

/** @param experiment whose trials are counted */
export function progressBar(experiment) {
  const counts = experiment.trialCounts;
  const limit = experiment.maxTrialNumber ? experiment.maxTrialNumber + (experiment.importedTrials ?? 0) : 0;
  const whole = Math.max(limit, total(counts)) || 1;
  const parts = [...ENDED, "RUNNING", "UNKNOWN"].filter((status) => counts[status] > 0);
  return html`<div
    class="progress"
    role="progressbar"
    aria-label="Trials"
    aria-valuemin="0"
    aria-valuemax=${experiment.maxTrialNumber ?? nothing}
    aria-valuenow=${endedOfLimit(experiment)}
    title=${parts.map((status) => `${statusWord(status)}: ${count(counts[status])}`).join(", ") || "no trials yet"}
  >
    ${parts.map((status) => html`<i
      class=${statusTone(status)} ${styled({ width: `${(100 * counts[status]) / whole}%` })}></i>`)}
  </div>`;
}

/** "14 / 20", or "14" without a limit. */
export const progressText = (experiment) =>
  experiment.maxTrialNumber === null || experiment.maxTrialNumber === undefined
    ? count(ended(experiment.trialCounts))
    : `${count(endedOfLimit(experiment))} / ${count(experiment.maxTrialNumber)}`;

/** The counts as small labelled figures; `link` makes an address from a status. */
export const countsPerStatus = (counts, link) => html`<ul class="counts">
  ${TRIAL_STATUSES.filter((status) => counts[status] > 0 || ["RUNNING", "SUCCEEDED", "FAILED"].includes(status)).map(
    (status) => html`<li>
      <a href=${link(status)} class=${statusTone(status)}><b
        class="number">${count(counts[status] ?? 0)}</b> <span>${statusWord(status)}</span></a>
    </li>`,
  )}
</ul>`;
