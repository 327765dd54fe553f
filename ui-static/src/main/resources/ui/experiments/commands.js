// What can be done to an experiment, and when.
import { html } from "lit";
import { experiments } from "../api.js";
import { confirm } from "../kit/confirm.js";
import { icon } from "../kit/icons.js";
import { attempt } from "../shell/toasts.js";

const GOES_ON = ["INITIALIZED", "RUNNING", "NO_MORE_TRIAL"];
const RESUMABLE = ["PAUSED", "STOPPED"];
const STOPPABLE = [...GOES_ON, "PAUSED"];
const ENDED = ["STOPPED", "DONE", "FAILED", "ERROR", "VIEWED"];

/** Whether nothing more happens in it. */
export const hasEnded = ({ status }) => ENDED.includes(status);

const nameOf = (experiment) => experiment.name || experiment.id;

const COMMANDS = {
  pause: { label: "Pause", icon: "pause", when: GOES_ON, run: (it) => attempt(() => experiments.command(it.id, "pause"), "Paused: running trials go on, no new ones start") },
  resume: { label: "Resume", icon: "play", when: RESUMABLE, run: (it) => attempt(() => experiments.command(it.id, "resume"), "Resumed") },
  stop: { label: "Stop", icon: "stop", when: STOPPABLE, run: stop },
  remove: { label: "Delete", icon: "trash", when: ENDED, run: remove, danger: true },
};

async function stop(experiment) {
  const agreed = await confirm({
    title: `Stop ${nameOf(experiment)}?`,
    text: "Its running trials are ended. What they reported stays, and it can be resumed.",
    action: "Stop",
  });
  return agreed ? attempt(() => experiments.command(experiment.id, "stop"), "Stopping") : null;
}

async function remove(experiment) {
  const agreed = await confirm({
    title: `Delete ${nameOf(experiment)}?`,
    text: "The experiment, its trials, their results and their logs are deleted for good.",
    action: "Delete",
  });
  return agreed ? attempt(() => experiments.remove(experiment.id), `${nameOf(experiment)} deleted`) : null;
}

/** The names of the commands that its status allows. */
export const commandsFor = (experiment) => Object.keys(COMMANDS).filter((name) => COMMANDS[name].when.includes(experiment.status));

/**
 * Buttons for what the status allows.
 * @param carryOut is called with the name of one that was chosen, and how to run it: that answers with the experiment
 *     as it then was, or with null when nothing happened
 */
export const commandButtons = (experiment, carryOut, names = commandsFor(experiment)) =>
  names.map(
    (name) => html`<button
      type="button"
      data-command=${name}
      data-closes
      class=${COMMANDS[name].danger ? "danger" : ""}
      @click=${() => carryOut(name, () => COMMANDS[name].run(experiment))}
    >
      ${icon(COMMANDS[name].icon)}${COMMANDS[name].label}
    </button>`,
  );
