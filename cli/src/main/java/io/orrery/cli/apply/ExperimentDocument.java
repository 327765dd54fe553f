package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The document of an experiment: the keys of an experiment file, and a name, which becomes the
 * experiment's id. One that is there may change in its limits and its search space alone.
 */
final class ExperimentDocument {
  private static final Set<String> CHANGEABLE =
      Set.of(
          "trialConcurrency",
          "maxTrialNumber",
          "maxExperimentDuration",
          "maxFailedTrials",
          "maxFailuresInRow",
          "searchSpace");

  private static final List<String> REPEATED = List.of("trialCommand", "trialCodeDirectory");

  private final Api api;
  private final Manifest manifest;
  private final ObjectNode file;
  private final @Nullable String project;

  /**
   * @param project of a new experiment whose document names none; null for public
   */
  ExperimentDocument(Api api, Manifest manifest, ObjectNode body, @Nullable String project) {
    this.api = api;
    this.manifest = manifest;
    this.file = body.deepCopy();
    this.project = body.has("project") ? null : project;
    file.remove(List.of("kind", "name"));
  }

  /** Sends it, or only checks it; whether the experiment is created, changed or unchanged. */
  String outcome(boolean check) {
    Resource one = Resource.of("experiments", manifest.name());
    Optional<JsonNode> present = api.find(one);
    if (present.isPresent()) {
      checkProject(present.get());
      ObjectNode changes = changes(present.get().path("config"), config());
      if (!changes.isEmpty() && !check) {
        api.patch(one, changes);
      }
      return changes.isEmpty() ? "unchanged" : "changed";
    }
    post(check, manifest.name());
    return "created";
  }

  private void checkProject(JsonNode present) {
    String wanted = file.path("project").asText("");
    if (!wanted.isEmpty() && !wanted.equals(present.path("project").asText())) {
      throw new DocumentRefused(
          List.of(
              new Finding(
                  "/project",
                  "the experiment is in the project %s and stays there: give the document another name"
                      .formatted(present.path("project").asText()))));
    }
  }

  /** The whole configuration that the server makes of the document. */
  private JsonNode config() {
    return post(true, null).path("config");
  }

  private JsonNode post(boolean check, @Nullable String id) {
    return api.post(
        Resource.of("experiments")
            .with("base", manifest.folder() == null ? null : manifest.folder().toAbsolutePath())
            .with("dryRun", check ? Boolean.TRUE : null)
            .with("id", id)
            .with("project", project),
        file.toString(),
        "application/json");
  }

  /** The value of a key, without what the server repeats in the training service. */
  private static JsonNode own(JsonNode config, String key) {
    return key.equals("trainingService") && config.path(key).isObject()
        ? ((ObjectNode) config.path(key).deepCopy()).without(REPEATED)
        : config.path(key);
  }

  private static ObjectNode changes(JsonNode present, JsonNode wanted) {
    Set<String> keys = new TreeSet<>();
    present.fieldNames().forEachRemaining(keys::add);
    wanted.fieldNames().forEachRemaining(keys::add);
    keys.removeIf(key -> own(present, key).equals(own(wanted, key)));
    List<Finding> findings = new ArrayList<>();
    ObjectNode changes = JsonNodeFactory.instance.objectNode();
    for (String key : keys) {
      if (CHANGEABLE.contains(key) && wanted.has(key)) {
        changes.set(key, wanted.get(key));
      } else {
        findings.add(
            new Finding(
                "/" + key,
                "%s of an experiment that is there stays: give the document another name"
                    .formatted(key)));
      }
    }
    if (!findings.isEmpty()) {
      throw new DocumentRefused(findings);
    }
    return changes;
  }
}
