// Experiments, runs and services as things of one shape: {collection, id, name, status, reason, startedAt, endedAt}.
import { isLive } from "../kit/status.js";
import { isTroubled } from "../services/service-status.js";

const DAY_MS = 86_400_000;
const FAILED = ["FAILED", "ERROR"];

export const SOURCES = [
  {
    key: "experiments",
    label: "Experiments",
    address: "#/",
    isWell: { word: "running", test: (experiment) => isLive(experiment.status) },
    thing: (experiment) => ({
      collection: "experiments",
      id: experiment.id,
      name: experiment.name || experiment.id,
      status: experiment.status,
      reason: experiment.error ?? null,
      startedAt: experiment.startedAt,
      endedAt: experiment.endedAt,
    }),
  },
  {
    key: "runs",
    label: "Pipeline runs",
    address: "#/pipelines",
    isWell: { word: "running", test: (run) => isLive(run.status) },
    thing: (run) => ({
      collection: "runs",
      id: run.id,
      name: `${run.pipeline} ${run.id}`,
      status: run.status,
      reason: run.error,
      startedAt: run.startedAt,
      endedAt: run.endedAt,
    }),
  },
  {
    key: "services",
    label: "Services",
    address: "#/services",
    isWell: { word: "ready", test: (service) => service.state.status === "READY" },
    thing: (service) => ({
      collection: "services",
      id: service.name,
      name: service.name,
      status: service.state.status,
      reason: service.state.reason,
      startedAt: service.state.since ?? null,
      endedAt: null,
    }),
  },
];

/** Services that are not well now. */
export const troubles = (things) => things.filter((thing) => thing.collection === "services" && isTroubled(thing.status));

/** What failed within a day before `now` (ms since 1970), the newest first. */
export const failures = (things, now) =>
  things
    .filter((thing) => thing.collection !== "services" && FAILED.includes(thing.status) && now - Date.parse(thing.endedAt) < DAY_MS)
    .sort((a, b) => b.endedAt.localeCompare(a.endedAt));
