package io.orrery.compute.runtime.container;

import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a person in containers of this machine. A claim of kind {@code pvc} at {@code
 * /mnt} is the person's workspace here, and one at {@code /archives} the archive, so that the same
 * document runs here and on a cluster.
 *
 * @param workspaces of this machine
 * @param user who owns their files, as {@code uid:gid} in a container; null when the engine does
 *     not tell
 */
record PersonalMounts(Workspaces workspaces, @Nullable String user) {
  private static final String MNT = "/mnt";

  /** Whether a mount is a directory of the person. */
  static boolean isPersonal(VolumeMount mount) {
    return mount.kind() == VolumeKind.PVC
        && (mount.path().equals(MNT) || mount.path().equals(Workspaces.ARCHIVES));
  }

  private static List<VolumeMount> personal(WorkloadSpec spec) {
    return spec.owner().isEmpty()
        ? List.of()
        : spec.mounts().mounts().stream().filter(PersonalMounts::isPersonal).toList();
  }

  /** Makes the directories of a specification. Blocks. */
  void make(WorkloadSpec spec) throws IOException {
    for (VolumeMount mount : personal(spec)) {
      if (mount.path().equals(MNT)) {
        workspaces.made(spec.owner());
      } else {
        workspaces.archiveMade(spec.owner());
      }
    }
  }

  /** The directories of a specification, as engines read them. */
  List<String> binds(WorkloadSpec spec) {
    return personal(spec).stream().map(mount -> bind(mount, spec.owner())).toList();
  }

  private String bind(VolumeMount mount, String owner) {
    boolean isWorkspace = mount.path().equals(MNT);
    Path directory = isWorkspace ? workspaces.of(owner) : workspaces.archiveOf(owner);
    Path shown = isWorkspace ? Workspaces.shownAt(owner) : Workspaces.archiveShownAt(owner);
    return directory + ":" + shown;
  }
}
