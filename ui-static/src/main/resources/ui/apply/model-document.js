// The document of a model with its versions and aliases. A version that is there keeps its files; what the document does not
// name stays.
import { models } from "../api/models.js";
import { DocumentFault, differs, found, isSame, placed } from "./document-fault.js";

const OWN = ["project", "description", "tags"];
const ABOUT = ["description", "stage", "framework", "metrics", "tags"];

const picked = (object, keys) => Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));

function checkShape({ versions, aliases }) {
  const errors = [];
  if (versions !== undefined && !Array.isArray(versions)) {
    errors.push({ pointer: "/versions", message: "versions is a list such as [{version: v1, path: /models/a}]" });
  }
  (Array.isArray(versions) ? versions : []).forEach((one, at) => {
    if (!["string", "number"].includes(typeof one?.version)) {
      errors.push({ pointer: `/versions/${at}`, message: "the name of the version is missing: version: v1" });
    }
  });
  if (aliases !== undefined && (typeof aliases !== "object" || aliases === null || Array.isArray(aliases))) {
    errors.push({ pointer: "/aliases", message: "aliases is an object such as {production: v1}" });
  }
  if (errors.length > 0) {
    throw new DocumentFault(errors);
  }
}

/** Sends it, or only checks it; answers created, changed or unchanged. @param options {dryRun, project of a new model} */
export async function applyModel({ name, body }, options) {
  checkShape(body);
  const { versions = [], aliases = {}, ...own } = body;
  const present = await found(models.get(name));
  let changed = false;
  if (present === null || differs(present, own, OWN)) {
    changed = true;
    await models.put(name, own, options);
  }
  const known = new Map(present === null ? [] : (await models.allVersions(name)).items.map((one) => [one.version, one]));
  for (const [at, wanted] of versions.entries()) {
    changed = (await applyVersion(name, wanted, known.get(String(wanted.version)), `/versions/${at}`, options)) || changed;
  }
  for (const [alias, version] of Object.entries(aliases)) {
    if (present?.aliases?.[alias] === String(version)) {
      continue;
    }
    changed = true;
    const isPromised = !known.has(String(version)) && versions.some((one) => String(one.version) === String(version));
    if (!options.dryRun || !isPromised) {
      await placed(`/aliases/${alias}`, () => models.alias(name, alias, String(version), { dryRun: options.dryRun }));
    }
  }
  return present === null ? "created" : changed ? "changed" : "unchanged";
}

/** Whether it is new or changed. */
async function applyVersion(name, wanted, present, pointer, options) {
  if (present === undefined) {
    await placed(pointer, () => models.register(name, wanted, options));
    return true;
  }
  if ("path" in wanted && !isSame(present.path, wanted.path)) {
    throw new DocumentFault([
      { pointer: `${pointer}/path`, message: `version ${wanted.version} has the path ${present.path ?? "of uploaded files"}, which stays: give another version a new name` },
    ]);
  }
  if (!differs(present, wanted, ABOUT)) {
    return false;
  }
  await placed(pointer, () => models.change(name, wanted.version, picked(wanted, ABOUT), { dryRun: options.dryRun }));
  return true;
}
