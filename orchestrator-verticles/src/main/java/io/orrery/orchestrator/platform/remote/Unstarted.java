package io.orrery.orchestrator.platform.remote;

/** An attempt was certainly not started on a machine, for a reason that may pass. */
final class Unstarted extends Exception {
  private static final long serialVersionUID = 1;

  Unstarted(String why) {
    super(why);
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
