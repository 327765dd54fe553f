package io.orrery.orchestrator.runtime.container;

import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks whether a specification can run as a container of this machine. Reads the disk. */
final class ContainerCheck {
  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,499}");

  private ContainerCheck() {}

  /** Sentences about what containers cannot do for a specification, and about missing paths. */
  static List<String> of(WorkloadSpec spec) {
    List<String> sentences = new ArrayList<>();
    String image = spec.image();
    if (image == null) {
      sentences.add(
          "a container needs an image: name one, or a cluster that runs processes, such as here");
    } else if (!IMAGE.matcher(image).matches() || image.contains("..")) {
      sentences.add(
          "'%s' is not the name of an image such as registry.example.com/team/app:1"
              .formatted(image));
    }
    if (spec.resources().gpus() > 0) {
      sentences.add(
          "GPUs cannot be set aside for a container of this machine: ask for 0, or name a cluster");
    }
    Probe probe = spec.readiness();
    if (probe != null
        && spec.ports().stream().noneMatch(port -> port.name().equals(probe.port()))) {
      sentences.add(
          "the readiness probe asks port %s, which is not a port of the specification"
              .formatted(probe.port()));
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
