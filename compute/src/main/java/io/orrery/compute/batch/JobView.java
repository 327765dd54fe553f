package io.orrery.compute.batch;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as its service sees it.
 *
 * @param id the service's own name
 * @param state the service's own word
 * @param reason more, in the service's words; null when it gave none
 * @param startedAt null when the service does not tell, or it has not
 * @param endedAt null when the service does not tell, or it has not
 * @param exitCode of the attempt; null when the service does not know it
 */
public record JobView(
    String id,
    Phase phase,
    String state,
    @Nullable String reason,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Integer exitCode) {
  /** The progress of a job. From {@code SUCCEEDED} on its containers are gone. */
  public enum Phase {
    WAITING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** The service lost it, through no fault of the trial's. */
    LOST,
    /** A user of the service ended it. */
    STOPPED;

    public boolean isFinal() {
      return compareTo(SUCCEEDED) >= 0;
    }

    /** How much it says of an attempt that has several jobs; less is more. */
    private int rank() {
      return switch (this) {
        case RUNNING -> 0;
        case WAITING -> 1;
        case SUCCEEDED -> 2;
        case FAILED, LOST, STOPPED -> 3;
      };
    }
  }

  /**
   * The one that counts among those of an attempt: what goes on before what is over, since the
   * command may run there, and what went well before what perhaps only found its place taken.
   *
   * @param id of the one that is known already
   * @return null when there is none
   */
  static @Nullable JobView speaker(List<JobView> jobs, @Nullable String id) {
    return jobs.stream()
        .min(
            Comparator.<JobView>comparingInt(job -> job.phase().rank())
                .thenComparing(job -> !job.id().equals(id)))
        .orElse(null);
  }

  /** One of which no more is known. */
  public static JobView of(String id, Phase phase, String state) {
    return new JobView(id, phase, state, null, null, null, null);
  }

  /** The same with what the service says about it; nothing changes when that is blank. */
  public JobView because(@Nullable String words) {
    return words == null || words.isBlank()
        ? this
        : new JobView(id, phase, state, words.strip(), startedAt, endedAt, exitCode);
  }

  /** The same with its times. */
  public JobView at(@Nullable Instant started, @Nullable Instant ended) {
    return new JobView(id, phase, state, reason, started, ended, exitCode);
  }

  /** The same with an exit code. */
  public JobView exiting(@Nullable Integer code) {
    return new JobView(id, phase, state, reason, startedAt, endedAt, code);
  }
}
