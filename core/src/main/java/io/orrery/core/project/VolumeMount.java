package io.orrery.core.project;

import java.util.OptionalLong;

/**
 * A mount: a volume and the path at which a container sees it. Its text is {@code
 * source(kind):/path}.
 *
 * @param kind says what the source names
 * @param source the name of a claim, ConfigMap or Secret (a DNS subdomain), the absolute path of a
 *     directory of the node, or a size such as {@code 4G}
 * @param path absolute, without a slash at the end, at most 1,024 characters; never the root
 */
public record VolumeMount(VolumeKind kind, String source, String path) {
  private static final long MEBIBYTES_PER_GIBIBYTE = 1024;

  /**
   * @throws IllegalArgumentException when source or path could not be read back from the text
   */
  public VolumeMount {
    MountSyntax.require(kind, source, path);
  }

  /**
   * The path of the mount in a container of a user: with a claim of kind {@code pvc} only the
   * user's sub-directory is mounted, at {@code <path>/<user>}.
   *
   * @param user the owner of the object that the container belongs to
   */
  public String mountedAt(String user) {
    return kind == VolumeKind.PVC ? path + "/" + user : path;
  }

  /** The limit of a mount of memory in MiB ({@code 4G} is 4,096); empty for other kinds. */
  public OptionalLong memoryMebibytes() {
    if (kind != VolumeKind.MEMORY) {
      return OptionalLong.empty();
    }
    long number = Long.parseLong(source.substring(0, source.length() - 1));
    return OptionalLong.of(source.endsWith("G") ? number * MEBIBYTES_PER_GIBIBYTE : number);
  }

  /** The canonical text, as {@code kubeflow-user-workspace(pvc):/mnt}. */
  public String text() {
    return source + "(" + kind.word() + "):" + path;
  }
}
