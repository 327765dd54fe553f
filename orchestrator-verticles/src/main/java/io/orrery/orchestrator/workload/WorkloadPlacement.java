package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.Runtime;
import io.orrery.core.bus.contract.Workloads.Check;
import io.orrery.core.bus.contract.Workloads.Checked;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.HostMounts;
import io.orrery.core.project.VolumeMount;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the runtime of a workload: the cluster that its specification names, among those of
 * the server's configuration.
 */
public final class WorkloadPlacement {
  private final Map<String, Runtime> runtimes;
  private final HostMounts mounts;

  /**
   * @param runtimes by the names of their clusters
   * @param mounts what containers and pods may mount of their node
   */
  public WorkloadPlacement(Map<String, Runtime> runtimes, HostMounts mounts) {
    this.runtimes = new TreeMap<>(runtimes);
    this.mounts = mounts;
  }

  /** All runtimes by the names of their clusters. */
  Map<String, Runtime> runtimes() {
    return Map.copyOf(runtimes);
  }

  /** The runtime of a cluster; null when the configuration has none of the name. */
  @Nullable Runtime find(String cluster) {
    return runtimes.get(cluster);
  }

  /**
   * The runtime of a cluster.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when the configuration has none
   */
  Runtime runtime(String cluster) {
    Runtime runtime = runtimes.get(cluster);
    if (runtime == null) {
      throw refused("/cluster", unknown(cluster));
    }
    return runtime;
  }

  /** The reason why nothing runs on a cluster that is not there. */
  String unknown(String cluster) {
    return "there is no cluster '%s' in this server's configuration; there is %s"
        .formatted(cluster, String.join(", ", runtimes.keySet()));
  }

  /** The reason why containers of people may not have a mount; null when they may. */
  @Nullable String refusal(VolumeMount mount) {
    return mounts.refusal(mount);
  }

  /**
   * Checks a specification, on its runtime too.
   *
   * @param present the workload as it is; null when it is new
   */
  Future<Checked> check(Check asked, @Nullable OwnedWorkload present) {
    Runtime runtime = runtime(asked.runtime());
    boolean hasImage = EnvironmentName.isContainer(asked.spec().image());
    if (hasImage && !runtime.runsImages()) {
      throw refused(
          "/image",
          "cluster %s runs processes and no images: leave the image out, or name a cluster that runs"
                  .formatted(asked.runtime())
              + " images; "
              + among(true, "there is none in this server's configuration"));
    }
    if (!hasImage && runtime.runsImages()) {
      throw refused(
          "/image",
          "cluster %s runs images: name an image, or a cluster that runs processes; %s"
              .formatted(asked.runtime(), among(false, "there is none")));
    }
    if (hasImage) {
      for (VolumeMount mount : asked.spec().mounts().mounts()) {
        String refusal = mounts.refusal(mount);
        if (refusal != null) {
          throw refused("/volume_mount", refusal);
        }
      }
    }
    if (present != null) {
      refuseMove(present, asked.runtime());
    }
    return runtime.check(asked.workload(), asked.spec()).map(Checked::new);
  }

  private String among(boolean images, String none) {
    List<String> names =
        runtimes.entrySet().stream()
            .filter(each -> each.getValue().runsImages() == images)
            .map(Map.Entry::getKey)
            .toList();
    return names.isEmpty() ? none : "there is " + String.join(", ", names);
  }

  /** Refuses another cluster while replicas are on the one before. */
  void refuseMove(OwnedWorkload present, String cluster) {
    String before = present.want().runtime();
    if (!before.equals(cluster) && !present.isGone()) {
      throw new Problem.Conflict(
              "%s runs on %s: clear it there before it is deployed on %s."
                  .formatted(present.want().workload(), before, cluster))
          .toException();
    }
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
