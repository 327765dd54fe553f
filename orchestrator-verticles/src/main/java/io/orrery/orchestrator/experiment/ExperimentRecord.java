package io.orrery.orchestrator.experiment;

import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of an experiment.
 *
 * @param nextSequence of the next trial; only ever grows
 * @param nextOrdinal of the next entry in the history; only ever grows
 * @param nextNumber of the next suggestion; only ever grows
 * @param created how many trials there are, withdrawn ones not counted
 */
record ExperimentRecord(
    ExperimentId id,
    ExperimentSpec spec,
    ExperimentStatus status,
    Map<TrialStatus, Long> counts,
    Experiment.@Nullable Best best,
    long nextSequence,
    long nextOrdinal,
    long nextNumber,
    long created,
    Duration ran,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String error) {

  /** A new experiment. */
  static ExperimentRecord of(ExperimentId id, ExperimentSpec spec, Instant now) {
    return new ExperimentRecord(
        id,
        spec,
        ExperimentStatus.INITIALIZED,
        Map.of(),
        null,
        0,
        1,
        0,
        0,
        Duration.ZERO,
        now,
        null,
        null,
        null);
  }

  /** The experiment as others see it. */
  Experiment view() {
    return new Experiment(
        id,
        spec,
        status,
        counts,
        best,
        ran.toMillis() / 1000.0,
        createdAt,
        startedAt,
        endedAt,
        error);
  }
}
