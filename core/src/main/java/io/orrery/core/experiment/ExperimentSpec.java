package io.orrery.core.experiment;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The specification of an experiment in one form for all dialects: paths are absolute, names
 * resolved, defaults filled in.
 *
 * @param name a label, may be null
 * @param trialCommand shell command of a trial
 * @param trialCodeDirectory absolute; the working directory of a local trial
 * @param trialConcurrency how many trials may run at once, 1 or more
 * @param trialGpuNumber GPUs for a trial; null leaves their visibility alone, 0 hides them
 * @param maxExperimentDuration running time after which no trial starts; null is unlimited
 * @param maxTrialNumber how many trials there may be; null is unlimited
 * @param maxTrialDuration after which a trial is ended as EARLY_STOPPED; null is unlimited
 * @param objectives what results should be; stored as the direction alone before there could be
 *     several
 * @param seed of all randomness of the search
 * @param failures after how many failed trials it ends
 * @param parametersAsArguments whether every parameter is appended to the command as {@code
 *     --name=value}
 * @param multiPhase whether a trial may ask for one parameter set after another
 * @param quota most trials in flight, below trialConcurrency; null is no quota
 * @param share what it gets where several experiments want more than there is
 * @param trainingService where trials run
 * @param sharedStorage what they share with the server; null for nothing
 * @param metrics what is done with what they report
 * @param config the whole configuration in NNI's v3 form with defaults, JSON text: what clients of
 *     NNI are shown
 */
public record ExperimentSpec(
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
    FailureLimits failures,
    boolean parametersAsArguments,
    boolean multiPhase,
    @Nullable Integer quota,
    Share share,
    TrainingServiceSpec trainingService,
    @Nullable SharedStorageSpec sharedStorage,
    MetricPolicy metrics,
    String config) {
  public ExperimentSpec {
    // One that was stored before these could be said has none.
    share = Objects.requireNonNullElse(share, Share.EQUAL);
    metrics = Objects.requireNonNullElse(metrics, MetricPolicy.STANDARD);
    failures = Objects.requireNonNullElse(failures, FailureLimits.STANDARD);
  }

  /** One that is the equal of others, whose trials have one parameter set each, metrics kept. */
  public ExperimentSpec(
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
      Objectives objectives,
      long seed,
      RetryPolicy retry,
      boolean parametersAsArguments,
      @Nullable Integer quota,
      TrainingServiceSpec trainingService,
      String config) {
    this(
        name,
        trialCommand,
        trialCodeDirectory,
        trialConcurrency,
        trialGpuNumber,
        maxExperimentDuration,
        maxTrialNumber,
        maxTrialDuration,
        searchSpace,
        tuner,
        assessor,
        objectives,
        seed,
        retry,
        FailureLimits.STANDARD,
        parametersAsArguments,
        false,
        quota,
        Share.EQUAL,
        trainingService,
        null,
        MetricPolicy.STANDARD,
        config);
  }

  /** Whether more or less of the first objective is better. */
  public Direction direction() {
    return objectives.direction();
  }

  /** How many trials may be in flight at once. */
  public int slots() {
    return quota == null ? trialConcurrency : Math.min(quota, trialConcurrency);
  }

  /** What the parameters of its trials look like. */
  public ParameterShape parameterShape() {
    return tuner.parameterShape(searchSpace);
  }

  /** The same with other limits. */
  public ExperimentSpec withLimits(
      int newConcurrency, @Nullable Long newMaxTrialNumber, @Nullable Duration newMaxDuration) {
    return changed(
        newConcurrency,
        newMaxTrialNumber,
        newMaxDuration,
        searchSpace,
        seed,
        trainingService,
        config);
  }

  /** The same with other limits of failures. */
  public ExperimentSpec withFailures(FailureLimits limits) {
    return new ExperimentSpec(
        name,
        trialCommand,
        trialCodeDirectory,
        trialConcurrency,
        trialGpuNumber,
        maxExperimentDuration,
        maxTrialNumber,
        maxTrialDuration,
        searchSpace,
        tuner,
        assessor,
        objectives,
        seed,
        retry,
        limits,
        parametersAsArguments,
        multiPhase,
        quota,
        share,
        trainingService,
        sharedStorage,
        metrics,
        config);
  }

  /** The same over another search space. */
  public ExperimentSpec withSearchSpace(SearchSpace space) {
    return changed(
        trialConcurrency,
        maxTrialNumber,
        maxExperimentDuration,
        space,
        seed,
        trainingService,
        config);
  }

  /** The same, shown otherwise to clients of NNI. */
  public ExperimentSpec withConfig(String newConfig) {
    return changed(
        trialConcurrency,
        maxTrialNumber,
        maxExperimentDuration,
        searchSpace,
        seed,
        trainingService,
        newConfig);
  }

  /** The same with other chance. */
  public ExperimentSpec withSeed(long newSeed) {
    return changed(
        trialConcurrency,
        maxTrialNumber,
        maxExperimentDuration,
        searchSpace,
        newSeed,
        trainingService,
        config);
  }

  /** The same on the same platform, which is set otherwise. */
  public ExperimentSpec withPlatformSettings(Parameters settings) {
    return changed(
        trialConcurrency,
        maxTrialNumber,
        maxExperimentDuration,
        searchSpace,
        seed,
        new TrainingServiceSpec(trainingService.platform(), settings),
        config);
  }

  /** The same on one platform of several that share its trials. */
  public ExperimentSpec onPlatform(
      String command, String codeDirectory, @Nullable Integer gpus, TrainingServiceSpec platform) {
    return new ExperimentSpec(
        name,
        command,
        codeDirectory,
        trialConcurrency,
        gpus,
        maxExperimentDuration,
        maxTrialNumber,
        maxTrialDuration,
        searchSpace,
        tuner,
        assessor,
        objectives,
        seed,
        retry,
        failures,
        parametersAsArguments,
        multiPhase,
        quota,
        share,
        platform,
        sharedStorage,
        metrics,
        config);
  }

  /** All that may differ from what was read. */
  private ExperimentSpec changed(
      int concurrency,
      @Nullable Long trials,
      @Nullable Duration duration,
      SearchSpace space,
      long chance,
      TrainingServiceSpec platform,
      String shown) {
    return new ExperimentSpec(
        name,
        trialCommand,
        trialCodeDirectory,
        concurrency,
        trialGpuNumber,
        duration,
        trials,
        maxTrialDuration,
        space,
        tuner,
        assessor,
        objectives,
        chance,
        retry,
        failures,
        parametersAsArguments,
        multiPhase,
        quota,
        share,
        platform,
        sharedStorage,
        metrics,
        shown);
  }
}
