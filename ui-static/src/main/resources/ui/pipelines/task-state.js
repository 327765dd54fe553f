// The state of a task: that of its steps, of which `each` makes several.

/** What needs attention stands before what is well. */
const ORDER = ["FAILED", "STOPPED", "OMITTED", "RUNNING", "WAITING", "READY", "BLOCKED", "SUCCEEDED", "CACHED", "SKIPPED"];

/** The status that stands for all: the first of ORDER that one of them has; null without steps. */
export const statusOf = (steps) => ORDER.find((status) => steps.some((step) => step.status === status)) ?? null;

export const stepsOf = (run, task) => (run?.steps ?? []).filter((step) => step.task === task);

const DONE = ["SUCCEEDED", "CACHED", "SKIPPED"];

/** "3 of 12", when there are several. */
export const progressOf = (steps) => (steps.length > 1 ? `${steps.filter((step) => DONE.includes(step.status)).length} of ${steps.length}` : "");
