// A rollout as a line of steps: what each gives to the new version, which are passed, and where it is or fell.
import { html, nothing } from "lit";
import { fullTime, time } from "../kit/format.js";
import { candidateOf } from "./rollout-commands.js";

/** How a step stands: passed, now, failed or ahead. */
export function standing(rollout, step) {
  if (rollout.state === "DONE" || rollout.state === "IDLE" || step < rollout.step) {
    return "passed";
  }
  return step > rollout.step ? "ahead" : rollout.state === "ROLLED_BACK" ? "failed" : "now";
}

const WORDS = { passed: "passed", now: "now", failed: "rolled back here", ahead: "ahead" };

/** When a step began; nothing where that is not known. */
function begun(rollout, step) {
  const at = rollout.times.find((one) => one.step === step)?.at;
  return at ? html` <time class="small faint" datetime=${at} title=${fullTime(at)}>${time(at)}</time>` : nothing;
}

/** Nothing where there has been no rollout; @param commands about it */
export function rolloutSteps(rollout, commands = nothing) {
  if (!rollout.candidate || rollout.percents.length === 0) {
    return nothing;
  }
  return html`<section class="card below" aria-label="Rollout">
    <header><h2>Rollout of ${candidateOf(rollout)}</h2>${commands}</header>
    <ol class="steps">
      ${[0, ...rollout.percents].map((percent, step) => {
        const how = standing(rollout, step);
        return html`<li class=${how} aria-current=${how === "now" ? "step" : "false"}><b class="number">${step === 0 ? "Ready" : `${percent} %`}</b>
          <span class="small">${step === 0 && how === "now" ? "not yet" : WORDS[how]}</span>${begun(rollout, step)}</li>`;
      })}
    </ol>
    ${rollout.endedAt
      ? html`<p class="soft small">${rollout.state === "ROLLED_BACK" ? "Rolled back" : "All requests"}
          <time datetime=${rollout.endedAt} title=${fullTime(rollout.endedAt)}>${time(rollout.endedAt)}</time></p>`
      : nothing}
    ${rollout.gates.length > 0 ? html`<p class="soft small">Each step asks for: ${rollout.gates.join(" · ")}</p>` : nothing}
  </section>`;
}
