package io.orrery.compute.runtime.replica;

import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of a specification that several machines make alike. */
public final class SpecCheck {
  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,499}");

  private SpecCheck() {}

  /**
   * A sentence about an image that is missing, or is none; null when it is right.
   *
   * @param what needs it, such as {@code a pod}
   */
  public static @Nullable String image(WorkloadSpec spec, String what) {
    String image = spec.image();
    if (image == null) {
      return what + " needs an image: name one, or a cluster that runs processes, such as here";
    }
    return !IMAGE.matcher(image).matches() || image.contains("..")
        ? "'%s' is not the name of an image such as registry.example.com/team/app:1"
            .formatted(image)
        : null;
  }

  /**
   * A sentence about a directory of this machine that is to be mounted and is not there; null when
   * nothing is missing. Reads the disk.
   */
  public static @Nullable String missing(VolumeMount mount) {
    return mount.kind() == VolumeKind.HOSTPATH && !Files.exists(Path.of(mount.source()))
        ? "there is no %s on this machine, which is to be mounted at %s: make it"
            .formatted(mount.source(), mount.path())
        : null;
  }

  /** A sentence about a readiness probe of a port that is not there; null when it is right. */
  public static @Nullable String readiness(WorkloadSpec spec) {
    Probe probe = spec.readiness();
    return probe != null
            && spec.ports().stream().noneMatch(port -> port.name().equals(probe.port()))
        ? "the readiness probe asks port %s, which is not a port of the specification"
            .formatted(probe.port())
        : null;
  }
}
