package io.orrery.core.experiment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The specification of an experiment in one form for all dialects: paths are absolute, names
 * resolved, defaults filled in.
 *
 * @param description what its readers are shown of it
 * @param search what is searched for, and how
 * @param job what every trial runs
 * @param limits how much it may take
 */
public record ExperimentSpec(
    ExperimentDescription description, SearchSpec search, JobSpec job, ExperimentLimits limits) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static ExperimentSpec of(FlatSpec flat) {
    return flat.parted();
  }

  @JsonValue
  FlatSpec flat() {
    return FlatSpec.of(this);
  }

  /** The same with another job. */
  public ExperimentSpec withJob(JobSpec other) {
    return new ExperimentSpec(description, search, other, limits);
  }

  /** The same with other limits. */
  public ExperimentSpec withLimits(ExperimentLimits other) {
    return new ExperimentSpec(description, search, job, other);
  }

  /** The same with another concurrency, number of trials and running time. */
  public ExperimentSpec withLimits(
      int concurrency, @Nullable Long trials, @Nullable Duration experiment) {
    return withLimits(limits.with(concurrency, trials, experiment));
  }

  /** The same with other limits of failures. */
  public ExperimentSpec withFailures(FailureLimits failures) {
    return withLimits(limits.withFailures(failures));
  }

  /** The same over another search space. */
  public ExperimentSpec withSearchSpace(SearchSpace space) {
    return new ExperimentSpec(description, search.withSpace(space), job, limits);
  }

  /** The same with other chance. */
  public ExperimentSpec withSeed(long seed) {
    return new ExperimentSpec(description, search.withSeed(seed), job, limits);
  }

  /** The same, shown otherwise to clients of NNI. */
  public ExperimentSpec withConfig(String config) {
    return new ExperimentSpec(
        new ExperimentDescription(description.name(), config), search, job, limits);
  }

  /** The same on the same platform, which is set otherwise. */
  public ExperimentSpec withPlatformSettings(Parameters settings) {
    return withJob(job.withPlatformSettings(settings));
  }
}
