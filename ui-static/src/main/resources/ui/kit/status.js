// Statuses in words and colours.
import { html } from "lit";

const LOOKS = {
  INITIALIZED: ["Starting", "idle"],
  RUNNING: ["Running", "busy"],
  PAUSED: ["Paused", "warn"],
  NO_MORE_TRIAL: ["Finishing", "busy"],
  STOPPING: ["Stopping", "warn"],
  STOPPED: ["Stopped", "idle"],
  DONE: ["Done", "good"],
  FAILED: ["Failed", "bad"],
  ERROR: ["Error", "bad"],
  VIEWED: ["Viewed", "idle"],
  WAITING: ["Waiting", "idle"],
  SUCCEEDED: ["Succeeded", "good"],
  USER_CANCELED: ["Killed", "idle"],
  SYS_CANCELED: ["Cancelled", "idle"],
  EARLY_STOPPED: ["Stopped early", "warn"],
  UNKNOWN: ["Unknown", "warn"],
  // Services, workloads and their replicas.
  OFFLINE: ["Offline", "idle"],
  STARTING: ["Starting", "busy"],
  READY: ["Ready", "good"],
  DEGRADED: ["Degraded", "warn"],
  BACKOFF: ["Backing off", "bad"],
  UNREACHABLE: ["Unreachable", "warn"],
  // Runs of pipelines and their steps.
  ACCEPTED: ["Accepted", "idle"],
  BLOCKED: ["Blocked", "idle"],
  CACHED: ["Cached", "good"],
  SKIPPED: ["Skipped", "idle"],
  OMITTED: ["Omitted", "idle"],
  REFUSED: ["Refused", "bad"],
  LATE: ["Late", "warn"],
  MISSED: ["Missed", "bad"],
  UNREADY: ["Not ready", "warn"],
  // Tracked runs.
  SCHEDULED: ["Scheduled", "idle"],
  FINISHED: ["Finished", "good"],
  KILLED: ["Killed", "idle"],
  // Builds of images, and images of the catalogue.
  QUEUED: ["Queued", "idle"],
  PUSHING: ["Pushing", "busy"],
  CANCELED: ["Cancelled", "idle"],
  PRESENT: ["As added", "good"],
  MOVED: ["Moved", "warn"],
  GONE: ["Gone", "bad"],
  // Rollouts and notebooks.
  IDLE: ["Idle", "idle"],
  WARNED: ["Warned", "warn"],
  STEP: ["Rolling out", "busy"],
  ROLLED_BACK: ["Rolled back", "bad"],
};

export const TRIAL_STATUSES = ["WAITING", "RUNNING", "SUCCEEDED", "FAILED", "EARLY_STOPPED", "USER_CANCELED", "SYS_CANCELED", "UNKNOWN"];

export const EXPERIMENT_STATUSES = ["INITIALIZED", "RUNNING", "PAUSED", "NO_MORE_TRIAL", "STOPPING", "STOPPED", "DONE", "FAILED", "ERROR"];

export const statusWord = (status) => LOOKS[status]?.[0] ?? status;

export const statusTone = (status) => LOOKS[status]?.[1] ?? "idle";

export const pill = (status) => html`<span class="pill ${statusTone(status)}"
  data-status=${status}>${statusWord(status)}</span>`;

/** Whether a trial, an experiment or a run still moves. */
export const isLive = (status) => ["ACCEPTED", "INITIALIZED", "RUNNING", "PAUSED", "NO_MORE_TRIAL", "STOPPING", "WAITING", "UNKNOWN"].includes(status);
