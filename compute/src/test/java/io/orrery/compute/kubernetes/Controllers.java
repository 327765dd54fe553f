package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The controllers of a {@link MockCluster}: each makes the pods of its kind, and its status. */
final class Controllers {
  /** 128 and SIGTERM. */
  private static final int TERMINATED = 143;

  private final MockCluster cluster;

  Controllers(MockCluster cluster) {
    this.cluster = cluster;
  }

  void created(JsonNode object) {
    String name = object.at("/metadata/name").asText();
    switch (object.path("kind").asText()) {
      case "Job" -> {
        status(object, Json.MAPPER.createObjectNode().put("active", 1), List.of());
        cluster.pod(object, name + "-x7k2p", object.at("/spec/template"), Map.of());
      }
      case "TFJob" -> operator(object, "tfReplicaSpecs");
      case "PyTorchJob" -> operator(object, "pytorchReplicaSpecs");
      case "AdaptDLJob" -> replica(object, 0);
      case "Pod" -> cluster.barePods().created(object);
      case "Framework" -> {
        state(object, "AttemptPreparing", null);
        for (JsonNode role : object.at("/spec/taskRoles")) {
          for (int i = 0; i < role.path("taskNumber").intValue(); i++) {
            cluster.pod(
                object,
                name + "-" + role.path("name").asText() + "-" + i,
                role.at("/task/pod"),
                Map.of(
                    "FC_TASKROLE_NAME", role.path("name").asText(),
                    "FC_TASK_INDEX", Integer.toString(i)));
          }
        }
      }
      default -> {}
    }
  }

  /** Names and environment as the training operators give them. */
  private void operator(JsonNode object, String replicas) {
    String name = object.at("/metadata/name").asText();
    String kind = object.path("kind").asText();
    status(
        object,
        Json.MAPPER.createObjectNode(),
        List.of(condition("Created", kind + "Created", "")));
    int rank = 0;
    for (Map.Entry<String, JsonNode> replica : object.path("spec").path(replicas).properties()) {
      String type = replica.getKey().toLowerCase(Locale.ROOT);
      for (int i = 0; i < replica.getValue().path("replicas").intValue(); i++) {
        Map<String, String> environment =
            kind.equals("TFJob")
                ? Map.of(
                    "TF_CONFIG",
                    "{\"cluster\":{},\"task\":{\"type\":\"%s\",\"index\":%d}}".formatted(type, i))
                : Map.of("RANK", Integer.toString(type.equals("master") ? 0 : ++rank));
        cluster.pod(
            object, name + "-" + type + "-" + i, replica.getValue().path("template"), environment);
      }
    }
  }

  void podChanged(JsonNode owner) {
    switch (owner.path("kind").asText()) {
      case "Job" -> job(owner);
      case "TFJob", "PyTorchJob" -> operated(owner);
      case "Framework" -> framework(owner);
      case "AdaptDLJob" -> adaptive(owner);
      default -> {}
    }
  }

  /** Whether a job is decided, which stays so whatever becomes of the pods that are left. */
  private boolean isOver(JsonNode owner) {
    return cluster
        .get(path(owner))
        .at("/status/conditions")
        .valueStream()
        .anyMatch(condition ->
            condition.path("status").asText().equals("True")
                && List.of("Complete", "Succeeded", "Failed")
                    .contains(condition.path("type").asText()));
  }

  private void job(JsonNode owner) {
    if (isOver(owner)) {
      return;
    }
    if (pods(owner).isEmpty()) {
      // Its backoff limit is 0, and a pod that was deleted counts as one that failed.
      failed(owner);
    }
    for (JsonNode pod : pods(owner)) {
      switch (pod.at("/status/phase").asText()) {
        case "Running" ->
            status(
                owner, Json.MAPPER.createObjectNode().put("active", 1).put("ready", 1), List.of());
        case "Succeeded" ->
            status(
                owner,
                Json.MAPPER.createObjectNode().put("succeeded", 1),
                List.of(condition("Complete", "", "")));
        case "Failed" -> failed(owner);
        default -> {}
      }
    }
  }

  private void failed(JsonNode job) {
    status(
        job,
        Json.MAPPER.createObjectNode().put("failed", 1),
        List.of(
            condition(
                "Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit")));
  }

  /** Chief, master or worker 0 decides; what still runs then is removed. */
  private void operated(JsonNode owner) {
    if (isOver(owner)) {
      return;
    }
    String kind = owner.path("kind").asText();
    List<JsonNode> pods = pods(owner);
    JsonNode chief =
        pods.stream()
            .filter(pod -> pod.at("/metadata/name").asText().matches(".*-(chief|master)-0"))
            .findFirst()
            .or(() ->
                pods.stream()
                    .filter(pod -> pod.at("/metadata/name").asText().endsWith("-worker-0"))
                    .findFirst())
            .orElse(Json.MAPPER.createObjectNode());
    boolean failed = pods.stream().anyMatch(pod -> phase(pod).equals("Failed"));
    ObjectNode created = condition("Created", kind + "Created", "");
    if (failed || phase(chief).equals("Succeeded")) {
      String end = failed ? "Failed" : "Succeeded";
      ObjectNode running = condition("Running", kind + "Running", "").put("status", "False");
      status(
          owner,
          Json.MAPPER.createObjectNode(),
          List.of(created, running, condition(end, kind + end, "")));
      for (JsonNode pod : pods) {
        if (phase(pod).equals("Running")) {
          cluster.remove(pod);
        }
      }
    } else if (phase(chief).equals("Running")) {
      status(
          owner,
          Json.MAPPER.createObjectNode(),
          List.of(created, condition("Running", kind + "Running", "")));
    }
  }

  /** One replica, which begins again on other nodes when it is ended by SIGTERM. */
  private void replica(JsonNode job, int restarts) {
    phase(job, "Pending");
    phase(job, "Starting");
    String name = job.at("/metadata/name").asText();
    cluster.pod(
        job,
        name + "-" + restarts + "-0",
        job.at("/spec/template"),
        Map.of(
            "ADAPTDL_REPLICA_RANK",
            "0",
            "ADAPTDL_NUM_RESTARTS",
            Integer.toString(restarts),
            "ADAPTDL_JOB_ID",
            "trials/" + name));
  }

  private void adaptive(JsonNode owner) {
    for (JsonNode pod : pods(owner)) {
      int code = pod.at("/status/containerStatuses/0/state/terminated/exitCode").asInt();
      switch (phase(pod)) {
        case "Running" -> phase(owner, "Running");
        case "Succeeded" -> phase(owner, "Succeeded");
        case "Failed" -> {
          JsonNode job = cluster.get(path(owner));
          if (code == TERMINATED && job.at("/spec/preemptible").booleanValue()) {
            phase(owner, "Stopping");
            cluster.remove(pod);
            String[] name = pod.at("/metadata/name").asText().split("-");
            replica(job, Integer.parseInt(name[name.length - 2]) + 1);
          } else {
            phase(owner, "Failed");
          }
        }
        default -> {}
      }
    }
  }

  private void phase(JsonNode owner, String phase) {
    status(owner, Json.MAPPER.createObjectNode().put("phase", phase), List.of());
  }

  /**
   * A role ends the Framework when so many of its tasks have failed, or succeeded, as its policy
   * says; else it ends when all have. How is decided before its pods go, and stays.
   */
  private void framework(JsonNode owner) {
    JsonNode object = cluster.get(path(owner));
    List<JsonNode> pods = pods(owner);
    JsonNode decided = object.at("/status/attemptStatus/completionStatus");
    if (decided.isObject()) {
      if (pods.isEmpty() && !object.at("/status/state").asText().equals("Completed")) {
        state(owner, "Completed", decided.path("code").intValue());
      }
      return;
    }
    Integer code = completion(object, pods);
    if (code != null) {
      state(owner, "AttemptDeletionPending", code);
      pods.forEach(cluster::remove);
    } else if (pods.stream().anyMatch(pod -> phase(pod).equals("Running"))) {
      state(owner, "AttemptRunning", null);
    }
  }

  /** The exit code of a Framework that has come to its end; null while it has not. */
  private static @Nullable Integer completion(JsonNode framework, List<JsonNode> pods) {
    for (JsonNode role : framework.at("/spec/taskRoles")) {
      String marker = "-" + role.path("name").asText() + "-";
      List<JsonNode> own =
          pods.stream().filter(pod -> pod.at("/metadata/name").asText().contains(marker)).toList();
      List<JsonNode> failed = own.stream().filter(pod -> phase(pod).equals("Failed")).toList();
      long succeeded = own.stream().filter(pod -> phase(pod).equals("Succeeded")).count();
      JsonNode policy = role.path("frameworkAttemptCompletionPolicy");
      int most = policy.path("minFailedTaskCount").intValue();
      int enough = policy.path("minSucceededTaskCount").intValue();
      if (most > 0 && failed.size() >= most) {
        return failed
            .getFirst()
            .at("/status/containerStatuses/0/state/terminated/exitCode")
            .asInt(-300);
      }
      if (enough > 0 && succeeded >= enough) {
        return 0;
      }
    }
    boolean all = !pods.isEmpty() && pods.stream().allMatch(pod -> phase(pod).equals("Succeeded"));
    return all ? 0 : null;
  }

  private void state(JsonNode owner, String state, @Nullable Integer code) {
    ObjectNode status = Json.MAPPER.createObjectNode().put("state", state);
    ObjectNode attempt = status.putObject("attemptStatus").put("runTime", MockCluster.now());
    if (code != null) {
      if (state.equals("Completed")) {
        status.put("completionTime", MockCluster.now());
      }
      ObjectNode completion = attempt.putObject("completionStatus").put("code", code);
      completion.put("phrase", code == 0 ? "Succeeded" : "ContainerExited");
      completion.putObject("type").put("name", code == 0 ? "Succeeded" : "Failed");
    }
    status(owner, status, List.of());
  }

  private static String phase(JsonNode pod) {
    return pod.at("/status/phase").asText();
  }

  private List<JsonNode> pods(JsonNode owner) {
    String namespace = owner.at("/metadata/namespace").asText();
    String uid = owner.at("/metadata/uid").asText();
    return cluster.list(MockCluster.path("v1", namespace, "pods")).stream()
        .filter(pod -> pod.at("/metadata/ownerReferences/0/uid").asText().equals(uid))
        .toList();
  }

  private void status(JsonNode owner, ObjectNode status, List<ObjectNode> conditions) {
    status.put("startTime", MockCluster.now());
    if (!conditions.isEmpty()) {
      ArrayNode list = status.putArray("conditions");
      conditions.forEach(list::add);
    }
    cluster.setStatus(path(owner), status);
  }

  private static String path(JsonNode owner) {
    String plural = owner.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
    return MockCluster.path(
            owner.path("apiVersion").asText(), owner.at("/metadata/namespace").asText(), plural)
        + "/"
        + owner.at("/metadata/name").asText();
  }

  private static ObjectNode condition(String type, String reason, String message) {
    return Json.MAPPER
        .createObjectNode()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", MockCluster.now());
  }
}
