package io.orrery.core.project;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The labels that a node must have to run a workload.
 *
 * @param nodeSelector label values by key, all of which the node has; in a stable order
 * @param orgs values of a required node affinity {@code org In [...]}: the node has one of them.
 *     Empty when the selector says all
 */
public record NodePlacement(Map<String, String> nodeSelector, List<String> orgs) {
  public NodePlacement {
    nodeSelector = Collections.unmodifiableMap(new LinkedHashMap<>(nodeSelector));
    orgs = List.copyOf(orgs);
  }

  /** The labels as the text of a {@link NodeSelector}. */
  public String text() {
    Map<String, String> labels = new LinkedHashMap<>(nodeSelector);
    if (!orgs.isEmpty()) {
      labels.put(NodeSelector.ORG, String.join(",", orgs));
    }
    return new NodeSelector(labels).text();
  }
}
