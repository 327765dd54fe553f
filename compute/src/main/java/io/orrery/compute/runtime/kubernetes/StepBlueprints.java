package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.StepProgram;
import io.orrery.compute.frameworkcontroller.FrameworkServiceFactory;
import io.orrery.compute.kubeflow.KubeflowServiceFactory;
import io.orrery.compute.kubernetes.Blueprint;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.compute.kubernetes.PlainJob;
import io.orrery.compute.kubernetes.PodMounts;
import io.orrery.compute.kubernetes.PodNodes;
import io.orrery.compute.kubernetes.ProjectPods;
import io.orrery.compute.kubernetes.Role;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepTeam;
import io.orrery.kubernetes.ClusterAddress;
import io.orrery.kubernetes.ServedVersions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the templates of the jobs that steps are on the configured clusters. */
final class StepBlueprints {
  private static final String CONTAINER = "main";
  private static final double MILLI = 1_000.0;
  private static final long MEBIBYTE = 1L << 20;

  /** Seconds that an ended job stays, for people to look at. */
  private static final long KEEP = 10_800;

  private final Map<String, ClusterAddress> clusters;

  StepBlueprints(List<KubernetesCluster> clusters) {
    this.clusters =
        clusters.stream()
            .collect(
                Collectors.toMap(
                    KubernetesCluster::name,
                    KubernetesCluster::steps,
                    (one, other) -> one,
                    TreeMap::new));
  }

  /**
   * The job of a step.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when its cluster is not configured
   */
  Blueprint of(JobSpec job, ServedVersions served) {
    StepContainer step =
        StepContainer.of(Json.MAPPER.valueToTree(job.trainingService().settings()));
    ClusterAddress address = clusters.get(step.cluster());
    if (address == null) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "there is no Kubernetes cluster '%s' in this server's configuration; there is %s"
                      .formatted(step.cluster(), String.join(", ", clusters.keySet()))))
          .toException();
    }
    StepTeam team = step.team();
    if (team == null) {
      Role role = role(CONTAINER, 1, StepProgram.of(job.command()), job, step);
      Blueprint plain = blueprint(address, new PlainJob(KEEP), List.of(role), CONTAINER, step);
      if (Boolean.TRUE.equals(
          job.trainingService().settings().values().get(StepContainer.BUILDS))) {
        allowNamespaces(plain.pod());
      }
      return plain;
    }
    List<Role> roles = new ArrayList<>();
    team.roles()
        .forEach((name, pods) -> {
          boolean leads = name.equals(team.kind().leader());
          String command =
              leads ? StepProgram.of(job.command()) : StepProgram.helping(job.command());
          roles.add(role(name, pods, command, job, step));
        });
    return switch (team.kind()) {
      case TFJOB, PYTORCHJOB -> {
        KubeflowServiceFactory.Shape shape =
            KubeflowServiceFactory.shape(
                team.kind() == StepTeam.Kind.PYTORCHJOB, address, served, KEEP);
        yield blueprint(address, shape.kind(), roles, shape.container(), step);
      }
      case FRAMEWORK ->
          blueprint(
              address,
              FrameworkServiceFactory.endingWith(team.kind().leader()),
              roles,
              FrameworkServiceFactory.container(),
              step);
    };
  }

  private static Role role(String name, int pods, String command, JobSpec job, StepContainer step) {
    return new Role(
        name,
        pods,
        command,
        directory(job),
        null,
        step.image(),
        step.milliCores() > 0 ? Double.valueOf(step.milliCores() / MILLI) : null,
        step.bytes() > 0 ? Long.valueOf(Math.ceilDiv(step.bytes(), MEBIBYTE)) : null,
        gpus(job),
        null,
        Json.MAPPER.createObjectNode());
  }

  private static Blueprint blueprint(
      ClusterAddress address,
      JobKind kind,
      List<Role> roles,
      String container,
      StepContainer step) {
    return new Blueprint(
        address,
        kind,
        roles,
        container,
        pod(step, container),
        null,
        null,
        null,
        ProjectPods.NONE,
        List.of());
  }

  /** The directory that holds both the code and the inputs of the attempt. */
  private static String directory(JobSpec job) {
    return Objects.requireNonNull(Path.of(job.codeDirectory()).getParent()).toString();
  }

  private static @Nullable Integer gpus(JobSpec job) {
    Integer gpus = job.gpuNumber();
    return gpus == null ? Integer.valueOf(0) : gpus;
  }

  /**
   * Leaves out what keeps buildah from making a namespace of users: the seccomp profile and the ban
   * on programs such as newuidmap. The pod stays an ordinary one, of an ordinary user, with no
   * capability beyond those of every container.
   */
  private static void allowNamespaces(ObjectNode template) {
    ObjectNode pod = (ObjectNode) template.path("spec");
    pod.putObject("securityContext").putNull("seccompProfile");
    ObjectNode container = (ObjectNode) pod.path("containers").path(0);
    ObjectNode context = container.putObject("securityContext");
    context.put("privileged", false).putNull("allowPrivilegeEscalation").putNull("capabilities");
  }

  private static ObjectNode pod(StepContainer step, String name) {
    ObjectNode template = Json.MAPPER.createObjectNode();
    ObjectNode pod = template.putObject("spec");
    ObjectNode container = pod.putArray("containers").addObject().put("name", name);
    PodNodes.choose(pod, step.nodes());
    List<VolumeMount> mounts = Mounts.read(step.mounts()).value().mounts();
    PodMounts.mount(pod, container, PodVolumes.PREFIX, mounts, step.user());
    return template;
  }
}
