package io.orrery.compute.dlts;

import io.orrery.compute.batch.BatchService;
import io.orrery.compute.batch.BatchServiceFactory;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;

/** Opens the platform {@code dlts}. */
public final class DltsServiceFactory implements BatchServiceFactory {
  @Override
  public String platform() {
    return "dlts";
  }

  @Override
  public ServiceSection section() {
    return new DltsSection();
  }

  @Override
  public String summary() {
    return "Jobs of a DLTS cluster.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    return DltsSettings.missing(job, System.getenv());
  }

  @Override
  public BatchService.Apis apis(Surroundings surroundings) {
    return apis(surroundings, System.getenv());
  }

  /**
   * How experiments use their clusters.
   *
   * @param environment the server's
   */
  static BatchService.Apis apis(Surroundings surroundings, Map<String, String> environment) {
    SecretBox secrets =
        new SecretBox(surroundings.home().toAbsolutePath().normalize(), environment);
    return (job, rest) ->
        new DltsApi(
            DltsSettings.of(job, environment), secrets, rest, surroundings.access().serverUrl());
  }
}
