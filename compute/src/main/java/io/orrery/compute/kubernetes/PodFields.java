package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * The variables whose values only the cluster knows: a container takes them from fields of its pod.
 */
public final class PodFields {
  private static final Map<String, String> PATHS =
      Map.of(
          "K8S_NODE_NAME", "spec.nodeName",
          "K8S_POD_NAMESPACE", "metadata.namespace",
          "K8S_POD_NAME", "metadata.name",
          "K8S_POD_IP", "status.podIP",
          "K8S_HOST_IP", "status.hostIP");

  /** All of them by their names, each with the path of its field. */
  public static final Map<String, String> OF_REPLICAS = new TreeMap<>(PATHS);

  /** Those of steps of pipelines, which the original gives no namespace. */
  static final Map<String, String> OF_STEPS = ofSteps();

  private PodFields() {}

  private static Map<String, String> ofSteps() {
    Map<String, String> paths = new TreeMap<>(PATHS);
    paths.remove("K8S_POD_NAMESPACE");
    return paths;
  }

  /** Has a container take a variable from a field of its pod. */
  public static void refer(ArrayNode env, String name, String path) {
    env.addObject()
        .put("name", name)
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", path);
  }
}
