// State of a service over all stages that it is deployed on.

/** Worst first: what needs attention stands before what is well. */
const ORDER = ["FAILED", "UNREACHABLE", "DEGRADED", "STOPPING", "STARTING", "READY", "OFFLINE"];

export const byTrouble = (a, b) => ORDER.indexOf(a.state.status) - ORDER.indexOf(b.state.status) || a.name.localeCompare(b.name);

/** Whether a service needs attention, by its status. */
export const isTroubled = (status) => ["FAILED", "UNREACHABLE", "DEGRADED"].includes(status);

/** How many replicas of a stage answer. */
export const readyOf = (stage) => stage.replicas.filter((replica) => replica.phase === "READY").length;

/** The stages that can be deployed. */
export const STAGES = ["production", "test", "debug"];
