package io.orrery.core.project;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A list of mounts, at most one for each container path, in the order of the text.
 *
 * <p>The text is {@code name(kind):/path} with {@code ;} or {@code ,} (or a line break or a tab)
 * between two mounts. Blanks around each part do not count, nor do slashes at the end of a path. A
 * mount without a kind is a directory of the node. One claim may be mounted at several paths.
 */
public record Mounts(List<VolumeMount> mounts) {
  /** The largest number of characters of a text. */
  public static final int MOST_CHARACTERS = 10_000;

  /** The largest number of mounts in a text. */
  public static final int MOST_MOUNTS = 100;

  /** No mount at all. */
  public static final Mounts NONE = new Mounts(List.of());

  /** The kinds in the settings of a project: all but {@code secret}. */
  public static final Set<VolumeKind> PROJECT_KINDS =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(VolumeKind.SECRET)));

  private static final String HOME = "/mnt";
  private static final VolumeMount WORKSPACE =
      new VolumeMount(VolumeKind.PVC, "kubeflow-user-workspace", HOME);
  private static final VolumeMount ARCHIVES =
      new VolumeMount(VolumeKind.PVC, "kubeflow-archives", "/archives");

  /**
   * @throws IllegalArgumentException when two mounts have one container path
   */
  public Mounts {
    mounts = List.copyOf(mounts);
    Set<String> paths = new HashSet<>();
    for (VolumeMount mount : mounts) {
      if (!paths.add(mount.path())) {
        throw new IllegalArgumentException("two mounts at " + mount.path());
      }
    }
  }

  /**
   * Reads a text with mounts of all kinds; a blank text has none.
   *
   * @return the mounts that are right, and every finding. Notices name the mounts that were taken
   *     as directories of the node because they have no kind
   */
  public static Parsed<Mounts> read(String text) {
    return read(text, EnumSet.allOf(VolumeKind.class));
  }

  /**
   * Reads a text with mounts of some kinds; any other kind is a finding that names the allowed
   * ones.
   */
  public static Parsed<Mounts> read(String text, Set<VolumeKind> allowed) {
    return MountReader.read(text, allowed);
  }

  /** The index of the first character of each mount, in the order of a text that is right. */
  public static List<Integer> offsets(String text) {
    return TextEntry.of(text).entries(MountSyntax.SEPARATORS).stream()
        .map(TextEntry::offset)
        .toList();
  }

  /**
   * The mounts of a project whose settings name these: {@code kubeflow-user-workspace(pvc):/mnt} is
   * added at the end unless a path ends in {@code /mnt}, and without any mount also {@code
   * kubeflow-archives(pvc):/archives}. These are the personal directory and the archive directory.
   */
  public Mounts withProjectDefaults() {
    if (mounts.isEmpty()) {
      return new Mounts(List.of(WORKSPACE, ARCHIVES));
    }
    boolean hasHome = mounts.stream().anyMatch(mount -> mount.path().endsWith(HOME));
    return hasHome ? this : and(new Mounts(List.of(WORKSPACE)));
  }

  /**
   * These mounts, then the others at whose path none of these is: the mounts of a project come
   * before those of an object in it.
   */
  public Mounts and(Mounts others) {
    Set<String> paths = mounts.stream().map(VolumeMount::path).collect(Collectors.toSet());
    List<VolumeMount> all = new ArrayList<>(mounts);
    others.mounts.stream().filter(mount -> !paths.contains(mount.path())).forEach(all::add);
    return new Mounts(all);
  }

  /** The canonical text, with {@code ;} between two mounts; reading it gives equal mounts. */
  public String text() {
    return mounts.stream().map(VolumeMount::text).collect(Collectors.joining(";"));
  }
}
