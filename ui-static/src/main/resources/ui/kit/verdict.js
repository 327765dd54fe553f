// What the server makes of a text while it is being written.
import { html, nothing } from "lit";

/** What stands there before the first check. */
export const UNCHECKED = { state: "none", errors: [], notices: [] };

const PILLS = {
  none: () => nothing,
  asking: () => html`<span class="spinner faint"></span>`,
  good: () => html`<span class="pill good">Valid</span>`,
  bad: (errors) => html`<span class="pill bad">${errors.length > 1 ? `${errors.length} problems` : "1 problem"}</span>`,
};

/**
 * @param check {state, errors: [{pointer, message, line}], notices, message}; state is "none", "asking", "good" or "bad"
 * @param before @param good sentences for a text that was not checked yet, and for a good one
 * @param show called with the error whose place is wanted
 */
export const verdict = ({ state, errors, notices, message }, { before, good, show }) => html`<section class="card verdict" role="status" aria-live="polite">
  <header><h2>Check</h2>${PILLS[state](errors)}</header>
  ${state === "none" ? html`<p class="soft small">${before}</p>` : nothing}
  ${state === "good" ? html`<p class="soft small">${good}</p>` : nothing}
  ${state === "bad"
    ? html`<ul class="findings" role="alert">${(errors.length > 0 ? errors : [{ pointer: "", message }]).map(
        (error) => html`<li><button type="button" class="link" @click=${() => show(error)}>${error.line ? `Line ${error.line}` : ""}
          <span class="code">${error.pointer}</span></button><span>${error.message}</span></li>`,
      )}</ul>`
    : nothing}
  ${notices.map((notice) => html`<p class="notice small">${notice}</p>`)}
</section>`;
