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
};

export const TRIAL_STATUSES = ["WAITING", "RUNNING", "SUCCEEDED", "FAILED", "EARLY_STOPPED", "USER_CANCELED", "SYS_CANCELED", "UNKNOWN"];

export const EXPERIMENT_STATUSES = ["INITIALIZED", "RUNNING", "PAUSED", "NO_MORE_TRIAL", "STOPPING", "STOPPED", "DONE", "FAILED", "ERROR"];

export const statusWord = (status) => LOOKS[status]?.[0] ?? status;

export const statusTone = (status) => LOOKS[status]?.[1] ?? "idle";

export const pill = (status) => html`<span class="pill ${statusTone(status)}"
  data-status=${status}>${statusWord(status)}</span>`;

/** Whether a trial or an experiment still moves. */
export const isLive = (status) => ["INITIALIZED", "RUNNING", "PAUSED", "NO_MORE_TRIAL", "STOPPING", "WAITING", "UNKNOWN"].includes(status);
