package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.workload.WorkloadSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes the volumes of a pod and their mounts. Pure. */
final class PodVolumes {
  private PodVolumes() {}

  /**
   * Mounts the volumes of a specification. Of a claim of kind {@code pvc} a user sees the own
   * sub-directory only.
   */
  static void mount(ObjectNode pod, ObjectNode container, WorkloadSpec spec) {
    mount(pod, container, spec.mounts().mounts(), spec.owner());
  }

  /** Mounts volumes for a user. */
  static void mount(ObjectNode pod, ObjectNode container, List<VolumeMount> mounts, String user) {
    int number = 0;
    for (VolumeMount mount : mounts) {
      String name = "volume-" + number++;
      volume(pod.withArrayProperty("volumes").addObject().put("name", name), mount);
      ObjectNode there = container.withArrayProperty("volumeMounts").addObject().put("name", name);
      switch (mount.kind()) {
        case PVC -> there.put("mountPath", mount.mountedAt(user)).put("subPath", user);
        case PVC_SHARE, STORAGE, HOSTPATH, MEMORY, CONFIGMAP, SECRET ->
            there.put("mountPath", mount.path());
      }
    }
  }

  /** Mounts the files of a specification, which stand in the Secret of the pod. */
  static void files(ObjectNode pod, ObjectNode container, String secret, WorkloadSpec spec) {
    if (spec.files().isEmpty()) {
      return;
    }
    ObjectNode source =
        pod.withArrayProperty("volumes")
            .addObject()
            .put("name", "config")
            .putObject("secret")
            .put("secretName", secret);
    keys(spec)
        .forEach((path, key) ->
            source.withArrayProperty("items").addObject().put("key", key).put("path", path));
    container
        .withArrayProperty("volumeMounts")
        .addObject()
        .put("name", "config")
        .put("mountPath", WorkloadSpec.FILES)
        .put("readOnly", true);
  }

  /** The keys of the files in a Secret, by path; no variable has such a name. */
  static Map<String, String> keys(WorkloadSpec spec) {
    Map<String, String> keys = new TreeMap<>();
    for (String path : new TreeSet<>(spec.files().keySet())) {
      keys.put(path, "file-" + keys.size());
    }
    return keys;
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
