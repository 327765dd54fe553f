package io.orrery.journeys;

import io.orrery.compute.kubernetes.MockCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration of a server that knows a mock cluster as {@code kube}. */
public final class ClusterHome {
  /** Others' definitions of the operators' kinds; not part of this repository. */
  public static final Path DEFINITIONS =
      Path.of(System.getProperty("orrery.definitions", "../../shared/crds"));

  private ClusterHome() {}

  /**
   * Writes it.
   *
   * @param purpose whose objects the namespace {@code trials} gets, such as {@code pipeline}
   */
  public static void write(MockCluster cluster, Path home, String purpose) throws IOException {
    Path kubeconfig = cluster.kubeconfig(home.toAbsolutePath().resolveSibling("kubeconfig"));
    Files.writeString(
        home.resolve("orrery.yml"),
        "clusters: {kube: {runtime: kubernetes, kubeconfig: '%s', namespaces: {%s: trials}}}\n"
            .formatted(kubeconfig, purpose));
  }
}
