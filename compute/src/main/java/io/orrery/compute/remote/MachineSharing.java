package io.orrery.compute.remote;

import io.orrery.compute.reuse.EnvironmentTenancy;
import io.orrery.compute.reuse.ReuseSettings;
import io.orrery.compute.reuse.ReusingService;
import io.orrery.compute.reuse.Terms;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import java.nio.file.Path;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Processes of machines that serve many trials, one at a time: an environment has the place of a
 * trial, with the GPUs that one needs, and a trial in it sees what it sees. So places and GPUs are
 * counted as if each environment were a trial.
 */
final class MachineSharing implements Terms {
  private MachineSharing() {}

  /** Opens the platform, on which trials share places where their experiment says so. */
  static TrainingService open(
      Surroundings surroundings,
      MachineTimeouts patience,
      Map<String, String> variables,
      RandomGenerator random) {
    return new ReusingService(
        surroundings,
        "remote",
        new MachineSharing(),
        below -> new RemoteService(below, patience, variables, random));
  }

  @Override
  public EnvironmentTenancy tenancy(JobSpec job) {
    return new EnvironmentTenancy(
        RemoteService.ROLE,
        job.command(),
        Path.of(job.codeDirectory()),
        0,
        0,
        1,
        ReuseSettings.idle(job));
  }

  @Override
  public Map<String, String> variables(JobSpec job, AttemptRef attempt) {
    return Map.of();
  }

  @Override
  public @Nullable String url(JobSpec job, AttemptRef attempt) {
    return null;
  }
}
