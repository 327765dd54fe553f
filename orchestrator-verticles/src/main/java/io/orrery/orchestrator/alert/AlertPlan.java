package io.orrery.orchestrator.alert;

import io.orrery.core.bus.contract.PipelineRuns.AlertState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of an alert after an attempt: a pure function. */
final class AlertPlan {
  /** The most attempts: some three hours and a half. */
  static final int MOST_ATTEMPTS = 20;

  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final int FACTOR = 3;
  private static final double SPREAD = 0.2;

  private AlertPlan() {}

  /**
   * The state of an alert after an attempt.
   *
   * @param nextAt when it is sent again; null when it is not
   */
  record Step(AlertState state, @Nullable Instant nextAt) {}

  /**
   * Decides.
   *
   * @param attempts that were made, this one included
   * @param now when this one ended
   * @param draw between 0 and 1, which spreads the pause by a fifth each way
   */
  static Step after(int attempts, AlertOutcome outcome, Instant now, double draw) {
    return switch (outcome.kind()) {
      case TAKEN -> new Step(AlertState.DELIVERED, null);
      case UNWANTED -> new Step(AlertState.GIVEN_UP, null);
      case FAILED ->
          attempts >= MOST_ATTEMPTS
              ? new Step(AlertState.GIVEN_UP, null)
              : new Step(AlertState.WAITING, now.plus(spread(pause(attempts), draw)));
    };
  }

  private static Duration pause(int attempts) {
    Duration pause = FIRST;
    for (int i = 1; i < attempts && pause.compareTo(LONGEST) < 0; i++) {
      pause = pause.multipliedBy(FACTOR);
    }
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }

  private static Duration spread(Duration pause, double draw) {
    return Duration.ofMillis(Math.round(pause.toMillis() * (1 + SPREAD * (2 * draw - 1))));
  }
}
