package io.orrery.orchestrator.build;

/** The contract of what keeps one start of a build, until it is over or left. */
interface BuildAttendance {
  void begin();

  /** Has it ended. */
  void cancel();

  /** Keeps it no more; what runs goes on. */
  void leave();
}
