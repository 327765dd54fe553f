package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.JobService;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepContainer;
import java.util.List;

/** Opens the training service of steps in pods, over the configured Kubernetes clusters. */
public final class PodServiceFactory implements TrainingServiceFactory {
  private final List<KubernetesCluster> clusters;

  /**
   * @param clusters one at least
   */
  public PodServiceFactory(List<KubernetesCluster> clusters) {
    this.clusters = List.copyOf(clusters);
  }

  @Override
  public String platform() {
    return StepContainer.PODS;
  }

  @Override
  public String summary() {
    return "Pods of the configured Kubernetes clusters, for steps of pipelines.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    return List.of(
        new Finding(
            "/trainingService/platform",
            "pods runs steps of pipelines: the platform of trials on Kubernetes is kubernetes"));
  }

  @Override
  public List<StepCluster> stepClusters() {
    return clusters.stream()
        .map(cluster -> new StepCluster(cluster.name(), StepContainer.PODS))
        .toList();
  }

  @Override
  public Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    StepBlueprints blueprints = new StepBlueprints(clusters);
    return new JobService(surroundings, platform(), blueprints::of);
  }
}
