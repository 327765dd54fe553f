package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.project.NodePlacement;
import io.orrery.core.project.NodeSelector;
import org.jspecify.annotations.Nullable;

/** Says in the specification of a pod which nodes may run it. Pure. */
public final class PodNodes {
  private PodNodes() {}

  /**
   * Chooses the nodes of a pod.
   *
   * @param nodes null for any
   */
  public static void choose(ObjectNode pod, @Nullable NodePlacement nodes) {
    if (nodes == null) {
      return;
    }
    nodes.nodeSelector().forEach(pod.withObjectProperty("nodeSelector")::put);
    if (!nodes.orgs().isEmpty()) {
      ArrayNode values =
          pod.withObjectProperty("affinity")
              .withObjectProperty("nodeAffinity")
              .withObjectProperty("requiredDuringSchedulingIgnoredDuringExecution")
              .putArray("nodeSelectorTerms")
              .addObject()
              .putArray("matchExpressions")
              .addObject()
              .put("key", NodeSelector.ORG)
              .put("operator", "In")
              .putArray("values");
      nodes.orgs().forEach(values::add);
    }
  }
}
