// The API of pipelines, their templates, and their runs.
import { Refusal, V1, follow, json, query, send, whole } from "./request.js";
import { chosen } from "../people/chosen-project.js";

const one = (name) => `/pipelines/${encodeURIComponent(name)}`;
const runOf = (id) => `/runs/${encodeURIComponent(id)}`;
const stepOf = (id, step) => `${runOf(id)}/steps/${encodeURIComponent(step)}`;

export const pipelines = {
  list: async (options = {}) => json("GET", "/pipelines" + query(await chosen.within(options))),
  get: (name) => json("GET", one(name)),
  remove: (name) => send("DELETE", V1 + one(name)),
  /** {items: [{version, at, by, document}], next}, the newest first. */
  versions: (name, options = {}) => json("GET", one(name) + "/versions" + query(options)),
  /** What tasks have used and could ask for: {items: [{task, runs, memoryBytes, cpus, suggested, words}]}. */
  advice: (name) => whole(one(name) + "/advice"),
  /** @param wanted {parameters, version, cache}; answers {id} */
  run: (name, wanted) => json("POST", one(name) + "/run", wanted),
  /** Runs one task alone; what it needs of others is taken from the last run, or from the run `wanted.from`. Answers {id}. */
  runTask: (name, task, wanted = {}) => json("POST", `${one(name)}/tasks/${encodeURIComponent(task)}/run`, wanted),
  /** Stops and deletes the runs of one task alone: {deleted}. */
  clearTask: (name, task) => json("POST", `${one(name)}/tasks/${encodeURIComponent(task)}/clear`, {}),
  /** The present version as an Argo Workflow: {workflow, notices}. */
  exportWorkflow: (name) => json("POST", one(name) + "/export", {}),
  /** Starts a program for shells in place of a task's own. Answers {id, workload}. */
  debugTask: (name, task, wanted = {}) => json("POST", `${one(name)}/tasks/${encodeURIComponent(task)}/debug`, wanted),
};

const scheduleOf = (name) => one(name) + "/schedule";
const dueOf = (id) => `/due-runs/${encodeURIComponent(id)}`;

export const schedules = {
  /** All schedules, without their alerts: {items, next}. */
  list: async (options = {}) => json("GET", "/schedules" + query(await chosen.within(options))),
  /** The schedule of a pipeline; null when it has none. */
  find: (name) => json("GET", scheduleOf(name)).catch((refusal) => (refusal.status === 404 ? null : Promise.reject(refusal))),
  put: (name, schedule, dryRun) => json("PUT", scheduleOf(name) + query({ dryRun }), schedule),
  remove: (name) => send("DELETE", V1 + scheduleOf(name)),
  pause: (name) => json("POST", scheduleOf(name) + "/pause"),
  resume: (name) => json("POST", scheduleOf(name) + "/resume"),
  /** @param span {from, to}; answers {items}: the instants that have no due run */
  backfill: (name, span, dryRun) => json("POST", scheduleOf(name) + "/backfill" + query({ dryRun }), span),
};

export const dueRuns = {
  list: async (options = {}) => json("GET", "/due-runs" + query(await chosen.within(options))),
  skip: (id) => json("POST", dueOf(id) + "/skip"),
  again: (id) => json("POST", dueOf(id) + "/again"),
};

const templateOf = (name) => `/templates/${encodeURIComponent(name)}`;

export const templates = {
  list: async (options = {}) => json("GET", "/templates" + query(await chosen.within(options))),
  get: (name) => json("GET", templateOf(name)),
  remove: (name) => send("DELETE", V1 + templateOf(name)),
  /** The words of the command that a task with these arguments runs: {command}. */
  check: (name, values) => json("POST", templateOf(name) + "/check", { arguments: values }),
};

export const runs = {
  list: async (options = {}) => json("GET", "/runs" + query(await chosen.within(options))),
  get: (id) => json("GET", runOf(id)),
  /** @param command stop, pause, resume or retry */
  command: (id, command, options = {}) => json("POST", `${runOf(id)}/${command}`, options),
  remove: (id) => send("DELETE", V1 + runOf(id)),
  /** @param verb approve or refuse */
  answer: (id, step, verb, why) => json("POST", `${stepOf(id, step)}/${verb}`, { why }),
  events: (id) => new EventSource(V1 + runOf(id) + "/events"),
  /** {left, right, lines: [{kind, step, name, left, right, same, change}]} */
  compare: (id, other) => json("GET", `${runOf(id)}/compare/${encodeURIComponent(other)}`),
  artifactAddress: (id, step, name, options = {}) => `${V1}${runOf(id)}/artifacts/${encodeURIComponent(step)}/${encodeURIComponent(name)}` + query(options),
  /** The bytes of an output of at most so many. */
  async artifact(id, step, name, most) {
    const response = await send("GET", runs.artifactAddress(id, step, name));
    if (Number(response.headers.get("Content-Length")) > most) {
      await response.body.cancel();
      throw new Refusal(413, { detail: "It is too large to be shown: download it." });
    }
    return new Uint8Array(await response.arrayBuffer());
  },
  logAddress: (id, step, stream, options = {}) => `${V1}${stepOf(id, step)}/logs/${stream}` + query(options),
  followLog: (id, step, stream, options, signal) => follow(runs.logAddress(id, step, stream, { ...options, follow: true }), signal),
};
