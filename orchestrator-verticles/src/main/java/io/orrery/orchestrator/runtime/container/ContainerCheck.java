package io.orrery.orchestrator.runtime.container;

import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.runtime.replica.SpecCheck;
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
    if (spec.resources().gpus() > 0) {
      sentences.add(
          "GPUs cannot be set aside for a container of this machine: ask for 0, or name a cluster");
    }
    String readiness = SpecCheck.readiness(spec);
    if (readiness != null) {
      sentences.add(readiness);
    }
    for (VolumeMount mount : spec.mounts().mounts()) {
      if (mount.kind() != VolumeKind.HOSTPATH && mount.kind() != VolumeKind.MEMORY) {
        sentences.add(
            "%s cannot be mounted for a container of this machine: leave it out, or name a cluster"
                .formatted(mount.text()));
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
      if (mount.kind() == VolumeKind.HOSTPATH && !Files.exists(Path.of(mount.source()))) {
        return "there is no %s on this machine, which is to be mounted at %s: make it"
            .formatted(mount.source(), mount.path());
      }
    }
    return null;
  }
}
