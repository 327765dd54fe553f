package io.orrery.compute.simulated;

import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.problem.Finding;
import java.util.List;

/** Opens the platform {@code simulated}. */
public final class SimulatedServiceFactory implements TrainingServiceFactory {
  @Override
  public String platform() {
    return "simulated";
  }

  @Override
  public ServiceSection section() {
    return new SimulatedSection();
  }

  @Override
  public String summary() {
    return "No processes at all: trials and steps wait and end as a scenario says, for rehearsals.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    return Scenario.read(job, Scenario.OF_STEPS).findings();
  }

  @Override
  public List<Finding> check(JobSpec job, SearchSpec search) {
    return Scenario.read(job, search).findings();
  }

  /** They are gone with their server, and the next owner submits them again. */
  @Override
  public Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  @Override
  public Steps steps() {
    return Steps.AS_THEY_ARE;
  }

  @Override
  public boolean rehearses() {
    return true;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new SimulatedService(
        surroundings.vertx().getOrCreateContext(), surroundings.clock(), surroundings.listener());
  }
}
