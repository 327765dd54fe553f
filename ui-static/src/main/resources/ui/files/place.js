// The place whose files the page shows: the server, or the claims of a notebook that runs in a pod.
import { query } from "../api/request.js";

let last = null;

/** {user, notebook, archive} as the address of the page names it; the same object as long as it is the same place. */
export function placeOf(user, asked) {
  const notebook = asked.get("notebook");
  const archive = notebook !== null && asked.get("archive") === "true";
  if (last === null || last.user !== user || last.notebook !== notebook || last.archive !== archive) {
    last = { user, notebook, archive };
  }
  return last;
}

/** The directory of the person there, as programs see it. */
export const rootOf = ({ user, archive }) => `/${archive ? "archives" : "mnt"}/${user}`;

/** The address of the page for a directory of a place. */
export const addressOf = ({ notebook, archive }, path) => "#/files" + query({ notebook, archive, path });
