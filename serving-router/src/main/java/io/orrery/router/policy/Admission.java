package io.orrery.router.policy;

import io.orrery.router.health.ServiceState;
import io.orrery.router.telemetry.Meters.Refusal;

/** The decision whether a request is let in. */
public sealed interface Admission {
  /**
   * A request that is let in, and counts as one that its target works on until the target is left.
   *
   * @param target who is to answer
   */
  record Admitted(ServiceState target) implements Admission {}

  /** A request that is refused. */
  record TurnedAway(Refusal why, RouterProblem denial) implements Admission {}
}
