// What to do when another person has saved meanwhile.
import { html } from "lit";
import { differences } from "../documents/differences.js";

/** @param settle called with the text that is to be gone on with */
export const conflict = (theirs, mine, settle) => html`<div class="card trouble" role="alert">
  <h2>Another person changed it while you wrote</h2>
  <p>Lines that theirs has and yours has not, and the other way round:</p>
  <pre class="document" tabindex="0" role="region" aria-label="Differences">${differences(theirs, mine).map(
    ({ side, line }) => html`<span class=${side === "-" ? "bad" : "good"}>${side} ${line}\n</span>`,
  )}</pre>
  <div class="toolbar">
    <button type="button" @click=${() => settle(theirs)}>Take theirs</button>
    <button type="button" @click=${() => settle(mine)}>Keep mine over theirs</button>
  </div>
</div>`;
