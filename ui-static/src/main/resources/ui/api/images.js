// The API of builds of images, of the catalogue, and of accounts at registries.
import { V1, follow, json, query, send, whole } from "./request.js";
import { chosen } from "../people/chosen-project.js";

const list = (path) => async (options = {}) => whole(path, await chosen.within(options));
const at = (path) => (name) => `${path}/${encodeURIComponent(name)}`;
const build = at("/builds");
const image = at("/images");
const registry = at("/registries");

export const builds = {
  list: list("/builds"),
  get: (name) => json("GET", build(name)),
  /** @param command start or cancel */
  command: (name, command) => json("POST", `${build(name)}/${command}`),
  delete: (name) => send("DELETE", V1 + build(name)),
  logAddress: (name, options = {}) => V1 + build(name) + "/logs" + query(options),
  followLog: (name, signal) => follow(builds.logAddress(name, { follow: true }), signal),
};

export const images = {
  list: list("/images"),
  /** @param wanted {name, description?, project?} */
  add: (wanted) => json("POST", "/images", wanted),
  /** Looks whether the tag is still there, and still the same. */
  check: (id) => json("POST", image(id) + "/check"),
  delete: (id) => send("DELETE", V1 + image(id)),
};

export const registries = {
  list: list("/registries"),
  /** @param wanted {server, user, password: "secret:NAME"} */
  put: (name, wanted) => json("PUT", registry(name), wanted),
  /** Logs in: {ok, reason}. */
  check: (name) => json("POST", registry(name) + "/check"),
  delete: (name) => send("DELETE", V1 + registry(name)),
};
