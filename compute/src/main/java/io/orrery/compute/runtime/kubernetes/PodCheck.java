package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.runtime.replica.SpecCheck;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Checks whether a specification can run as a pod, as far as the specification tells. Pure. */
final class PodCheck {
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9._@-]+");

  private static final Pattern LOOPBACK = Pattern.compile("127\\..*|::1");

  private PodCheck() {}

  /** Sentences about what pods cannot do for a specification. */
  static List<String> of(WorkloadSpec spec) {
    List<String> sentences = new ArrayList<>();
    String image = SpecCheck.image(spec, "a pod");
    if (image != null) {
      sentences.add(image);
    }
    if (spec.directory() != null && spec.code() == null) {
      sentences.add(
          "the directory %s is on the server's machine, and pods do not see it: upload it (code), put"
                  .formatted(spec.directory())
              + " it into the image, or name a cluster of this machine");
    }
    String readiness = SpecCheck.readiness(spec);
    if (readiness != null) {
      sentences.add(readiness);
    }
    if (ServiceBody.isWanted(spec)) {
      for (ExternalAddress address : spec.exposure().addresses()) {
        if (LOOPBACK.matcher(address.inner()).matches()) {
          sentences.add(
              "a cluster opens no port at the loopback address %s: SERVICE_EXTERNAL_IP is to be the address of a node"
                  .formatted(address.inner()));
        }
      }
    }
    for (VolumeMount mount : spec.mounts().mounts()) {
      String user = spec.owner();
      if (mount.kind() == VolumeKind.PVC && !USER.matcher(user).matches()) {
        sentences.add(
            "%s is mounted for a user, and %s names none: use %s(pvc-share)"
                .formatted(mount.text(), WorkloadSpec.OWNER, mount.source()));
      }
    }
    return List.copyOf(sentences);
  }

  /** The claims that a specification mounts. */
  static Set<String> claims(WorkloadSpec spec) {
    return claims(spec.mounts());
  }

  /** The claims of mounts. */
  static Set<String> claims(Mounts mounts) {
    Set<String> claims = new TreeSet<>();
    for (VolumeMount mount : mounts.mounts()) {
      if (mount.kind().isClaim()) {
        claims.add(mount.source());
      }
    }
    return claims;
  }
}
