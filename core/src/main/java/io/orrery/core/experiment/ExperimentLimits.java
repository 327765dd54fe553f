package io.orrery.core.experiment;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an experiment: how much of everything it may take, and what it gets of what is
 * short.
 *
 * @param trialConcurrency how many trials may run at once, 1 or more
 * @param quota most trials in flight, below trialConcurrency; null is no quota
 * @param share what it gets where several experiments want more than there is
 * @param maxExperimentDuration running time after which no trial starts; null is unlimited
 * @param maxTrialNumber how many trials there may be; null is unlimited
 * @param maxTrialDuration after which a trial is ended as EARLY_STOPPED; null is unlimited
 * @param retry which failed trials run again
 * @param failures after how many failed trials it ends
 */
public record ExperimentLimits(
    int trialConcurrency,
    @Nullable Integer quota,
    Share share,
    @Nullable Duration maxExperimentDuration,
    @Nullable Long maxTrialNumber,
    @Nullable Duration maxTrialDuration,
    RetryPolicy retry,
    FailureLimits failures) {
  /** One that is the equal of others, for as long as it takes, without another attempt. */
  public static ExperimentLimits of(int trialConcurrency, @Nullable Long maxTrialNumber) {
    return new ExperimentLimits(
        trialConcurrency,
        null,
        Share.EQUAL,
        null,
        maxTrialNumber,
        null,
        RetryPolicy.NONE,
        FailureLimits.STANDARD);
  }

  /** How many trials may be in flight at once. */
  public int slots() {
    return quota == null ? trialConcurrency : Math.min(quota, trialConcurrency);
  }

  /** The same with another concurrency, number of trials and running time. */
  public ExperimentLimits with(
      int concurrency, @Nullable Long trials, @Nullable Duration experiment) {
    return new ExperimentLimits(
        concurrency, quota, share, experiment, trials, maxTrialDuration, retry, failures);
  }

  /** The same for an experiment and trials that take at most so long. */
  public ExperimentLimits withDurations(@Nullable Duration experiment, @Nullable Duration trial) {
    return new ExperimentLimits(
        trialConcurrency, quota, share, experiment, maxTrialNumber, trial, retry, failures);
  }

  /** The same, whose failed trials run again otherwise. */
  public ExperimentLimits withRetry(RetryPolicy policy) {
    return new ExperimentLimits(
        trialConcurrency,
        quota,
        share,
        maxExperimentDuration,
        maxTrialNumber,
        maxTrialDuration,
        policy,
        failures);
  }

  /** The same with other limits of failures. */
  public ExperimentLimits withFailures(FailureLimits other) {
    return new ExperimentLimits(
        trialConcurrency,
        quota,
        share,
        maxExperimentDuration,
        maxTrialNumber,
        maxTrialDuration,
        retry,
        other);
  }
}
