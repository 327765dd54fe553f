// The API of notebooks.
import { V1, follow, json, query, send, whole } from "./request.js";
import { chosen } from "../people/chosen-project.js";

const one = (name) => `/notebooks/${encodeURIComponent(name)}`;

export const notebooks = {
  list: async (options = {}) => json("GET", "/notebooks" + query(await chosen.within(options))),
  /** @param document {name?, ide, share, expiry: {idle}} */
  create: (document) => json("POST", "/notebooks", document),
  /** @param command start, stop, reset or renew */
  command: (name, command) => json("POST", `${one(name)}/${command}`),
  delete: (name) => send("DELETE", V1 + one(name)),
  /** {items: [{number, at, state, reason}]}, the oldest first. */
  events: (name) => whole(one(name) + "/events"),
  /** Leads to the notebook's own origin, with a ticket. */
  enterAddress: (name, options = {}) => `${V1}${one(name)}/enter` + query(options),
  logAddress: (name, options) => V1 + one(name) + "/logs" + query(options),
  followLog: (name, options, signal) => follow(notebooks.logAddress(name, { ...options, follow: true }), signal),
};
