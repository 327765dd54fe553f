package io.orrery.core.experiment;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form of a specification in JSON, stored and on the bus: all its parts side by side. It is
 * older than the parts.
 *
 * @param objectives stored as the direction alone before there could be several
 * @param failures null where it was stored before they could be said, as share and metrics
 */
record FlatSpec(
    @Nullable String name,
    String trialCommand,
    String trialCodeDirectory,
    int trialConcurrency,
    @Nullable Integer trialGpuNumber,
    @Nullable Duration maxExperimentDuration,
    @Nullable Long maxTrialNumber,
    @Nullable Duration maxTrialDuration,
    SearchSpace searchSpace,
    AlgorithmSpec tuner,
    @Nullable AlgorithmSpec assessor,
    @JsonAlias("direction") Objectives objectives,
    long seed,
    RetryPolicy retry,
    @Nullable FailureLimits failures,
    boolean parametersAsArguments,
    boolean multiPhase,
    @Nullable Integer quota,
    @Nullable Share share,
    TrainingServiceSpec trainingService,
    @Nullable SharedStorageSpec sharedStorage,
    @Nullable MetricPolicy metrics,
    String config) {
  static FlatSpec of(ExperimentSpec spec) {
    JobSpec job = spec.job();
    SearchSpec search = spec.search();
    ExperimentLimits limits = spec.limits();
    return new FlatSpec(
        spec.description().name(),
        job.command(),
        job.codeDirectory(),
        limits.trialConcurrency(),
        job.gpuNumber(),
        limits.maxExperimentDuration(),
        limits.maxTrialNumber(),
        limits.maxTrialDuration(),
        search.space(),
        search.tuner(),
        search.assessor(),
        search.objectives(),
        search.seed(),
        limits.retry(),
        limits.failures(),
        job.parametersAsArguments(),
        job.multiPhase(),
        limits.quota(),
        limits.share(),
        job.trainingService(),
        job.sharedStorage(),
        job.metrics(),
        spec.description().config());
  }

  ExperimentSpec parted() {
    return new ExperimentSpec(
        new ExperimentDescription(name, config),
        new SearchSpec(searchSpace, tuner, assessor, objectives, seed),
        job(),
        limits());
  }

  /** Its job alone. */
  JobSpec job() {
    return new JobSpec(
        trialCommand,
        trialCodeDirectory,
        trialGpuNumber,
        parametersAsArguments,
        multiPhase,
        trainingService,
        sharedStorage,
        Objects.requireNonNullElse(metrics, MetricPolicy.STANDARD));
  }

  private ExperimentLimits limits() {
    return new ExperimentLimits(
        trialConcurrency,
        quota,
        Objects.requireNonNullElse(share, Share.EQUAL),
        maxExperimentDuration,
        maxTrialNumber,
        maxTrialDuration,
        retry,
        Objects.requireNonNullElse(failures, FailureLimits.STANDARD));
  }
}
