package io.orrery.compute.batch;

import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Opens a platform whose service takes whole jobs. */
public interface BatchServiceFactory extends TrainingServiceFactory {
  /** How experiments use the service. */
  BatchService.Apis apis(Surroundings surroundings);

  /** Nothing: whether the service takes jobs is seen when an experiment is prepared. */
  @Override
  default List<Finding> check(JobSpec job) {
    return List.of();
  }

  @Override
  default Map<String, Path> codeDirectories(JobSpec job) {
    return Map.of("/trialCodeDirectory", Path.of(job.codeDirectory()));
  }

  @Override
  default boolean givesFurtherSets() {
    return true;
  }

  @Override
  default Steps steps() {
    return Steps.CARRIED;
  }

  /** Services show the description of a job, with its variables, to all who may look at it. */
  @Override
  default boolean hidesVariables() {
    return false;
  }

  /** A job is known by its name, and what is known of it besides lies where all servers see it. */
  @Override
  default Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  @Override
  default TrainingService open(Surroundings surroundings) {
    return new BatchService(surroundings, platform(), apis(surroundings));
  }
}
