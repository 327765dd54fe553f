package io.orrery.compute.kubeflow;

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
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.kubernetes.ClusterAddress;
import io.orrery.kubernetes.ResourceType;
import io.orrery.kubernetes.ServedVersions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Opens the platform {@code kubeflow}. */
public final class KubeflowServiceFactory implements TrainingServiceFactory {
  private static final String PLATFORM = "kubeflow";

  @Override
  public String platform() {
    return PLATFORM;
  }

  @Override
  public ServiceSection section() {
    return new KubeflowSection();
  }

  @Override
  public String summary() {
    return "TFJobs and PyTorchJobs of Kubeflow's training operators on Kubernetes.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    return ClusterSettings.check(job);
  }

  @Override
  public Map<String, Path> codeDirectories(JobSpec job) {
    ClusterSettings settings = ClusterSettings.of(job);
    Map<String, Path> directories = new TreeMap<>();
    directories.put("/trialCodeDirectory", Path.of(job.codeDirectory()));
    for (String role : Operator.TENSORFLOW.roles()) {
      JsonNode own = settings.section(role).path("codeDirectory");
      if (own.isTextual()) {
        directories.put("/trainingService/" + role + "/codeDirectory", Path.of(own.textValue()));
      }
    }
    return directories;
  }

  @Override
  public Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return Sharing.open(surroundings, PLATFORM, KubeflowServiceFactory::blueprint);
  }

  /**
   * The jobs of an operator, for steps of pipelines.
   *
   * @param container as the operator looks for it in a pod
   */
  public record Shape(JobKind kind, String container) {}

  /**
   * Finds the jobs of an operator in a version that a cluster serves.
   *
   * @param pytorch a PyTorchJob; otherwise a TFJob
   * @param keep seconds that an ended job stays
   * @throws io.orrery.core.problem.ProblemException Refused when the cluster serves none
   */
  public static Shape shape(
      boolean pytorch, ClusterAddress cluster, ServedVersions served, long keep) {
    Operator operator = pytorch ? Operator.PYTORCH : Operator.TENSORFLOW;
    ResourceType type = operator.resource("v1");
    String version = version("v1", "", type, served.versions(cluster, type));
    return new Shape(new OperatorJob(operator, version, keep), operator.container);
  }

  static Blueprint blueprint(JobSpec job, ServedVersions served) {
    ClusterSettings settings = ClusterSettings.of(job);
    Operator operator = Operator.of(String.valueOf(settings.text("operator")));
    String wanted = settings.all().path("apiVersion").asText("v1");
    ResourceType type = operator.resource(wanted);
    String version =
        version(
            wanted, "/trainingService/operator", type, served.versions(settings.cluster(), type));
    List<Role> roles =
        operator.roles().stream()
            .filter(role -> settings.section(role).isObject())
            .map(role -> {
              JsonNode section = settings.section(role);
              return ClusterSettings.role(role, section.path("replicas").asInt(1), section, job);
            })
            .toList();
    Blueprint blueprint =
        Blueprint.of(
            settings,
            new OperatorJob(operator, version, settings.keep()),
            settings.inOrder(roles),
            operator.container);
    return version.equals(wanted)
        ? blueprint
        : blueprint.noticing(
            "The cluster serves %s in %s, not in %s as apiVersion has it: %s is used."
                .formatted(
                    type.plural() + "." + type.group(),
                    String.join(", ", served.versions(settings.cluster(), type)),
                    wanted,
                    version));
  }

  /** The version that was asked for, or else the one that the cluster prefers. */
  private static String version(
      String wanted, String pointer, ResourceType type, List<String> served) {
    if (served.contains(wanted)) {
      return wanted;
    }
    if (served.isEmpty()) {
      throw new Problem.Refused(
              new Finding(
                  pointer,
                  "the cluster does not serve "
                      + type.plural()
                      + "."
                      + type.group()
                      + ": its administrator has to install the training operator"))
          .toException();
    }
    return served.getFirst();
  }
}
