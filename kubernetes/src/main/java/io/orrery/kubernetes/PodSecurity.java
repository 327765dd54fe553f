package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The security contexts with which a pod satisfies the level {@code restricted} of Kubernetes' Pod
 * Security Standards: not as root, without privileges, under the runtime's seccomp profile. An
 * image may name no user, or root, so a user is given, with a home and a name, which some libraries
 * ask for. Pure.
 */
public final class PodSecurity {
  private static final int USER = 1_000;

  /** The volumes that the level allows; with any other the pod could not satisfy it. */
  private static final Set<String> VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private PodSecurity() {}

  /**
   * Whether a pod could satisfy it, by what is merged into it. A role whose pod is another's whole
   * template is left as its author has it.
   *
   * @param own the role's template
   */
  public static boolean isPossible(List<ObjectNode> templates, ObjectNode own) {
    return !own.at("/spec/containers/0").has("image")
        && templates.stream()
            .flatMap(template -> template.at("/spec/volumes").valueStream())
            .allMatch(PodSecurity::isAllowed);
  }

  private static boolean isAllowed(JsonNode volume) {
    return volume.properties().stream()
        .map(Map.Entry::getKey)
        .allMatch(key -> key.equals("name") || key.startsWith("$") || VOLUMES.contains(key));
  }

  /** Restricts a pod; what its author merges into it later counts more. */
  public static void restrict(ObjectNode spec, ObjectNode container, ArrayNode env) {
    ObjectNode pod = spec.putObject("securityContext");
    pod.put("runAsNonRoot", true).put("runAsUser", USER).put("runAsGroup", USER);
    // Volumes of claims are given to this group, so that trials may write there.
    pod.put("fsGroup", USER).putObject("seccompProfile").put("type", "RuntimeDefault");
    restrict(container);
    env.addObject().put("name", "HOME").put("value", "/tmp");
    env.addObject().put("name", "USER").put("value", "trial");
  }

  /** Restricts a container. */
  public static void restrict(ObjectNode container) {
    ObjectNode context = container.putObject("securityContext");
    context.put("allowPrivilegeEscalation", false);
    context.putObject("capabilities").putArray("drop").add("ALL");
  }
}
