package io.orrery.core.experiment;

import io.orrery.core.trial.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * The job of every trial of an experiment, or of an attempt of a step: what runs, and where.
 *
 * @param command shell command of a trial
 * @param codeDirectory absolute; the working directory of a local trial
 * @param gpuNumber GPUs for a trial; null leaves their visibility alone, 0 hides them
 * @param parametersAsArguments whether every parameter is appended to the command as {@code
 *     --name=value}
 * @param multiPhase whether a trial may ask for one parameter set after another
 * @param trainingService where trials run
 * @param sharedStorage what they share with the server; null for nothing
 * @param metrics what is done with what they report
 */
public record JobSpec(
    String command,
    String codeDirectory,
    @Nullable Integer gpuNumber,
    boolean parametersAsArguments,
    boolean multiPhase,
    TrainingServiceSpec trainingService,
    @Nullable SharedStorageSpec sharedStorage,
    MetricPolicy metrics) {
  /** A job whose trials have one parameter set each, in their environment, and share no storage. */
  public static JobSpec of(
      String command,
      String codeDirectory,
      @Nullable Integer gpuNumber,
      TrainingServiceSpec trainingService) {
    return new JobSpec(
        command,
        codeDirectory,
        gpuNumber,
        false,
        false,
        trainingService,
        null,
        MetricPolicy.STANDARD);
  }

  /** The same job, whose trials may or may not ask for further parameter sets. */
  public JobSpec withMultiPhase(boolean further) {
    return new JobSpec(
        command,
        codeDirectory,
        gpuNumber,
        parametersAsArguments,
        further,
        trainingService,
        sharedStorage,
        metrics);
  }

  /** The same job with another use of its metrics. */
  public JobSpec withMetrics(MetricPolicy policy) {
    return new JobSpec(
        command,
        codeDirectory,
        gpuNumber,
        parametersAsArguments,
        multiPhase,
        trainingService,
        sharedStorage,
        policy);
  }

  /** The same job on the same platform with other settings. */
  public JobSpec withPlatformSettings(Parameters settings) {
    return onPlatform(new TrainingServiceSpec(trainingService.platform(), settings));
  }

  /** The same job on another platform. */
  public JobSpec onPlatform(TrainingServiceSpec platform) {
    return onPlatform(command, codeDirectory, gpuNumber, platform);
  }

  /** The same job on one of the platforms that share its trials. */
  public JobSpec onPlatform(
      String otherCommand,
      String otherDirectory,
      @Nullable Integer gpus,
      TrainingServiceSpec platform) {
    return new JobSpec(
        otherCommand,
        otherDirectory,
        gpus,
        parametersAsArguments,
        multiPhase,
        platform,
        sharedStorage,
        metrics);
  }
}
