package io.orrery.compute.runtime;

import io.orrery.core.project.VolumeMount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A look of a runtime at what the settings of a project name.
 *
 * @param mounts the reason why a mount cannot be made, by the mount
 * @param nodes the sentence that no node has the labels; null when one has, or it is not known
 * @param mountsUnknown the reason why mounts could not be looked at; null when they were
 * @param nodesUnknown the reason why nodes were not looked at; null when they were
 */
public record SettingsLook(
    Map<VolumeMount, String> mounts,
    @Nullable String nodes,
    @Nullable String mountsUnknown,
    @Nullable String nodesUnknown) {
  public SettingsLook {
    mounts = Map.copyOf(mounts);
  }

  /**
   * A look at a place without nodes to choose from.
   *
   * @param refusal the reason why a mount cannot be made; null when it can
   * @param chooses whether the settings choose nodes
   */
  public static SettingsLook withoutNodes(
      List<VolumeMount> mounts, MountRefusal refusal, boolean chooses) {
    Map<VolumeMount, String> refused = new HashMap<>();
    for (VolumeMount mount : mounts) {
      String reason = refusal.of(mount);
      if (reason != null) {
        refused.put(mount, reason);
      }
    }
    return new SettingsLook(
        refused,
        null,
        null,
        chooses ? "it chooses nodes of Kubernetes, and this cluster is one machine" : null);
  }

  /** A rule that refuses mounts. */
  @FunctionalInterface
  public interface MountRefusal {
    /** The reason; null when the mount can be made. */
    @Nullable String of(VolumeMount mount);
  }
}
