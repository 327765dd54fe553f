// The document of an experiment: the keys of an experiment file, and a name, which becomes the experiment's id. One that is
// there may change in its limits and its search space alone.
import { experiments } from "../api.js";
import { DocumentFault, found, isSame } from "./document-fault.js";

const CHANGEABLE = ["trialConcurrency", "maxTrialNumber", "maxExperimentDuration", "maxFailedTrials", "maxFailuresInRow", "searchSpace"];
/** Keys that the server repeats in the training service. */
const REPEATED = ["trialCommand", "trialCodeDirectory"];

/** The value of a key without what the server repeats. */
function own(config, key) {
  const value = config?.[key];
  return key === "trainingService" && value && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !REPEATED.includes(name))) : value;
}

function changesOf(present, wanted) {
  const keys = [...new Set([...Object.keys(present ?? {}), ...Object.keys(wanted ?? {})])].filter((key) => !isSame(own(present, key), own(wanted, key)));
  const isKept = (key) => !CHANGEABLE.includes(key) || !(key in wanted);
  if (keys.some(isKept)) {
    throw new DocumentFault(
      keys.filter(isKept).map((key) => ({ pointer: `/${key}`, message: `${key} of an experiment that is there stays: give the document another name` })),
    );
  }
  return Object.fromEntries(keys.map((key) => [key, wanted[key]]));
}

/** Sends it, or only checks it; answers created, changed or unchanged. @param without keys that the check leaves out */
export async function applyExperiment({ name, body, json }, { dryRun, without }) {
  const file = json(["kind", "name", ...without]);
  const project = without.includes("project") ? undefined : body.project;
  const present = await found(experiments.get(name));
  if (present === null) {
    await experiments.create(file, { dryRun, id: name, project });
    return "created";
  }
  if (body.project && body.project !== present.project) {
    throw new DocumentFault([{ pointer: "/project", message: `the experiment is in the project ${present.project} and stays there: give the document another name` }]);
  }
  const { config } = await experiments.create(file, { dryRun: true, project });
  const changes = changesOf(present.config, config);
  if (Object.keys(changes).length === 0) {
    return "unchanged";
  }
  if (!dryRun) {
    await experiments.change(name, changes);
  }
  return "changed";
}
