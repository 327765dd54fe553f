package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of an attempt that a job's status shows.
 *
 * @param reason the controller's own words, null when it gave none
 * @param at when it came to this, null when the status does not tell
 * @param exitCode of the attempt, where the status itself tells it; else null
 */
public record JobState(
    Phase phase, @Nullable String reason, @Nullable Instant at, @Nullable Integer exitCode) {
  /**
   * The progress of a job. The last three are final; LOST is what the cluster ended, not the
   * command.
   */
  public enum Phase {
    WAITING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    LOST
  }

  public JobState(Phase phase, @Nullable String reason, @Nullable Instant at) {
    this(phase, reason, at, null);
  }

  /** Nothing is known yet: a newborn job has no status. */
  public static JobState unknown() {
    return new JobState(Phase.WAITING, null, null);
  }

  /** The same with a time as an API server writes it, where there is one. */
  public JobState at(JsonNode time) {
    Instant known = PodView.time(time);
    return known == null ? this : new JobState(phase, reason, known, exitCode);
  }

  /**
   * Whether pods may go because of this end. A Job that has used up its retries failed because of
   * its pods, although its end may be seen before theirs: nothing orders the two watches.
   */
  boolean endsPods() {
    boolean byItsPods =
        phase == Phase.FAILED && reason != null && reason.startsWith("BackoffLimitExceeded");
    return isFinal() && !byItsPods;
  }

  boolean isFinal() {
    return phase == Phase.SUCCEEDED || phase == Phase.FAILED || phase == Phase.LOST;
  }
}
