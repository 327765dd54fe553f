package io.orrery.compute.kubernetes;

import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Opens the platform {@code kubernetes}: plain Jobs, without any operator. */
public final class KubernetesServiceFactory implements TrainingServiceFactory {
  private static final String PLATFORM = "kubernetes";

  @Override
  public String platform() {
    return PLATFORM;
  }

  @Override
  public ServiceSection section() {
    return new KubernetesSection();
  }

  @Override
  public String summary() {
    return "Jobs of a Kubernetes cluster; no operator is needed.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    return ClusterSettings.check(job);
  }

  @Override
  public Map<String, Path> codeDirectories(JobSpec job) {
    return Map.of("/trialCodeDirectory", Path.of(job.codeDirectory()));
  }

  @Override
  public Steps steps() {
    return Steps.CARRIED;
  }

  @Override
  public Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return Sharing.open(surroundings, PLATFORM, (job, served) -> blueprint(job));
  }

  static Blueprint blueprint(JobSpec job) {
    ClusterSettings settings = ClusterSettings.of(job);
    return Blueprint.of(
        settings,
        new PlainJob(settings.keep()),
        List.of(ClusterSettings.role("main", 1, settings.all(), job)),
        "main");
  }
}
