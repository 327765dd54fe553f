// The parts of a run as MLflow tells it, and what leads from it to a trial.
import { html, nothing } from "lit";
import { numberOf, ownExperiment } from "../api/tracking.js";
import { duration, number } from "../kit/format.js";
import { addressOf } from "../shell/router.js";

/** A list of {key, value} as an object. */
export const pairs = (list) => Object.fromEntries((list ?? []).map(({ key, value }) => [key, value]));

export const idOf = (run) => run.info.run_id;

export const metricsOf = (run) => pairs(run.data.metrics);

export const parametersOf = (run) => pairs(run.data.params);

export const tagsOf = (run) => pairs(run.data.tags);

/** What runs have between them, in the order in which it first appears. */
export const keysOf = (runs, part) => [...new Set(runs.flatMap((run) => Object.keys(part(run))))];

/** A value of a metric: NaN and the infinities are words. */
export const value = (it) => (it === undefined ? "–" : numberOf(it) === null ? String(it) : number(it));

/** How long a run lasted, or has been going on. */
export function lasts({ start_time: start, end_time: end, status }) {
  const until = end ?? (status === "RUNNING" ? Date.now() : null);
  return until === null ? "–" : duration((until - start) / 1000);
}

const EXPERIMENT = "orrery.experiment";
const TRIAL = "orrery.trial";

/** A link to the trial that a run is, or that logged it. */
export function trialLink(run) {
  const tags = tagsOf(run);
  const experiment = tags[EXPERIMENT];
  const trial = tags[TRIAL];
  return experiment && trial
    ? html`<a href=${addressOf(experiment, "overview", `trial=${encodeURIComponent(trial)}`)}>${isOfTrial(run) ? "Trial" : "Logged by trial"} ${trial}</a>`
    : nothing;
}

/** Whether a run is a trial of this server, and not one that a client logged. */
export const isOfTrial = (run) => ownExperiment(run.info.experiment_id) !== null;
