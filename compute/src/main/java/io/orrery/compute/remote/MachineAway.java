package io.orrery.compute.remote;

/** A machine cannot be used just now; the message is a clause about it. */
final class MachineAway extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean lasting;

  private MachineAway(String clause, boolean lasting) {
    super(clause);
    this.lasting = lasting;
  }

  /** It may pass by itself: the network, the machine, its SSH server. */
  static MachineAway passing(String clause) {
    return new MachineAway(clause, false);
  }

  /**
   * Creates the failure that a user has to repair: a login that is refused, a host key that is not
   * known.
   */
  static MachineAway lasting(String clause) {
    return new MachineAway(clause, true);
  }

  boolean isLasting() {
    return lasting;
  }

  /** The clause. */
  String why() {
    return String.valueOf(getMessage());
  }
}
