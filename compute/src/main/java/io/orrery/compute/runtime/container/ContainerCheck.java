package io.orrery.compute.runtime.container;

import io.orrery.compute.runtime.replica.SpecCheck;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks whether a specification can run as a container of this machine. Reads the disk. */
final class ContainerCheck {
  private ContainerCheck() {}

  /** Sentences about what containers cannot do for a specification, and about missing paths. */
  static List<String> of(WorkloadSpec spec) {
    List<String> sentences = new ArrayList<>();
    String image = SpecCheck.image(spec, "a container");
    if (image != null) {
      sentences.add(image);
    }
    String readiness = SpecCheck.readiness(spec);
    if (readiness != null) {
      sentences.add(readiness);
    }
    for (VolumeMount mount : spec.mounts().mounts()) {
      String wrong = mount(mount);
      if (wrong != null) {
        sentences.add(wrong);
      }
    }
    String missing = missing(spec);
    if (missing != null) {
      sentences.add(missing);
    }
    return List.copyOf(sentences);
  }

  /**
   * The first path of this machine that is not there; null when all are. Engines do not tell:
   * Podman makes an empty directory instead.
   */
  static @Nullable String missing(WorkloadSpec spec) {
    String directory = spec.directory();
    if (directory != null && !Files.isDirectory(Path.of(directory))) {
      return "there is no directory %s on this machine: make it, or name another one"
          .formatted(directory);
    }
    for (VolumeMount mount : spec.mounts().mounts()) {
      String missing = SpecCheck.missing(mount);
      if (missing != null) {
        return missing;
      }
    }
    return null;
  }

  /** The reason why a mount cannot be made; null when it can. */
  static @Nullable String refusal(VolumeMount mount) {
    String wrong = mount(mount);
    return wrong == null ? SpecCheck.missing(mount) : wrong;
  }

  private static @Nullable String mount(VolumeMount mount) {
    return mount.kind() == VolumeKind.HOSTPATH
            || mount.kind() == VolumeKind.MEMORY
            || PersonalMounts.isPersonal(mount)
        ? null
        : "%s cannot be mounted for a container of this machine: mount a directory, as in /data(hostpath):/data, memory, as in 1G(memory):/dev/shm, or a claim (pvc) at /mnt or /archives; or name a cluster of pods"
            .formatted(mount.text());
  }
}
