package io.orrery.orchestrator.runtime.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.run.StepContainer;
import io.orrery.orchestrator.platform.kubernetes.Blueprint;
import io.orrery.orchestrator.platform.kubernetes.ClusterAddress;
import io.orrery.orchestrator.platform.kubernetes.PlainJob;
import io.orrery.orchestrator.platform.kubernetes.Role;
import io.orrery.orchestrator.platform.kubernetes.Served;
import java.nio.file.Path;
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
  Blueprint of(ExperimentSpec spec, Served served) {
    StepContainer step =
        StepContainer.of(Json.MAPPER.valueToTree(spec.trainingService().settings()));
    ClusterAddress address = clusters.get(step.cluster());
    if (address == null) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "there is no Kubernetes cluster '%s' in this server's configuration; there is %s"
                      .formatted(step.cluster(), String.join(", ", clusters.keySet()))))
          .toException();
    }
    Role role =
        new Role(
            CONTAINER,
            1,
            StepProgram.of(spec.trialCommand()),
            directory(spec),
            null,
            step.image(),
            step.milliCores() > 0 ? Double.valueOf(step.milliCores() / MILLI) : null,
            step.bytes() > 0 ? Long.valueOf(Math.ceilDiv(step.bytes(), MEBIBYTE)) : null,
            gpus(spec),
            null,
            Json.MAPPER.createObjectNode());
    return new Blueprint(
        address,
        new PlainJob(KEEP),
        List.of(role),
        CONTAINER,
        pod(step),
        null,
        null,
        null,
        List.of());
  }

  /** The directory that holds both the code and the inputs of the attempt. */
  private static String directory(ExperimentSpec spec) {
    return Objects.requireNonNull(Path.of(spec.trialCodeDirectory()).getParent()).toString();
  }

  private static @Nullable Integer gpus(ExperimentSpec spec) {
    Integer gpus = spec.trialGpuNumber();
    return gpus == null ? Integer.valueOf(0) : gpus;
  }

  private static ObjectNode pod(StepContainer step) {
    ObjectNode template = Json.MAPPER.createObjectNode();
    ObjectNode pod = template.putObject("spec");
    ObjectNode container = pod.putArray("containers").addObject().put("name", CONTAINER);
    PodVolumes.mount(pod, container, Mounts.read(step.mounts()).value().mounts(), step.user());
    return template;
  }
}
