package io.orrery.core.experiment;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An experiment as other modules see it.
 *
 * @param ownership its project, and who created it
 * @param trialCounts how many trials are in each status; a status without trials is absent
 * @param imported how many of the trials ran elsewhere: they are in the counts, and count to no
 *     limit
 * @param best the best result so far, null before the first usable one
 * @param executionSeconds how long it has been running, pauses and stops not counted
 * @param error why it is FAILED or ERROR; while it goes on, what keeps it waiting; else null
 */
public record Experiment(
    ExperimentId id,
    ResourceOwner ownership,
    ExperimentSpec spec,
    ExperimentStatus status,
    Map<TrialStatus, Long> trialCounts,
    long imported,
    @Nullable Best best,
    double executionSeconds,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String error) {
  public Experiment {
    trialCounts = Map.copyOf(trialCounts);
  }

  /** A trial and its result. */
  public record Best(TrialId trial, MetricValue metric, Parameters parameters) {}
}
