// The API of experiments, of the router, and of the server itself. What else the page asks stands in the folder api.
import { V1, follow, json, query, Refusal, send, session, whole } from "./api/request.js";
import { chosen } from "./people/chosen-project.js";

// The most that the server answers at once.
const SERIES_AT_ONCE = 100;

export { Refusal, session };

const one = (id) => `/experiments/${encodeURIComponent(id)}`;
const trialOf = (id, trial) => `${one(id)}/trials/${encodeURIComponent(trial)}`;

export const experiments = {
  list: async (options = {}) => json("GET", "/experiments" + query(await chosen.within(options))),
  get: (id) => json("GET", one(id)),
  change: (id, patch) => json("PATCH", one(id), patch),
  command: (id, command) => json("POST", `${one(id)}/${command}`),
  remove: (id) => json("DELETE", one(id)),
  /** The trials that no other one dominates: {objectives, items: [{trial, sequenceId, values, parameters}], total, trials}. */
  front: (id, limit) => json("GET", one(id) + "/front" + query({ limit })),
  importance: (id) => json("GET", one(id) + "/importance"),
  /** Where its trials run: {items: [{service, name, absence, since, heardAt, trials, others, free, gpus}]}. */
  machines: (id) => json("GET", one(id) + "/machines"),
  /** @param options maxPoints, and the key and mode of the metric */
  points: (id, options) => json("GET", one(id) + "/points" + query(options)),

  /**
   * The intermediate results of these trials, in their order: {trial, total, points}.
   * @param options maxPoints, key, and from and to, the first and the last of them
   */
  async curves(id, names, options = {}) {
    const found = [];
    for (let at = 0; at < names.length; at += SERIES_AT_ONCE) {
      const some = names.slice(at, at + SERIES_AT_ONCE);
      const page = await json("GET", one(id) + "/metrics" + query({ trials: some.join(","), kind: "intermediate", ...options }));
      found.push(...page.items.map((series, n) => ({ ...series, trial: some[n] })));
    }
    return found;
  },

  exportAddress: (id, format) => `${V1}${one(id)}/export?format=${format}`,

  /** @param text a JSON list of results of elsewhere; answers {imported, duplicates, notices} */
  importResults: async (id, text) => (await send("POST", `${V1}${one(id)}/import`, text)).json(),

  /** Of the experiment as a whole, to be restored here or elsewhere. */
  archiveAddress: (id) => `${V1}${one(id)}/archive`,

  /** @param lines an archive; the experiment comes to the chosen project */
  restore: async (lines) =>
    (await send("POST", V1 + "/experiments/restore" + query(await chosen.within({})), lines, "application/x-ndjson")).json(),

  /** A configuration in NNI's form of version 3: {config, changes}. */
  convert: async (text) => (await send("POST", V1 + "/experiments/convert", text, "application/yaml")).json(),

  /** @param text a configuration, YAML or JSON; @param options dryRun, base; in the chosen project unless the text names one */
  async create(text, options = {}) {
    const where = /^\s*"?project"?\s*:/m.test(text) ? options : await chosen.within(options);
    return (await send("POST", V1 + "/experiments" + query(where), text, "application/yaml")).json();
  },
};

export const trials = {
  list: (id, options = {}) => json("GET", one(id) + "/trials" + query(options)),
  get: (id, trial) => json("GET", trialOf(id, trial)),
  add: (id, parameters) => json("POST", one(id) + "/trials", { parameters }),
  kill: (id, trial) => json("POST", trialOf(id, trial) + "/cancel"),
  retry: (id, trial) => json("POST", trialOf(id, trial) + "/retry"),
  metrics: (id, trial, options = {}) => json("GET", trialOf(id, trial) + "/metrics" + query(options)),
  /** What is kept of it: {items: [{path, bytes}], more}. */
  files: (id, trial) => json("GET", trialOf(id, trial) + "/files"),
  fileAddress: (id, trial, path) => `${V1}${trialOf(id, trial)}/file${query({ path })}`,
  eventFileAddress: (id, trial) => `${V1}${trialOf(id, trial)}/tfevents`,
  logAddress: (id, trial, stream) => `${V1}${trialOf(id, trial)}/logs/${stream}`,

  /** Text as it is written, piece by piece, until the attempt ends or the signal aborts. */
  followLog: (id, trial, stream, { offset = 0, attempt, signal }) =>
    follow(trials.logAddress(id, trial, stream) + query({ offset, attempt, follow: true }), signal),
};

/** Plays an experiment of the platform `simulated` through, some times: {runs, notices}. */
export const rehearse = async (text, runs) => (await send("POST", V1 + "/rehearsals" + query({ runs }), text, "application/yaml")).json();

const annotationOf = (id, trial) => `${trial === null ? one(id) : trialOf(id, trial)}/annotation`;

/** Note and tags of an experiment, or of a trial when one is named: {note, tags, changedAt}. */
export const annotations = {
  get: (id, trial) => json("GET", annotationOf(id, trial)),
  /** @param patch note, tags, or both */
  change: (id, trial, patch) => json("PATCH", annotationOf(id, trial), patch),
};

/** The user's own TensorBoard, on the server's machine: {id, url, port, trials, startedAt}. */
export const tensorBoards = {
  list: (id) => json("GET", one(id) + "/tensorboards"),
  /** Answers when it serves. */
  start: (id, names) => json("POST", one(id) + "/tensorboards", { trials: names }),
  stop: (id, board) => send("DELETE", `${V1}${one(id)}/tensorboards/${encodeURIComponent(board)}`),
};

const tableOf = async (response) => ({ ...(await response.json()), revision: response.headers.get("ETag").replaceAll('"', "") });

/** The table of the serving router: {services, revision}. */
export const routes = {
  get: async () => tableOf(await send("GET", V1 + "/routes")),
  /** Refused when the table in force is not the one of this revision any more. */
  replace: async (services, revision) =>
    tableOf(await send("PUT", V1 + "/routes", JSON.stringify({ services }), "application/json", { "If-Match": `"${revision}"` })),
  events: () => new EventSource(V1 + "/routes/events"),
};

/** What the server noted: all of it, or of one experiment. */
export const log = (options = {}) => json("GET", "/logs" + query(options));

/** Where trials can run, with the keys of each place. */
export const platforms = () => whole("/platforms");

/** Whether trials of a configuration could run: {platform, works, items, notices}, each item with its verdict and what would help. @param options base */
export async function checkPlatform(text, options = {}) {
  const where = /^\s*"?project"?\s*:/m.test(text) ? options : await chosen.within(options);
  return (await send("POST", V1 + "/platforms/check" + query(where), text, "application/yaml")).json();
}

export const tuners = () => whole("/tuners");

/** @param shown {user, password} or {token} */
export const signIn = (shown) => send("POST", V1 + "/session", JSON.stringify(shown));

/** {required, users, passwords, openId} and, signed in, name and role. */
export const whoAmI = () => json("GET", "/session");

export async function signOut() {
  const answer = await send("DELETE", V1 + "/session");
  if (answer.status === 200) {
    // The provider has a session of its own, which would sign in again without asking.
    window.location.assign((await answer.json()).endSession);
    return;
  }
  session.dispatchEvent(new Event("wanted"));
}

/** Server-sent events: of one experiment, or of the list when id is null. */
export const events = (id) => new EventSource(V1 + (id ? one(id) : "") + "/events");
