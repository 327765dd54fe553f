package io.orrery.compute.kubeflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.Conditions;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.compute.kubernetes.JobState;
import io.orrery.compute.kubernetes.JobState.Phase;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.util.List;
import java.util.Map;

/**
 * A TFJob or a PyTorchJob. Its pods are never started again: retries are ours, under a new name.
 *
 * @param version in which the cluster serves it
 * @param keep seconds that an ended job stays
 */
record OperatorJob(Operator operator, String version, long keep) implements JobKind {
  /** In the order in which a job comes to them; a later one outweighs an earlier. */
  private static final List<String> CONDITIONS =
      List.of("Created", "Suspended", "Running", "Restarting", "Failed", "Succeeded");

  private static final Map<String, Phase> PHASES =
      Map.of(
          "Created", Phase.WAITING,
          "Suspended", Phase.WAITING,
          "Running", Phase.RUNNING,
          "Restarting", Phase.RUNNING,
          "Failed", Phase.FAILED,
          "Succeeded", Phase.SUCCEEDED);

  @Override
  public ResourceType resource() {
    return operator.resource(version);
  }

  @Override
  public ObjectNode spec(List<RolePods> roles) {
    ObjectNode spec = Json.MAPPER.createObjectNode();
    ObjectNode policy = version.equals("v1") ? spec.putObject("runPolicy") : spec;
    // What still runs when the job is over, such as parameter servers, goes.
    policy.put("cleanPodPolicy", "Running").put("ttlSecondsAfterFinished", keep);
    if (!version.equals("v1alpha2")) {
      policy.put("backoffLimit", 0);
    }
    ObjectNode replicas = spec.putObject(operator.replicas);
    for (RolePods each : roles) {
      replicas
          .putObject(Operator.replica(each.role().name()))
          .put("replicas", each.role().pods())
          .put("restartPolicy", "Never")
          .set("template", each.template());
    }
    return spec;
  }

  /** Running stays in the list, as False, when a job is over; it may never have been there. */
  @Override
  public JobState state(JsonNode status) {
    JobState state = JobState.unknown();
    int weight = -1;
    for (JsonNode condition : status.path("conditions")) {
      String type = condition.path("type").asText();
      int own = CONDITIONS.indexOf(type);
      if (condition.path("status").asText().equals("True") && own > weight) {
        weight = own;
        JobState said = Conditions.state(PHASES.getOrDefault(type, Phase.WAITING), condition);
        // "Created" is no reason to wait.
        state = type.equals("Created") ? new JobState(Phase.WAITING, null, said.at()) : said;
      }
    }
    return state;
  }
}
