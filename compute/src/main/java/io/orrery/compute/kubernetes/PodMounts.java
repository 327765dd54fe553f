package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.project.VolumeMount;
import java.util.List;

/** Makes the volumes of pods from mounts of documents and projects. Pure. */
public final class PodMounts {
  private PodMounts() {}

  /**
   * Mounts volumes for a user, who sees the own sub-directory only of a claim of kind {@code pvc}.
   *
   * @param prefix of the names of the volumes
   */
  public static void mount(
      ObjectNode pod, ObjectNode container, String prefix, List<VolumeMount> mounts, String user) {
    int number = 0;
    for (VolumeMount mount : mounts) {
      String name = prefix + number++;
      volume(pod.withArrayProperty("volumes").addObject().put("name", name), mount);
      ObjectNode there = container.withArrayProperty("volumeMounts").addObject().put("name", name);
      switch (mount.kind()) {
        case PVC -> there.put("mountPath", mount.mountedAt(user)).put("subPath", user);
        case PVC_SHARE, STORAGE, HOSTPATH, MEMORY, CONFIGMAP, SECRET ->
            there.put("mountPath", mount.path());
      }
    }
  }

  private static void volume(ObjectNode volume, VolumeMount mount) {
    switch (mount.kind()) {
      case PVC, PVC_SHARE, STORAGE ->
          volume.putObject("persistentVolumeClaim").put("claimName", mount.source());
      case HOSTPATH -> volume.putObject("hostPath").put("path", mount.source());
      case MEMORY ->
          volume
              .putObject("emptyDir")
              .put("medium", "Memory")
              .put("sizeLimit", mount.memoryMebibytes().orElseThrow() + "Mi");
      case CONFIGMAP -> volume.putObject("configMap").put("name", mount.source());
      case SECRET -> volume.putObject("secret").put("secretName", mount.source());
    }
  }
}
