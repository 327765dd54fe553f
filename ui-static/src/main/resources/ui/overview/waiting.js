// What waits and why, and what is due next.
import { trials } from "../api.js";
import { dueRuns, runs, schedules } from "../api/pipelines.js";
import { isLive } from "../kit/status.js";
import { addressIn, addressOf } from "../shell/router.js";

/** How many runs and experiments are asked for what waits in them. */
const ASKED = 10;
const MOST_DUE = 20;
const MOST_SCHEDULES = 1000;
const SHOWN = 10;

/** Steps of a run that could run and do not, and those that wait for a person: {address, name, reason, isQuestion}. */
export const waitingSteps = (run) =>
  run.steps
    .filter((step) => step.reason && (["READY", "WAITING"].includes(step.status) || (step.platform === "people" && step.status === "RUNNING")))
    .map((step) => ({
      address: `${addressIn("runs", run.id)}?step=${encodeURIComponent(step.name)}`,
      name: `${run.pipeline}, ${step.name}`,
      reason: step.reason,
      isQuestion: step.platform === "people",
    }));

async function waitingTrial(experiment) {
  const page = await trials.list(experiment.id, { status: "WAITING", sort: "sequenceId", limit: 1 });
  const count = experiment.trialCounts.WAITING;
  return page.items
    .filter((trial) => trial.reason)
    .map((trial) => ({
      address: addressOf(experiment.id, "trials", "status=WAITING"),
      name: `${experiment.name || experiment.id}, ${count} trial${count === 1 ? "" : "s"}`,
      reason: trial.reason,
      isQuestion: false,
    }));
}

/** What waits in the newest live runs and experiments, questions to people first. What cannot be asked is left out. */
export async function whatWaits(experiments, latest) {
  const none = () => [];
  const asked = [
    ...latest.filter((run) => isLive(run.status)).slice(0, ASKED).map((run) => runs.get(run.id).then(waitingSteps, none)),
    ...experiments.filter((one) => isLive(one.status) && one.trialCounts?.WAITING > 0).slice(0, ASKED).map((one) => waitingTrial(one).catch(none)),
    dueRuns.list({ status: "comed", limit: MOST_DUE }).then(
      ({ items }) => items.filter((due) => due.reason).map((due) => ({ address: addressIn("pipelines", due.pipeline, "schedule"), name: `${due.pipeline}, due run`, reason: due.reason, isQuestion: false })),
      none,
    ),
  ];
  const found = (await Promise.all(asked)).flat();
  return found.sort((a, b) => Number(b.isQuestion) - Number(a.isQuestion));
}

/** The next instants of schedules that are not paused, the nearest first: {pipeline, at}. */
export const nextOf = (all, now) =>
  all
    .filter((schedule) => !schedule.paused)
    .flatMap(({ pipeline, upcoming }) => upcoming.map((at) => ({ pipeline, at })))
    .filter(({ at }) => Date.parse(at) >= now)
    .sort((a, b) => a.at.localeCompare(b.at))
    .slice(0, SHOWN);

export const schedulesOfAll = async () => (await schedules.list({ limit: MOST_SCHEDULES })).items;
