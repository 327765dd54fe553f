package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Json;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.NodePlacement;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.WorkloadRole;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A project as the pods of an experiment depend on it. It is a part of the settings of the
 * experiment's training service, so later changes of the project change nothing.
 *
 * @param name with whose accounts of registries images are pulled; null for none
 * @param user whose sub-directories of claims are mounted; empty for none
 * @param settings with the mounts and nodes of each pod
 */
public record ProjectPods(@Nullable ProjectName name, String user, ProjectSettings settings) {
  /** The key of the settings of a training service; no configuration may have it. */
  public static final String KEY = "ofProject";

  /** No project at all. */
  public static final ProjectPods NONE = new ProjectPods(null, "", ProjectSettings.NONE);

  /** Reads what {@link #written} has written, out of the settings of a training service. */
  static ProjectPods of(JsonNode settings) {
    JsonNode project = settings.path(KEY);
    return project.isObject()
        ? new ProjectPods(
            new ProjectName(project.path("name").asText()),
            project.path("user").asText(),
            ProjectSettings.read(project.path("settings").asText()).settings())
        : NONE;
  }

  /** The value of {@link #KEY}. */
  public Map<String, Object> written() {
    return Map.of("name", String.valueOf(name), "user", user, "settings", settings.text());
  }

  /** The mounts: without a user there are no sub-directories of users. */
  public Mounts mounts() {
    return user.isEmpty()
        ? new Mounts(
            settings.mounts().mounts().stream()
                .filter(mount -> mount.kind() != VolumeKind.PVC)
                .toList())
        : settings.mounts();
  }

  /**
   * The labels of the nodes of pods; null for any node.
   *
   * @param gpus of a pod
   */
  public @Nullable NodePlacement nodes(int gpus) {
    return settings.nodes(WorkloadRole.TRAIN, gpus);
  }

  /** The fields of a pod that the project decides, for a strategic merge. */
  ObjectNode template(String container, int gpus) {
    ObjectNode template = Json.MAPPER.createObjectNode();
    ObjectNode pod = template.putObject("spec");
    PodNodes.choose(pod, nodes(gpus));
    Mounts mounts = mounts();
    if (!mounts.mounts().isEmpty()) {
      ObjectNode main = pod.putArray("containers").addObject().put("name", container);
      PodMounts.mount(pod, main, "project-", mounts.mounts(), user);
    }
    return template;
  }
}
