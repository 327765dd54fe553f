package io.orrery.compute.runtime.kubernetes;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.orrery.kubernetes.ClusterAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/**
 * The real cluster that a tester has chosen by {@code -Dorrery.kubernetes=CONTEXT}.
 *
 * @param address a context of a kubeconfig: of {@code -Dorrery.kubeconfig}, else of the variable
 *     {@code KUBECONFIG}, else {@code ~/.kube/config}; with the namespace of {@code
 *     -Dorrery.kubernetes.namespace}, else that of the context
 * @param image in which {@code python3} runs: {@code -Dorrery.kubernetes.image}
 */
record ChosenCluster(ClusterAddress address, String image) {
  static final String CONTEXT = "orrery.kubernetes";
  static final String KUBECONFIG = "orrery.kubeconfig";
  static final String NAMESPACE = "orrery.kubernetes.namespace";
  static final String IMAGE = "orrery.kubernetes.image";

  private static final String USUAL_IMAGE = "docker.io/library/python:3.13-slim";

  /**
   * Reads the choice.
   *
   * @param properties of the system
   * @param variable the value of {@code KUBECONFIG}; empty when it is not set
   * @throws IllegalArgumentException when the kubeconfig or the context is missing, in words for
   *     the tester
   */
  static ChosenCluster of(Properties properties, String variable) {
    String context = properties.getProperty(CONTEXT, "");
    String file =
        properties.getProperty(
            KUBECONFIG,
            variable.isEmpty()
                ? Path.of(properties.getProperty("user.home"), ".kube", "config").toString()
                : variable);
    Path kubeconfig = Path.of(file).toAbsolutePath();
    String flag = "-D%s=%s: ".formatted(CONTEXT, context);
    if (!Files.isRegularFile(kubeconfig)) {
      throw new IllegalArgumentException(
          flag
              + "there is no kubeconfig %s; name one with -D%s=FILE or KUBECONFIG"
                  .formatted(kubeconfig, KUBECONFIG));
    }
    List<String> known =
        Objects.requireNonNullElse(
                KubeConfigUtils.parseConfig(kubeconfig.toFile()).getContexts(),
                List.<NamedContext>of())
            .stream()
            .map(NamedContext::getName)
            .toList();
    if (!known.contains(context)) {
      throw new IllegalArgumentException(
          flag
              + "the kubeconfig %s has no context '%s'; it has %s"
                  .formatted(
                      kubeconfig, context, known.isEmpty() ? "none" : String.join(", ", known)));
    }
    return new ChosenCluster(
        new ClusterAddress(kubeconfig.toString(), context, properties.getProperty(NAMESPACE)),
        properties.getProperty(IMAGE, USUAL_IMAGE));
  }

  /** The choice of this run of the tests. */
  static ChosenCluster now() {
    return of(System.getProperties(), Objects.requireNonNullElse(System.getenv("KUBECONFIG"), ""));
  }
}
