package io.orrery.cli.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import io.orrery.core.tracking.TrackedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Puts runs of other trackers into the tracked runs of a server, by MLflow's API. A run carries the
 * id that it had as a tag, so a second import leaves out what is there and ends what was begun.
 */
final class TrackedUpload {
  private static final Resource MLFLOW = new Resource("/api/2.0/mlflow");
  private static final Resource ARTIFACTS = new Resource("/api/2.0/mlflow-artifacts/artifacts");
  private static final String ORIGIN = "orrery.imported";
  private static final String WHOLE = "orrery.imported.whole";
  private static final int POINTS = 1_000;
  private static final int TEXTS = 100;
  private static final int MOST_TAG = 8_000;
  private static final int MOST_PARAM = 6_000;
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private final Api api;
  private final String experiment;
  private final ForeignFiles files;

  /** The number of runs that were imported. */
  private long added;

  /** The number of runs that were there already. */
  private long present;

  private TrackedUpload(Api api, String experiment, ForeignFiles files) {
    this.api = api;
    this.experiment = experiment;
    this.files = files;
  }

  /**
   * Takes the experiment of a name, which is made when there is none.
   *
   * @param project null for public
   * @param files how artifacts are found
   */
  static TrackedUpload into(Api api, String name, @Nullable String project, ForeignFiles files) {
    Optional<JsonNode> found =
        api.find(MLFLOW.below("experiments", "get-by-name").with("experiment_name", name))
            .map(each -> each.path("experiment"))
            .filter(each -> project == null || project.equals(tag(each, "orrery.project")));
    if (found.isPresent()) {
      return new TrackedUpload(api, found.get().path("experiment_id").asText(), files);
    }
    ObjectNode body = MAKE.objectNode().put("name", name);
    if (project != null) {
      body.putArray("tags").addObject().put("key", "orrery.project").put("value", project);
    }
    return new TrackedUpload(
        api, post(api, body, "experiments", "create").path("experiment_id").asText(), files);
  }

  private static String tag(JsonNode experiment, String key) {
    for (JsonNode each : experiment.path("tags")) {
      if (each.path("key").asText().equals(key)) {
        return each.path("value").asText();
      }
    }
    return "public";
  }

  private static JsonNode post(Api api, JsonNode body, String... path) {
    return api.post(MLFLOW.below(path), body.toString(), "application/json");
  }

  long added() {
    return added;
  }

  long present() {
    return present;
  }

  /** Adds a run with all that it has. */
  void add(ForeignRun run) throws IOException {
    ObjectNode query =
        MAKE.objectNode()
            .put("filter", "tags.\"%s\" = '%s'".formatted(ORIGIN, run.id().replace("'", "")));
    query.putArray("experiment_ids").add(experiment);
    JsonNode runs = post(api, query, "runs", "search").path("runs");
    JsonNode here = runs.isEmpty() ? created(run) : runs.get(0);
    if (hasTag(here)) {
      present++;
      return;
    }
    String id = here.path("info").path("run_id").asText();
    log(id, run);
    upload(here.path("info").path("artifact_uri").asText(), run.artifacts());
    ObjectNode whole = MAKE.objectNode().put("run_id", id).put("key", WHOLE).put("value", "true");
    post(api, whole, "runs", "set-tag");
    ObjectNode end = MAKE.objectNode().put("run_id", id).put("status", run.status());
    Instant ended = run.ended();
    if (ended != null) {
      end.put("end_time", ended.toEpochMilli());
    }
    post(api, end, "runs", "update");
    added++;
  }

  private static boolean hasTag(JsonNode run) {
    for (JsonNode each : run.path("data").path("tags")) {
      if (each.path("key").asText().equals(WHOLE)) {
        return true;
      }
    }
    return false;
  }

  private JsonNode created(ForeignRun run) {
    ObjectNode body =
        MAKE.objectNode()
            .put("experiment_id", experiment)
            .put("run_name", run.name())
            .put("start_time", run.started().toEpochMilli());
    body.putArray("tags").addObject().put("key", ORIGIN).put("value", run.id().replace("'", ""));
    return post(api, body, "runs", "create").path("run");
  }

  private void log(String id, ForeignRun run) {
    List<ObjectNode> tags = new ArrayList<>();
    for (Map.Entry<String, String> each : run.tags().entrySet()) {
      if (!each.getKey().startsWith("mlflow.") || each.getKey().equals("mlflow.note.content")) {
        tags.add(pair(each, MOST_TAG));
      }
    }
    send(id, "tags", tags, TEXTS);
    send(
        id,
        "params",
        run.params().entrySet().stream().map(each -> pair(each, MOST_PARAM)).toList(),
        TEXTS);
    send(
        id,
        "metrics",
        run.points().stream()
            .map(point -> {
              ObjectNode metric = MAKE.objectNode().put("key", TrackedKey.of(point.key()));
              if (Double.isFinite(point.value())) {
                metric.put("value", point.value());
              } else {
                metric.put("value", Double.toString(point.value()));
              }
              return metric.put("timestamp", point.time().toEpochMilli()).put("step", point.step());
            })
            .toList(),
        POINTS);
  }

  private static ObjectNode pair(Map.Entry<String, String> entry, int most) {
    String value = entry.getValue();
    return MAKE.objectNode()
        .put("key", TrackedKey.of(entry.getKey()))
        .put("value", value.substring(0, Math.min(most, value.length())));
  }

  private void send(String run, String what, List<ObjectNode> all, int most) {
    for (int i = 0; i < all.size(); i += most) {
      ObjectNode body = MAKE.objectNode().put("run_id", run);
      ArrayNode part = body.putArray(what);
      all.subList(i, Math.min(all.size(), i + most)).forEach(part::add);
      post(api, body, "runs", "log-batch");
    }
  }

  private void upload(String uri, @Nullable Path artifacts) throws IOException {
    if (artifacts == null) {
      return;
    }
    String[] base = uri.replaceFirst("^mlflow-artifacts:/*", "").split("/");
    for (Path file : files.below(artifacts)) {
      Resource target = ARTIFACTS.below(base);
      for (Path name : artifacts.relativize(file)) {
        target = target.below(name.toString());
      }
      api.upload(target, file, Files.size(file), UnaryOperator.identity());
    }
  }
}
