// The document of a project.
import { projects } from "../api/people.js";
import { found, isSame } from "./document-fault.js";

/** Settings as the server keeps them: without those that are empty. */
const kept = (settings) => Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => typeof value === "object" || String(value).trim() !== ""));

/** Sends it, or only checks it; answers created, changed or unchanged. */
export async function applyProject({ name, body }, { dryRun }) {
  const { kind: _, ...wanted } = body;
  const present = await found(projects.get(name));
  if (
    present !== null &&
    (present.title ?? "") === (wanted.title ?? "") &&
    isSame(present.settings, kept(wanted.settings)) &&
    isSame(present.quota ?? {}, wanted.quota ?? {})
  ) {
    return "unchanged";
  }
  await projects.put(name, wanted, undefined, { dryRun });
  return present === null ? "created" : "changed";
}
