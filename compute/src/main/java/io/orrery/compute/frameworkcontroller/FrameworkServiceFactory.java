package io.orrery.compute.frameworkcontroller;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.Blueprint;
import io.orrery.compute.kubernetes.ClusterSettings;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.compute.kubernetes.Role;
import io.orrery.compute.kubernetes.Sharing;
import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Opens the platform {@code frameworkcontroller}. */
public final class FrameworkServiceFactory implements TrainingServiceFactory {
  private static final String PLATFORM = "frameworkcontroller";

  @Override
  public String platform() {
    return PLATFORM;
  }

  @Override
  public ServiceSection section() {
    return new FrameworkSection();
  }

  @Override
  public String summary() {
    return "Frameworks of FrameworkController on Kubernetes: any roles, without Kubeflow.";
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
  public Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return Sharing.open(surroundings, PLATFORM, (job, served) -> blueprint(job));
  }

  /** The container of a pod of a Framework. */
  public static String container() {
    return Framework.CONTAINER;
  }

  /** A Framework that ends well when the pod of one role has, and badly when any pod has. */
  public static JobKind endingWith(String role) {
    return new Framework(
        Map.of(role, Json.MAPPER.createObjectNode().put("minSucceedTaskCount", 1)), false);
  }

  static Blueprint blueprint(JobSpec job) {
    ClusterSettings settings = ClusterSettings.of(job);
    List<Role> roles = new ArrayList<>();
    Map<String, JsonNode> policies = new HashMap<>();
    for (JsonNode section : settings.section("taskRoles")) {
      String name = section.path("name").asText();
      roles.add(ClusterSettings.role(name, section.path("taskNumber").asInt(1), section, job));
      policies.put(name, section.path("frameworkAttemptCompletionPolicy"));
    }
    // It reads the Framework as the service account; without one it would wait for ever.
    boolean barrier =
        settings.text("serviceAccountName") != null
            && roles.stream().mapToInt(Role::pods).sum() > 1;
    return Blueprint.of(
        settings,
        new Framework(policies, barrier),
        settings.inOrder(barrier ? Barrier.behind(roles) : roles),
        Framework.CONTAINER);
  }
}
