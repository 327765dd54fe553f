package io.orrery.core.project;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a node that containers of people may mount.
 *
 * <p>A container may be root on what it mounts. So where people have accounts only directories that
 * the operator lists are mounted, each as it is listed: one below it could be a symbolic link that
 * a person has made.
 *
 * @param listed null for any directory
 */
public record HostMounts(@Nullable List<String> listed) {
  /** All directories: people are trusted, or there is one person only. */
  public static final HostMounts ANY = new HostMounts(null);

  public HostMounts {
    listed = listed == null ? null : List.copyOf(listed);
  }

  /** The reason why a mount is refused; null when it is not. */
  public @Nullable String refusal(VolumeMount mount) {
    List<String> only = listed;
    return mount.kind() != VolumeKind.HOSTPATH || only == null || only.contains(mount.source())
        ? null
        : "%s may not be mounted: %s; the administrator adds one by auth.sandboxWrite"
            .formatted(
                mount.source(),
                only.isEmpty()
                    ? "no directory of a node is for containers of people"
                    : "containers of people may have " + String.join(", ", only));
  }
}
