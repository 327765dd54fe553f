// What can be done to a rollout that is under way: of a domain, or of a new generation of a service.
import { html, nothing } from "lit";
import { confirm } from "../kit/confirm.js";
import { icon } from "../kit/icons.js";
import { attempt } from "../shell/toasts.js";

const IS_UNDER_WAY = ["STEP", "PAUSED"];

export const isUnderWay = (rollout) => IS_UNDER_WAY.includes(rollout.state);

/** The candidate in words. */
export const candidateOf = (rollout) => (rollout.generation ? `generation ${rollout.generation}` : rollout.candidate);

/**
 * @param commands what sends each command: {pause, resume, promote, abort}
 * @param back what rolling back does, in a sentence
 * @param done called after a command was accepted
 */
export function rolloutCommands(rollout, commands, back, done) {
  const isDone = rollout.state === "DONE";
  if (!isUnderWay(rollout) && !isDone) {
    return nothing;
  }
  const run = async (command, words) => {
    if ((await attempt(commands[command], words)) !== null) {
      done();
    }
  };
  const abort = async () => {
    if (await confirm({ title: `Roll ${candidateOf(rollout)} back?`, text: back, action: "Roll back" })) {
      await run("abort", "Rolling back");
    }
  };
  const rollBack = html`<button type="button" class="danger" data-command="abort" @click=${abort}>${icon("close")}Roll back</button>`;
  // What was before is kept warm for a while.
  return isDone ? rollBack : html`
    ${rollout.state === "PAUSED"
      ? html`<button type="button" data-command="resume" @click=${() => run("resume", "Goes on")}>${icon("play")}Resume</button>`
      : html`<button type="button" data-command="pause" @click=${() => run("pause", "The shares stay as they are")}>${icon("pause")}Pause</button>`}
    <button type="button" class="primary" data-command="promote" @click=${() => run("promote", "All requests go to the new version")}>${icon("up")}Promote</button>
    ${rollBack}`;
}
