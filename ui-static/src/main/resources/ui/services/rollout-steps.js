// A rollout as a line of steps: what each gives to the new version, which are passed, and where it is or fell.
import { html, nothing } from "lit";

/** How a step stands: passed, now, failed or ahead. */
export function standing(rollout, step) {
  if (rollout.state === "DONE" || rollout.state === "IDLE" || step < rollout.step) {
    return "passed";
  }
  return step > rollout.step ? "ahead" : rollout.state === "ROLLED_BACK" ? "failed" : "now";
}

const WORDS = { passed: "passed", now: "now", failed: "rolled back here", ahead: "ahead" };

/** Nothing for a domain that has had no rollout. */
export function rolloutSteps(rollout) {
  if (!rollout.candidate || rollout.percents.length === 0) {
    return nothing;
  }
  return html`<section class="card below" aria-label="Rollout">
    <header><h2>Rollout of ${rollout.candidate}</h2></header>
    <ol class="steps">
      ${[0, ...rollout.percents].map((percent, step) => {
        const how = standing(rollout, step);
        return html`<li class=${how} aria-current=${how === "now" ? "step" : "false"}><b class="number">${step === 0 ? "Ready" : `${percent} %`}</b>
          <span class="small">${step === 0 && how === "now" ? "not yet" : WORDS[how]}</span></li>`;
      })}
    </ol>
    ${rollout.gates.length > 0 ? html`<p class="soft small">Each step asks for: ${rollout.gates.join(" · ")}</p>` : nothing}
  </section>`;
}
