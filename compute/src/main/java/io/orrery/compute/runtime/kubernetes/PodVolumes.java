package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.PodMounts;
import io.orrery.core.workload.WorkloadSpec;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes the volumes of a pod and their mounts. Pure. */
final class PodVolumes {
  /** Of the names of volumes. */
  static final String PREFIX = "volume-";

  private PodVolumes() {}

  /**
   * Mounts the volumes of a specification. Of a claim of kind {@code pvc} a user sees the own
   * sub-directory only.
   */
  static void mount(ObjectNode pod, ObjectNode container, WorkloadSpec spec) {
    PodMounts.mount(pod, container, PREFIX, spec.mounts().mounts(), spec.owner());
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
}
