// The API of people, their tokens, projects, and what was done.
import { V1, json, onlyFor, onlyForOrNew, query, send, whole } from "./request.js";

const projectOf = (name) => `/projects/${encodeURIComponent(name)}`;
const memberOf = (name, user) => `${projectOf(name)}/members/${encodeURIComponent(user)}`;
const secretOf = (name, secret) => `${projectOf(name)}/secrets/${encodeURIComponent(secret)}`;
const userOf = (name) => `/users/${encodeURIComponent(name)}`;

/** {user, displayName, role, kind, readOnly, projects: [{name, role}]}. */
export const me = () => json("GET", "/me");

export const tokens = {
  list: () => whole("/me/tokens"),
  /** @param wanted {name, expiresAt, scope}; answers with the token, which is never shown again */
  create: (wanted) => json("POST", "/me/tokens", wanted),
  revoke: (name) => send("DELETE", `${V1}/me/tokens/${encodeURIComponent(name)}`),
};

export const users = {
  list: (options = {}) => json("GET", "/users" + query(options)),
  add: (user) => json("POST", "/users", user),
  change: (name, patch, revision) => json("PATCH", userOf(name), patch, onlyFor(revision)),
  /** @param wanted {password}, and {present}, the password until now, for one's own */
  setPassword: (name, wanted) => json("POST", userOf(name) + "/password", wanted),
};

export const projects = {
  list: (options = {}) => json("GET", "/projects" + query(options)),
  get: (name) => json("GET", projectOf(name)),
  /** @param revision that the change starts from; absent for any */
  put: (name, project, revision, options = {}) => json("PUT", projectOf(name) + query(options), project, onlyFor(revision)),
  /** {valid, errors: [{pointer, message}], notices}, compared with what the clusters have. */
  check: (name, settings) => json("POST", projectOf(name) + "/check", { settings }),
  remove: (name) => send("DELETE", V1 + projectOf(name)),
  members: (name) => whole(projectOf(name) + "/members"),
  /** @param revision that is listed; null for one that is to be new */
  setMember: (name, user, role, revision) => json("PUT", memberOf(name, user), { role }, onlyForOrNew(revision, revision === null)),
  removeMember: (name, user, revision) => json("DELETE", memberOf(name, user), undefined, onlyFor(revision)),
  secrets: (name) => whole(projectOf(name) + "/secrets"),
  /** @param revision that is listed; null for one that is to be new */
  setSecret: (name, secret, value, revision) => json("PUT", secretOf(name, secret), { value }, onlyForOrNew(revision, revision === null)),
  removeSecret: (name, secret, revision) => json("DELETE", secretOf(name, secret), undefined, onlyFor(revision)),
  joinRequests: (name) => whole(projectOf(name) + "/join-requests"),
  /** {project, limits, used, members, objects}, at this moment. */
  usage: (name) => json("GET", projectOf(name) + "/usage"),
  askToJoin: (name, message) => send("POST", `${V1}${projectOf(name)}/join-requests`, JSON.stringify({ message })),
  /** @param answer accept or refuse */
  answerRequest: (name, user, answer) => send("POST", `${V1}${projectOf(name)}/join-requests/${encodeURIComponent(user)}/${answer}`),
};

/** {from, to, step, by, items: [{at, hours, …}]}. */
export const usage = (options = {}) => json("GET", "/usage" + query(options));
export const usageFile = (options = {}) => `${V1}/usage/export` + query(options);

/** {items: [{machine, index, name, state, percent, since, holders, …}], failures}. */
export const gpus = () => json("GET", "/usage/gpus");

export const retention = {
  list: () => json("GET", "/retention"),
  preview: (options = {}) => json("GET", "/retention/preview" + query(options)),
  /** @param keepDays null to keep such objects */
  put: (kind, keepDays) => send("PUT", `${V1}/retention/${kind}`, JSON.stringify({ keepDays })),
  run: () => send("POST", `${V1}/retention/run`, "{}"),
};

export const audit = (options = {}) => json("GET", "/audit" + query(options));
export const auditFile = (options = {}) => `${V1}/audit/export` + query(options);
