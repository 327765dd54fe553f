package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * The variables of a step in a pod. They lie in a Secret, because any may be a secret, and because
 * Kubernetes replaces {@code $(NAME)} and {@code $$} in values that stand in a pod. Pure.
 */
final class StepVariables {
  private StepVariables() {}

  /** The name of the Secret of a role of a job. */
  static String name(String job, Role role) {
    return job + "-" + role.name() + "-variables";
  }

  /** The {@code type} and {@code data} of the Secret. */
  static ObjectNode secret(Map<String, String> values) {
    ObjectNode secret = Json.MAPPER.createObjectNode().put("type", "Opaque");
    ObjectNode data = secret.putObject("data");
    values.forEach((name, value) -> {
      if (!PodFields.OF_STEPS.containsKey(name)) {
        data.put(name, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
      }
    });
    return secret;
  }

  /** Has a container take them from the Secret. */
  static void refer(ArrayNode env, Map<String, String> values, String secret) {
    values.keySet().stream()
        .filter(name -> !PodFields.OF_STEPS.containsKey(name))
        .forEach(name ->
            env.addObject()
                .put("name", name)
                .putObject("valueFrom")
                .putObject("secretKeyRef")
                .put("name", secret)
                .put("key", name));
    PodFields.OF_STEPS.forEach((name, path) -> PodFields.refer(env, name, path));
  }
}
