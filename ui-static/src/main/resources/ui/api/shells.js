// Terminals in the replicas of workloads.
import { V1, json, query } from "./request.js";

const workloadOf = (id) => `/workloads/${encodeURIComponent(id)}`;
const shellOf = (workload, replica) => `${workloadOf(workload)}/shell` + query({ replica });

export const shells = {
  /** The workload in which a shell is opened; null while there is none. */
  find: (workload) => json("GET", workloadOf(workload)).catch((refusal) => (refusal.status === 404 ? null : Promise.reject(refusal))),
  /**
   * A terminal: a WebSocket whose binary messages are what is typed, and what is written. The text message
   * {"cols", "rows"} sets the size; the last one of the server is {"exitCode"}.
   */
  open: (workload, replica) => new WebSocket(new URL(V1 + shellOf(workload, replica), document.baseURI).href.replace(/^http/, "ws")),
  /** Why a terminal cannot be opened, in words; null when the server does not say. A browser shows no refusal of a WebSocket. */
  refusal: (workload, replica) =>
    json("GET", shellOf(workload, replica)).then(
      () => null,
      (refusal) => ([401, 403, 404, 409].includes(refusal.status) ? refusal.message : null),
    ),
};
