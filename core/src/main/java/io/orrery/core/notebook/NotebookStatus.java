package io.orrery.core.notebook;

/** The status of a notebook. */
public enum NotebookStatus {
  /** It is not wanted, and no program runs; its files are there. */
  STOPPED,
  /** It waits for something that its program needs, such as an image, a port or room. */
  WAITING,
  /** Its program is on its way, or runs and does not answer yet. */
  STARTING,
  /** It answers, and has been used lately. */
  RUNNING,
  /** It answers and is not used: it will be stopped. */
  IDLE,
  /** Its program is ending. */
  STOPPING,
  /** Its program has ended by itself, or cannot start. */
  FAILED,
  /** Its program, machine or cluster does not answer any more. */
  UNREACHABLE
}
