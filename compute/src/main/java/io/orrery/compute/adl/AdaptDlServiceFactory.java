package io.orrery.compute.adl;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.Blueprint;
import io.orrery.compute.kubernetes.ClusterSettings;
import io.orrery.compute.kubernetes.JobService;
import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.util.List;

/** Opens the platform {@code adl}. */
public final class AdaptDlServiceFactory implements TrainingServiceFactory {
  private static final String PLATFORM = "adl";

  @Override
  public String platform() {
    return PLATFORM;
  }

  @Override
  public ServiceSection section() {
    return new AdaptDlSection();
  }

  @Override
  public String summary() {
    return "AdaptDLJobs on Kubernetes: the code is in the image, and nodes may come and go.";
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
  public List<Finding> check(JobSpec job) {
    return List.of();
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new JobService(surroundings, PLATFORM, (job, served) -> blueprint(job));
  }

  static Blueprint blueprint(JobSpec job) {
    ClusterSettings settings = ClusterSettings.of(job);
    boolean adaptive = settings.section("adaptive").asBoolean();
    JsonNode checkpoint = settings.section("checkpoint");
    JsonNode nfs = settings.section("nfs");
    AdaptDlJob.Volumes volumes =
        new AdaptDlJob.Volumes(
            adaptive || checkpoint.isObject(),
            checkpoint.path("storageClass").textValue(),
            checkpoint.path("storageSize").asText("1Gi"),
            settings.section("tensorboard").asBoolean(),
            nfs.isObject() ? nfs : null,
            settings.section("imagePullSecrets"));
    return Blueprint.of(
        settings,
        new AdaptDlJob(adaptive, volumes),
        List.of(ClusterSettings.roleInImage("main", settings.all(), job)),
        AdaptDlJob.CONTAINER);
  }
}
