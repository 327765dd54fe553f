// An object's page before it can be shown.
import { html } from "lit";

/** @param what such as "service"; @param back address and name of the page to go to instead */
export function notShown(failure, what, id, [address, name]) {
  if (failure === null) {
    return html`<div class="state" role="status"><span class="spinner"></span><span class="unseen">Loading</span></div>`;
  }
  return failure.status === 404
    ? html`<div class="state"><h1>No such ${what}</h1><p>There is no ${what} <code>${id}</code>: it was deleted, the address is wrong, or
        it belongs to a project that you are not in.</p><a class="button" href=${address}>${name}</a></div>`
    : html`<div class="state"><h1>The ${what} cannot be shown</h1><p>${failure.message}</p></div>`;
}
