package io.orrery.gateway.keeper;

import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Brings the platform {@code contained} to a server whose class path names it. */
public final class ContainedServiceFactory implements TrainingServiceFactory {
  @Override
  public boolean givesFurtherSets() {
    return true;
  }

  @Override
  public String platform() {
    return "contained";
  }

  @Override
  public String summary() {
    return "Processes that share nothing with the server.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    return List.of();
  }

  @Override
  public Map<String, Path> codeDirectories(JobSpec job) {
    return Map.of("/trialCodeDirectory", Path.of(job.codeDirectory()));
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new ContainedService(surroundings, surroundings.home().resolveSibling("pods"), true);
  }
}
