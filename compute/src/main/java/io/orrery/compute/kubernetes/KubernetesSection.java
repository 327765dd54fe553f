package io.orrery.compute.kubernetes;

import io.orrery.compute.section.OlderSection;
import io.orrery.core.schema.Schema;
import java.util.List;
import java.util.Map;

/** The section of trials that are jobs of a Kubernetes cluster, of one pod each. */
public final class KubernetesSection extends ClusterSection {
  public static final Schema SCHEMA = CLUSTER.and(pod("python:3"));

  @Override
  public String platform() {
    return "kubernetes";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public OlderSection older() {
    return new OlderClusterSection("kubernetesConfig", Map.of(), Map.of(), List.of()) {
      // NNI's first version knew no such section: it does not make a file one of v1.
      @Override
      public List<String> topLevel() {
        return List.of();
      }
    };
  }
}
