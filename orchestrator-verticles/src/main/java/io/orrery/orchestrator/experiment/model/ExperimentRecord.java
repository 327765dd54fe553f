package io.orrery.orchestrator.experiment.model;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored row of an experiment.
 *
 * @param ownership its project, and who created it
 * @param nextSequence of the next trial; only ever grows
 * @param nextOrdinal of the next entry in the history; only ever grows
 * @param nextNumber of the next suggestion; only ever grows
 * @param created how many trials there are, withdrawn and imported ones not counted
 * @param failuresInRow how many trials failed since the last success, or since a user resumed it
 * @param ran execution time when this was written
 * @param countedAt when {@code ran} was right if it grows since then, else null
 */
public record ExperimentRecord(
    ExperimentId id,
    ResourceOwner ownership,
    ExperimentSpec spec,
    ExperimentStatus status,
    Map<TrialStatus, Long> counts,
    Experiment.@Nullable Best best,
    long nextSequence,
    long nextOrdinal,
    long nextNumber,
    long created,
    long failuresInRow,
    Duration ran,
    @Nullable Instant countedAt,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String error) {

  private static final Duration STALE = Duration.ofSeconds(30);

  /** A new experiment without an owner, in the project {@code public}. */
  public static ExperimentRecord of(ExperimentId id, ExperimentSpec spec, Instant now) {
    return of(id, ResourceOwner.PUBLIC, spec, now);
  }

  /** A new experiment. */
  public static ExperimentRecord of(
      ExperimentId id, ResourceOwner ownership, ExperimentSpec spec, Instant now) {
    return new ExperimentRecord(
        id,
        ownership,
        spec,
        ExperimentStatus.INITIALIZED,
        Map.of(),
        null,
        0,
        1,
        0,
        0,
        0,
        Duration.ZERO,
        null,
        now,
        null,
        null,
        null);
  }

  /**
   * Whether nothing of it moves any more. An experiment that failed is not over before its trials
   * have been ended.
   */
  public boolean over() {
    return status.isFinal() && (status != ExperimentStatus.ERROR || endedAt != null);
  }

  /**
   * How long it has been running by now. The server writes this down every few seconds: what is
   * older than that is of an experiment that is not running, and did not grow since.
   */
  private Duration ran(Instant now) {
    Duration since = countedAt == null ? Duration.ZERO : Duration.between(countedAt, now);
    boolean fresh = !since.isNegative() && since.compareTo(STALE) < 0;
    return fresh ? ran.plus(since) : ran;
  }

  /** The same experiment with another specification. */
  public ExperimentRecord with(ExperimentSpec changed) {
    return new ExperimentRecord(
        id,
        ownership,
        changed,
        status,
        counts,
        best,
        nextSequence,
        nextOrdinal,
        nextNumber,
        created,
        failuresInRow,
        ran,
        countedAt,
        createdAt,
        startedAt,
        endedAt,
        error);
  }

  /** The experiment as others see it. */
  public Experiment view(Instant now) {
    return new Experiment(
        id,
        ownership,
        spec,
        status,
        counts,
        Math.max(0, counts.values().stream().mapToLong(Long::longValue).sum() - created),
        best,
        ran(now).toMillis() / 1000.0,
        createdAt,
        startedAt,
        endedAt,
        error);
  }
}
