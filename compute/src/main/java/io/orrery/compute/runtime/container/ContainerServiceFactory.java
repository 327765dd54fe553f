package io.orrery.compute.runtime.container;

import io.orrery.compute.service.ImageLogins;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepContainer;
import java.util.List;

/** Opens the training service of steps in containers, over the configured engines. */
public final class ContainerServiceFactory implements TrainingServiceFactory {
  private final List<ContainerCluster> clusters;
  private final ImageLogins logins;

  /**
   * @param clusters one at least
   * @param logins with which images are pulled
   */
  public ContainerServiceFactory(List<ContainerCluster> clusters, ImageLogins logins) {
    this.clusters = List.copyOf(clusters);
    this.logins = logins;
  }

  @Override
  public String platform() {
    return StepContainer.PLATFORM;
  }

  @Override
  public String summary() {
    return "Containers of the configured engines, for steps of pipelines.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    return List.of(
        new Finding(
            "/trainingService/platform", "containers run steps of pipelines, and no trials yet"));
  }

  @Override
  public List<StepCluster> stepClusters() {
    return clusters.stream()
        .map(cluster -> new StepCluster(cluster.name(), StepContainer.PLATFORM))
        .toList();
  }

  @Override
  public Adoption adoption() {
    return Adoption.ON_THE_SAME_HOST;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new ContainerService(surroundings, clusters, logins);
  }
}
