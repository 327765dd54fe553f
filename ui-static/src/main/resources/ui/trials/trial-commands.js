// What can be done to trials, one or many.
import { trials } from "../api.js";
import { confirm } from "../kit/confirm.js";
import { attempt, toast } from "../shell/toasts.js";

const KILLABLE = ["WAITING", "RUNNING", "UNKNOWN"];

export const canKill = (trial) => KILLABLE.includes(trial.status);

// As the server judges: what succeeded is not run again, and an experiment that is not going on must be resumed first.
const HOLDS_RETRIES = ["STOPPING", "STOPPED", "ERROR", "VIEWED"];

export const canRetry = (trial, experiment) =>
  ![...KILLABLE, "SUCCEEDED"].includes(trial.status) && !HOLDS_RETRIES.includes(experiment.status);

/** Whether an experiment lets any of its trials run again. */
export const takesRetries = (experiment) => !HOLDS_RETRIES.includes(experiment.status);

export async function kill(id, trial) {
  const agreed = await confirm({ title: `Kill trial ${trial}?`, text: "Its processes are ended. What it reported stays.", action: "Kill" });
  return agreed ? attempt(() => trials.kill(id, trial), `Trial ${trial} is being killed`) : null;
}

export const retry = (id, trial) => attempt(() => trials.retry(id, trial), `Trial ${trial} runs again`);

export async function killAll(id, chosen) {
  const agreed = await confirm({ title: `Kill ${chosen.length} trials?`, text: "Those of them that run are ended; the others stay as they are.", action: "Kill" });
  if (agreed) {
    await each(chosen, (trial) => trials.kill(id, trial), "killed");
  }
}

export const retryAll = (id, chosen) => each(chosen, (trial) => trials.retry(id, trial), "started again");

/** One after the other; tells how many were taken, and why the first of the others was not. */
async function each(chosen, action, done) {
  let taken = 0;
  let refused = null;
  for (const trial of chosen) {
    try {
      await action(trial);
      taken++;
    } catch (refusal) {
      refused ??= refusal;
    }
  }
  toast(`${taken} of ${chosen.length} trials ${done}.${refused ? " " + refused.message : ""}`, taken > 0 ? "good" : "bad");
}
