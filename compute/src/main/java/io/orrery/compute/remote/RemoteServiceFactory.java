package io.orrery.compute.remote;

import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** Opens the platform {@code remote}. */
public final class RemoteServiceFactory implements TrainingServiceFactory {
  @Override
  public String platform() {
    return "remote";
  }

  @Override
  public ServiceSection section() {
    return new RemoteSection();
  }

  @Override
  public String summary() {
    return "Processes of other machines, reached by SSH; they need no way to the server.";
  }

  /** Nothing: whether machines can be reached is seen when the experiment is prepared. */
  @Override
  public List<Finding> check(JobSpec job) {
    return List.of();
  }

  @Override
  public Map<String, Path> codeDirectories(JobSpec job) {
    return Map.of("/trialCodeDirectory", Path.of(job.codeDirectory()));
  }

  @Override
  public boolean givesFurtherSets() {
    return true;
  }

  @Override
  public Steps steps() {
    return Steps.CARRIED;
  }

  /** All that is known of them is in the home that servers share, and on the machines. */
  @Override
  public Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return MachineSharing.open(
        surroundings, MachineTimeouts.STANDARD, System.getenv(), new SecureRandom());
  }
}
