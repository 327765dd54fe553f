package io.orrery.compute.remote;

/** An attempt was certainly not started on a machine, for the machine's fault or its own. */
final class Unstarted extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean ownFault;

  private Unstarted(String why, boolean ownFault) {
    super(why);
    this.ownFault = ownFault;
  }

  /** For a reason that others would meet there as well, and that may pass: a full disk. */
  static Unstarted here(String why) {
    return new Unstarted(why, false);
  }

  /** For a reason that lies in the attempt and does not pass: a file name that is too long. */
  static Unstarted forGood(String why) {
    return new Unstarted(why, true);
  }

  /** Whether it lies in the attempt: it can never start, and others can. */
  boolean isOwnFault() {
    return ownFault;
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
