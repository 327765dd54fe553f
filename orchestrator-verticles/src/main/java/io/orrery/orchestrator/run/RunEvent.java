package io.orrery.orchestrator.run;

import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.run.RunId;
import io.orrery.core.run.StepOutput;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event of a run. Steps are named by their number: the place in the specification, the exit step
 * behind the last. News of an attempt that is not the step's last are dropped.
 */
sealed interface RunEvent {
  /** The owner has the run now: it is new, or was another owner's before. */
  record Opened() implements RunEvent {}

  /** An instant that was asked for has come. */
  record Ticked() implements RunEvent {}

  // ---- users ---------------------------------------------------------------------------------

  /** A command of a user, which may be refused. */
  sealed interface Command extends RunEvent {
    static Command of(PipelineRuns.Command asked) {
      return switch (asked.verb()) {
        case STOP -> new Stop();
        case PAUSE -> new Pause();
        case RESUME -> new Resume();
        case RETRY -> new Retry(Set.copyOf(asked.steps()));
      };
    }

    static Command of(PipelineRuns.Decide asked) {
      return new Decided(asked.step(), asked.approved(), asked.by(), asked.operates(), asked.why());
    }
  }

  record Stop() implements Command {}

  record Pause() implements Command {}

  record Resume() implements Command {}

  /**
   * Runs steps again, and all that depend on them.
   *
   * @param steps their names; empty for all that did not succeed
   */
  record Retry(Set<String> steps) implements Command {
    public Retry {
      steps = Set.copyOf(steps);
    }
  }

  /**
   * An answer to a step that asks people.
   *
   * @param step its name
   * @param operates whether the user may operate the run
   */
  record Decided(String step, boolean approved, String by, boolean operates, String why)
      implements Command {}

  // ---- attempts ------------------------------------------------------------------------------

  /** News of an attempt of a step. */
  sealed interface OfAttempt extends RunEvent {
    int step();

    int attempt();
  }

  record Waits(int step, int attempt, String reason) implements OfAttempt {}

  record Started(int step, int attempt, Instant at) implements OfAttempt {}

  /**
   * The attempt is over and none of its processes is left.
   *
   * @param exitCode null when it is not known
   */
  record Ended(
      int step, int attempt, @Nullable Integer exitCode, @Nullable String reason, Instant at)
      implements OfAttempt {}

  /** The attempt can never start. */
  record Refused(int step, int attempt, String reason) implements OfAttempt {}

  /** The training service does not know the attempt: it has never started. */
  record Unknown(int step, int attempt) implements OfAttempt {}

  /** The key of the step is known, and no outputs were taken. */
  record CacheMissed(int step, int attempt, String key, String reason) implements OfAttempt {}

  /** The outputs of an earlier run were taken; nothing was started. */
  record CacheHit(
      int step, int attempt, String key, RunId from, List<StepOutput> outputs, String reason)
      implements OfAttempt {
    public CacheHit {
      outputs = List.copyOf(outputs);
    }
  }

  /** The outputs are durable. */
  record Collected(int step, int attempt, List<StepOutput> outputs) implements OfAttempt {
    public Collected {
      outputs = List.copyOf(outputs);
    }
  }

  /** An output is missing, or cannot be kept. */
  record NotCollected(int step, int attempt, String reason) implements OfAttempt {}
}
