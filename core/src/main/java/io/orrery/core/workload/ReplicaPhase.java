package io.orrery.core.workload;

/** The phase of a replica. */
public enum ReplicaPhase {
  /** It waits for something that it needs, such as a port, an image or room. */
  WAITING,
  /** Its program runs, and its probe has not succeeded yet. */
  STARTING,
  /** Its probe succeeds. */
  READY,
  /** Its program runs and its probe has stopped succeeding. */
  UNREADY,
  /** Its program has ended, and is started again when the back-off is over. */
  BACKOFF,
  /** It is asked to end. */
  STOPPING,
  /**
   * It cannot run here as specified: its reason names what is missing, which is looked for again.
   */
  FAILED,
  /** Its machine or cluster does not answer. */
  UNREACHABLE;

  /** Whether requests may be sent to it. */
  public boolean isReady() {
    return this == READY;
  }
}
