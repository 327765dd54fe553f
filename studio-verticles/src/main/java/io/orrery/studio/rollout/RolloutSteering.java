package io.orrery.studio.rollout;

import io.orrery.core.bus.contract.Domains.Action;
import io.orrery.core.problem.Problem;
import java.time.Instant;
import java.util.Objects;

/** The commands of people about a rollout. */
public final class RolloutSteering {
  private RolloutSteering() {}

  /**
   * Carries out a command.
   *
   * @param by the name of who commands
   * @throws io.orrery.core.problem.ProblemException Conflict, when there is no rollout for it
   */
  public static Rollout steer(Rollout rollout, Action action, String by, Instant now) {
    try {
      return switch (action) {
        case PAUSE -> RolloutModel.pause(rollout, by, now);
        case RESUME -> RolloutModel.resume(rollout, now);
        case PROMOTE -> RolloutModel.promote(rollout, by, now);
        case ABORT -> RolloutModel.abort(rollout, by, now);
      };
    } catch (IllegalStateException none) {
      throw new Problem.Conflict(Objects.requireNonNull(none.getMessage())).toException();
    }
  }

  /** The words of a command in the audit log. */
  public static String verb(Action action) {
    return switch (action) {
      case PAUSE -> "pause rollout";
      case RESUME -> "resume rollout";
      case PROMOTE -> "promote";
      case ABORT -> "abort rollout";
    };
  }
}
