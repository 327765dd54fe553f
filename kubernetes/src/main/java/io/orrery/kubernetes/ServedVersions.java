package io.orrery.kubernetes;

import java.util.List;

/** The versions of types that a cluster serves. */
@FunctionalInterface
public interface ServedVersions {
  /** The versions of a type of object; empty when the cluster does not know it. Blocks. */
  List<String> versions(ClusterAddress cluster, ResourceType type);
}
