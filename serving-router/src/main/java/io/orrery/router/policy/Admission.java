package io.orrery.router.policy;

import io.orrery.router.health.ServiceState;
import io.orrery.router.telemetry.Meters.Refusal;

/** Whether a request is let in. */
public sealed interface Admission {
  /**
   * It is, and counts as one that its target works on until the target is left.
   *
   * @param target who is to answer
   */
  record Admitted(ServiceState target) implements Admission {}

  /** It is not. */
  record TurnedAway(Refusal why, RouterProblem denial) implements Admission {}
}
