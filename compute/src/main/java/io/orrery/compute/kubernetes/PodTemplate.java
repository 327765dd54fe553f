package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.service.Keepers;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.PodSecurity;
import io.orrery.kubernetes.StrategicMerge;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The pod of a role: the keeper in the user's image, what it must know as environment, the token of
 * the attempt from a Secret. A pod is never restarted in place: a retry is an attempt of its own.
 */
final class PodTemplate {
  static final String GPU = "nvidia.com/gpu";

  /** More than a keeper's grace and farewell together. */
  private static final int GRACE_SECONDS = 40;

  private PodTemplate() {}

  /**
   * @param values the variables of the keeper, as {@link #variables} has them
   * @param step whether they lie in a Secret of {@link StepVariables}
   * @param job the attempt's name in the cluster, and that of its token in the Secret
   * @param labels of the attempt
   * @param secret where its token lies
   */
  static ObjectNode of(
      Blueprint blueprint,
      Role role,
      Keepers.Launch launch,
      Map<String, String> values,
      boolean step,
      AttemptRef attempt,
      String job,
      Map<String, String> labels,
      String secret) {
    ObjectNode template = Json.MAPPER.createObjectNode();
    ObjectNode metadata = template.putObject("metadata");
    ObjectNode tags = metadata.putObject("labels");
    labels.forEach(tags::put);
    tags.put(Labels.JOB, job).put(Labels.ROLE, role.name());
    metadata
        .putObject("annotations")
        .put("kubectl.kubernetes.io/default-container", blueprint.container());

    ObjectNode spec = template.putObject("spec");
    spec.put("restartPolicy", "Never");
    spec.put("terminationGracePeriodSeconds", GRACE_SECONDS);
    spec.put("enableServiceLinks", false);
    String account = blueprint.serviceAccount();
    if (account == null) {
      // The user's code needs no key to the cluster.
      spec.put("automountServiceAccountToken", false);
    } else {
      spec.put("serviceAccountName", account);
    }
    if (role.pullSecret() != null) {
      spec.putArray("imagePullSecrets").addObject().put("name", PullSecret.name(job, role));
    }
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", blueprint.container()).put("image", role.image());
    ArrayNode command = container.putArray("command");
    launch.command().forEach(command::add);
    Storage storage = blueprint.storage();
    if (storage != null) {
      storage.mount(attempt.trial().experiment(), spec, container);
    }
    String inImage = role.imageDirectory();
    if (inImage != null) {
      container.put("workingDir", inImage);
    }
    ArrayNode env = container.putArray("env");
    token(env, secret, job);
    environment(env, step ? Map.of() : values);
    if (step) {
      StepVariables.refer(env, values, StepVariables.name(job, role));
    }
    resources(container, role);
    ObjectNode ofKind = blueprint.kind().pod(job, attempt.trial().experiment());
    Integer gpus = role.gpus();
    ObjectNode ofProject =
        blueprint.project().template(blueprint.container(), gpus == null ? 0 : gpus);
    List<ObjectNode> all = List.of(template, ofProject, ofKind, blueprint.pod(), role.template());
    if (PodSecurity.isPossible(all, role.template())) {
      PodSecurity.restrict(spec, container, env);
    }
    StrategicMerge.into(template, ofProject);
    StrategicMerge.into(template, ofKind);
    StrategicMerge.into(template, blueprint.pod());
    StrategicMerge.into(template, named(role.template(), blueprint.container()));
    return template;
  }

  /** A role's own template, whose only container without a name is the one that matters. */
  private static ObjectNode named(ObjectNode own, String container) {
    ObjectNode named = own.deepCopy();
    for (JsonNode each : named.at("/spec/containers")) {
      if (each instanceof ObjectNode only && !each.has("name")) {
        only.put("name", container);
      }
    }
    return named;
  }

  private static void token(ArrayNode env, String secret, String key) {
    env.addObject()
        .put("name", "ORRERY_TRIAL_TOKEN")
        .putObject("valueFrom")
        .putObject("secretKeyRef")
        .put("name", secret)
        .put("key", key);
  }

  /** The variables of the keeper of a role, but for its token and its pod. */
  static Map<String, String> variables(
      Blueprint blueprint, Role role, Keepers.Launch launch, AttemptRef attempt) {
    Map<String, String> values = launch.calling(blueprint.callback());
    if (blueprint.storage() != null) {
      values.put("ORRERY_OUTPUT_DIRECTORY", Storage.directory(attempt));
    }
    Integer gpus = role.gpus();
    if (gpus != null && gpus == 0) {
      // A pod that asks for no GPU is shown all of them by the device plugin.
      values.put("CUDA_VISIBLE_DEVICES", "-1");
      values.put("NVIDIA_VISIBLE_DEVICES", "none");
    }
    return values;
  }

  private static void environment(ArrayNode env, Map<String, String> values) {
    PodFields.refer(env, "ORRERY_KEEPER_POD", "metadata.name");
    // Kubernetes reads $$ and $(NAME), which are the shell's here.
    values.forEach(
        (name, value) -> env.addObject().put("name", name).put("value", value.replace("$", "$$")));
  }

  private static void resources(ObjectNode container, Role role) {
    ObjectNode amounts = Json.MAPPER.createObjectNode();
    Double cpus = role.cpus();
    if (cpus != null) {
      amounts.put("cpu", BigDecimal.valueOf(cpus).stripTrailingZeros().toPlainString());
    }
    if (role.memory() != null) {
      amounts.put("memory", role.memory() + "Mi");
    }
    if (role.gpus() != null && role.gpus() > 0) {
      amounts.put(GPU, role.gpus().toString());
    }
    if (!amounts.isEmpty()) {
      ObjectNode resources = container.putObject("resources");
      resources.set("requests", amounts);
      resources.set("limits", amounts.deepCopy());
    }
  }
}
