package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.JobState.Phase;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.util.List;

/**
 * A {@code batch/v1} Job of Kubernetes with one pod: needs no operator. It never tries again by
 * itself, and the cluster removes it some time after it has ended.
 *
 * @param keep seconds that an ended job stays, for people to look at
 */
public record PlainJob(long keep) implements JobKind {
  private static final ResourceType RESOURCE = new ResourceType("batch", "v1", "Job", "jobs");

  @Override
  public ResourceType resource() {
    return RESOURCE;
  }

  @Override
  public ObjectNode spec(List<RolePods> roles) {
    ObjectNode spec = Json.MAPPER.createObjectNode();
    spec.put("backoffLimit", 0)
        .put("completions", 1)
        .put("parallelism", 1)
        .put("ttlSecondsAfterFinished", keep)
        .set("template", roles.getFirst().template());
    return spec;
  }

  @Override
  public JobState state(JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("status").asText().equals("True")) {
        switch (condition.path("type").asText()) {
          case "Complete" -> {
            return Conditions.state(Phase.SUCCEEDED, condition);
          }
          case "Failed" -> {
            return Conditions.state(Phase.FAILED, condition);
          }
          case "Suspended" -> {
            return new JobState(Phase.WAITING, "its job is suspended", null);
          }
          default -> {}
        }
      }
    }
    return status.path("ready").intValue() > 0
        ? new JobState(Phase.RUNNING, null, PodView.time(status.path("startTime")))
        : JobState.unknown();
  }
}
