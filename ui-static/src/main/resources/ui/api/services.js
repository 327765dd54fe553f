// The API of services, of the domains that they share, and of everything that is kept running.
import { V1, follow, json, query, send, whole } from "./request.js";
import { chosen } from "../people/chosen-project.js";

const one = (name) => `/services/${encodeURIComponent(name)}`;
const domainOf = (host) => `/domains/${encodeURIComponent(host)}`;

export const services = {
  list: async (options = {}) => json("GET", "/services" + query(await chosen.within(options))),
  get: (name) => json("GET", one(name)),
  remove: (name) => send("DELETE", V1 + one(name)),
  /** @param command deploy, clear, restart, scale or rollback; @param options such as {stage} */
  command: (name, command, options = {}) => json("POST", `${one(name)}/${command}`, options),
  /** @param command pause, resume, promote or abort, of an upgrade in production */
  rollout: (name, command) => json("POST", `${one(name)}/rollout/${command}`),
  /** {items: [{number, at, replica, state, reason}]}, the oldest first. */
  events: (name, stage) => whole(one(name) + "/events", { stage }),
  revisions: (name) => whole(one(name) + "/revisions"),
  /** Decisions of the scaler with their reasons: {items: [{at, from, to, reason}]}. */
  scalings: (name) => whole(one(name) + "/scalings"),
  /** {stepSeconds, items: [{service, points: [{at, requests, errors, p50, p99}]}]} of the last hour. */
  traffic: (name) => json("GET", one(name) + "/traffic"),
  /** What its shadows answered otherwise: {items: [{shadow, sent, …, differences}]}. */
  shadows: (name) => whole(one(name) + "/shadows"),
  logAddress: (name, options) => V1 + one(name) + "/logs" + query(options),
  /** Text as a replica writes it. */
  followLog: (name, options, signal) => follow(services.logAddress(name, { ...options, follow: true }), signal),
};

export const domains = {
  list: () => whole("/domains"),
  get: (host) => json("GET", domainOf(host)),
  /** As those of services. */
  traffic: (host) => json("GET", domainOf(host) + "/traffic"),
  shadows: (host) => whole(domainOf(host) + "/shadows"),
  /** @param backends [{service, percent}], which make 100 together */
  divide: (host, backends, shadows, options = {}) => json("PUT", domainOf(host) + query(options), { backends, shadows }),
  /** @param command promote, abort, pause or resume */
  rollout: (host, command) => json("POST", `${domainOf(host)}/rollout/${command}`),
};
