// The API of the model registry.
import { V1, json, query, send, whole } from "./request.js";
import { chosen } from "../people/chosen-project.js";

const one = (name) => `/models/${encodeURIComponent(name)}`;
const versionOf = (name, version) => `${one(name)}/versions/${encodeURIComponent(version)}`;

export const models = {
  list: async (options = {}) => json("GET", "/models" + query(await chosen.within(options))),
  get: (name) => json("GET", one(name)),
  /** @param model description and tags; @param options dryRun, and the project of a new one */
  put: (name, model, options = {}) => json("PUT", one(name) + query(options), model),
  remove: (name) => send("DELETE", V1 + one(name)),
  versions: (name, options = {}) => json("GET", one(name) + "/versions" + query(options)),
  allVersions: (name) => whole(one(name) + "/versions"),
  /** @param wanted path, files or source, and what is said of it; @param options dryRun, and the project of a new model */
  register: (name, wanted, options = {}) => json("POST", one(name) + "/versions" + query(options), wanted),
  /** @param patch stage or description */
  change: (name, version, patch, options = {}) => json("PATCH", versionOf(name, version) + query(options), patch),
  removeVersion: (name, version) => send("DELETE", V1 + versionOf(name, version)),
  alias: (name, alias, version, options = {}) => json("PUT", `${one(name)}/aliases/${encodeURIComponent(alias)}${query(options)}`, { version }),
  removeAlias: (name, alias) => send("DELETE", `${V1}${one(name)}/aliases/${encodeURIComponent(alias)}`),
  /** {items: [{path, bytes}]}. */
  files: (name, version) => whole(versionOf(name, version) + "/files"),
  fileAddress: (name, version, path) => V1 + versionOf(name, version) + "/file" + query({ path }),
};
