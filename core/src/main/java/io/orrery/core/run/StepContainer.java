package io.orrery.core.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.project.NodePlacement;
import io.orrery.core.trial.Parameters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The container that a step runs in, as the settings of the training service {@code container} or
 * {@code pods}.
 *
 * @param cluster a cluster of the server's configuration that runs containers
 * @param mounts further directories, as a document has them; empty for none
 * @param milliCores the most that it may use; 0 for no limit
 * @param bytes of memory that it may use; 0 for no limit
 * @param user whose sub-directory of a volume is mounted; empty while it is not known
 * @param team the pods that are the step together; null for one
 * @param nodes the labels of the machines that may run it; null for any machine
 */
public record StepContainer(
    String cluster,
    String image,
    String mounts,
    long milliCores,
    long bytes,
    String user,
    @Nullable StepTeam team,
    @Nullable NodePlacement nodes) {
  /** The name of the training service of containers of this machine. */
  public static final String PLATFORM = "container";

  /** The setting of a step whose pod may make namespaces of users, as a build of an image does. */
  public static final String BUILDS = "builds";

  /** The name of the training service of pods of Kubernetes clusters. */
  public static final String PODS = "pods";

  /** The training services whose settings are made here; those of others may have images too. */
  private static final List<String> OWN = List.of(PLATFORM, PODS, StepWork.SERVER);

  private static final String NODES = "nodes";

  /** Reads settings that {@link #settings} has made. */
  public static StepContainer of(JsonNode settings) {
    return new StepContainer(
        settings.path("cluster").asText(),
        settings.path("image").asText(),
        settings.path("mounts").asText(),
        settings.path("milliCores").asLong(),
        settings.path("bytes").asLong(),
        settings.path("user").asText(),
        StepTeam.of(settings.path("team")),
        nodes(settings.path(NODES)));
  }

  /** The container of a step; null for a program of the machine itself. */
  public static @Nullable StepContainer in(StepSpec step) {
    return OWN.contains(step.platform()) && step.settings().values().containsKey("image")
        ? of(Json.MAPPER.valueToTree(step.settings()))
        : null;
  }

  /** The same container of a step of a user. */
  public StepContainer of(String owner) {
    return new StepContainer(cluster, image, mounts, milliCores, bytes, owner, team, nodes);
  }

  private static @Nullable NodePlacement nodes(JsonNode settings) {
    return settings.isObject() ? Json.MAPPER.convertValue(settings, NodePlacement.class) : null;
  }

  /** The settings of the training service. */
  public Parameters settings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("cluster", cluster);
    settings.put("image", image);
    settings.put("mounts", mounts);
    settings.put("milliCores", milliCores);
    settings.put("bytes", bytes);
    if (!user.isEmpty()) {
      settings.put("user", user);
    }
    if (team != null) {
      settings.put("team", team.settings());
    }
    if (nodes != null) {
      settings.put(NODES, Map.of("nodeSelector", nodes.nodeSelector(), "orgs", nodes.orgs()));
    }
    return new Parameters(settings);
  }
}
