package io.orrery.compute.frameworkcontroller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.compute.kubernetes.JobName;
import io.orrery.compute.kubernetes.JobState;
import io.orrery.compute.kubernetes.JobState.Phase;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Framework. It is never tried again by its controller, whose names take no dash.
 *
 * @param policies the completion policy of each role, by its name
 * @param barrier whether its pods wait for each other
 */
record Framework(Map<String, JsonNode> policies, boolean barrier) implements JobKind {
  static final String CONTAINER = "framework";

  private static final ResourceType RESOURCE =
      new ResourceType("frameworkcontroller.microsoft.com", "v1", "Framework", "frameworks");

  /**
   * Its object or pod was deleted by others, could not be created for now, or failed without a
   * container that had failed: evicted, or with its node.
   */
  private static final Set<Integer> LOST = Set.of(-100, -101, -120, -300);

  Framework {
    policies = Map.copyOf(policies);
  }

  @Override
  public ResourceType resource() {
    return RESOURCE;
  }

  @Override
  public String name(AttemptRef attempt) {
    return JobName.plain(attempt);
  }

  @Override
  public ObjectNode pod(String name, ExperimentId experiment) {
    return barrier ? Barrier.pod() : JobKind.super.pod(name, experiment);
  }

  @Override
  public ObjectNode spec(List<RolePods> roles) {
    ObjectNode spec = Json.MAPPER.createObjectNode();
    spec.put("executionType", "Start");
    never(spec.putObject("retryPolicy"));
    ArrayNode list = spec.putArray("taskRoles");
    for (RolePods each : roles) {
      JsonNode policy = policies.getOrDefault(each.role().name(), Json.MAPPER.nullNode());
      ObjectNode role = list.addObject();
      role.put("name", each.role().name()).put("taskNumber", each.role().pods());
      role.putObject("frameworkAttemptCompletionPolicy")
          .put("minFailedTaskCount", policy.path("minFailedTaskCount").asInt(1))
          .put("minSucceededTaskCount", policy.path("minSucceedTaskCount").asInt(-1));
      ObjectNode task = role.putObject("task");
      never(task.putObject("retryPolicy"));
      task.set("pod", each.template());
    }
    return spec;
  }

  private static void never(ObjectNode retryPolicy) {
    retryPolicy.put("fancyRetryPolicy", false).put("maxRetryCount", 0);
  }

  @Override
  public JobState state(JsonNode status) {
    JsonNode attempt = status.path("attemptStatus");
    JsonNode completion = attempt.path("completionStatus");
    if (completion.isObject()) {
      // How it ends is decided before its pods are deleted, and they end badly by that.
      return completed(status, completion);
    }
    return switch (status.path("state").asText()) {
      case "AttemptRunning",
          "AttemptDeletionPending",
          "AttemptDeletionRequested",
          "AttemptDeleting" ->
          new JobState(Phase.RUNNING, null, time(attempt.path("runTime")));
      case "Completed" -> completed(status, completion);
      default -> JobState.unknown();
    };
  }

  private static JobState completed(JsonNode status, JsonNode completion) {
    Instant at = time(status.path("completionTime"));
    if (completion.at("/type/name").asText().equals("Succeeded")) {
      return new JobState(Phase.SUCCEEDED, null, at, 0);
    }
    int code = completion.path("code").asInt();
    String phrase = completion.path("phrase").asText();
    String more = completion.path("diagnostics").asText().strip();
    String words = phrase + (phrase.isEmpty() || more.isEmpty() ? "" : ": ") + more;
    // Codes below 0 are the controller's own.
    if (LOST.contains(code)) {
      return new JobState(Phase.LOST, words.isEmpty() ? "the cluster took its pod" : words, at);
    }
    return new JobState(
        Phase.FAILED, words.isEmpty() ? null : words, at, code > 0 ? Integer.valueOf(code) : null);
  }

  private static @Nullable Instant time(JsonNode text) {
    try {
      return text.isTextual() ? Instant.parse(text.textValue()) : null;
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
