package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The document of a model with its versions and aliases, compared with the model here. A version
 * that is there keeps its files: its description, stage, framework, metrics and tags may change.
 * Versions and aliases that the document does not name stay.
 */
final class ModelDocument {
  private static final List<String> OWN = List.of("kind", "project", "description", "tags");
  private static final List<String> ABOUT =
      List.of("description", "stage", "framework", "metrics", "tags");

  private final Api api;
  private final Resource one;
  private final ObjectNode body;
  private final @Nullable String project;
  private boolean changed;

  /**
   * @param project of a new model whose document names none; null for public
   */
  ModelDocument(Api api, String name, ObjectNode body, @Nullable String project) {
    this.api = api;
    this.one = Resource.of("models", name);
    this.body = body;
    this.project = body.has("project") ? null : project;
  }

  /** Sends it, or only checks it; whether the model is created, changed or unchanged. */
  String outcome(boolean check) {
    checkShape();
    Optional<JsonNode> present = api.find(one);
    ObjectNode own = body.deepCopy();
    own.remove(List.of("versions", "aliases"));
    if (present.isEmpty() || differs(present.get(), own, OWN)) {
      changed = true;
      api.put(one.with("dryRun", flag(check)).with("project", project), own);
    }
    Map<String, JsonNode> versions = new HashMap<>();
    if (present.isPresent()) {
      api.list(one.below("versions"), null)
          .forEach(version -> versions.put(version.path("version").asText(), version));
    }
    JsonNode wanted = body.path("versions");
    for (int i = 0; i < wanted.size(); i++) {
      version((ObjectNode) wanted.get(i), versions, "/versions/" + i, check);
    }
    aliases(present.map(model -> model.path("aliases")).orElse(own), versions, check);
    return present.isEmpty() ? "created" : changed ? "changed" : "unchanged";
  }

  private static @Nullable Boolean flag(boolean check) {
    return check ? Boolean.TRUE : null;
  }

  private void checkShape() {
    List<Finding> findings = new ArrayList<>();
    JsonNode versions = body.path("versions");
    if (!versions.isMissingNode() && !versions.isArray()) {
      findings.add(
          new Finding("/versions", "versions is a list such as [{version: v1, path: /models/a}]"));
    }
    for (int i = 0; i < versions.size(); i++) {
      if (!versions.get(i).isObject() || !versions.get(i).path("version").isValueNode()) {
        findings.add(
            new Finding("/versions/" + i, "the name of the version is missing: version: v1"));
      }
    }
    if (body.has("aliases") && !body.path("aliases").isObject()) {
      findings.add(new Finding("/aliases", "aliases is an object such as {production: v1}"));
    }
    if (!findings.isEmpty()) {
      throw new DocumentRefused(findings);
    }
  }

  private void version(
      ObjectNode wanted, Map<String, JsonNode> versions, String pointer, boolean check) {
    JsonNode present = versions.get(wanted.path("version").asText());
    if (present == null) {
      changed = true;
      placed(
          pointer,
          () ->
              api.post(
                  one.below("versions").with("dryRun", flag(check)).with("project", project),
                  wanted.toString(),
                  "application/json"));
      return;
    }
    if (wanted.has("path") && !present.path("path").equals(wanted.path("path"))) {
      throw new DocumentRefused(
          List.of(
              new Finding(
                  pointer + "/path",
                  "version %s has the path %s, which stays: give another version a new name"
                      .formatted(
                          wanted.path("version").asText(),
                          present.path("path").asText("of uploaded files")))));
    }
    if (differs(present, wanted, ABOUT)) {
      changed = true;
      ObjectNode about = wanted.deepCopy();
      about.retain(ABOUT);
      placed(
          pointer,
          () ->
              api.patch(
                  one.below("versions", wanted.path("version").asText())
                      .with("dryRun", flag(check)),
                  about));
    }
  }

  private void aliases(JsonNode present, Map<String, JsonNode> versions, boolean check) {
    List<String> coming =
        body.path("versions")
            .valueStream()
            .map(version -> version.path("version").asText())
            .collect(Collectors.toList());
    for (Map.Entry<String, JsonNode> alias : body.path("aliases").properties()) {
      String version = alias.getValue().asText();
      if (present.path(alias.getKey()).asText("").equals(version)) {
        continue;
      }
      changed = true;
      boolean promised = coming.contains(version) && !versions.containsKey(version);
      if (!check || !promised) {
        placed(
            "/aliases/" + alias.getKey(),
            () ->
                api.put(
                    one.below("aliases", alias.getKey()).with("dryRun", flag(check)),
                    JsonNodeFactory.instance.objectNode().put("version", version)));
      }
    }
  }

  /** Runs a request about a part of the document, and places its findings there. */
  private static void placed(String pointer, Runnable request) {
    try {
      request.run();
    } catch (ProblemResponse e) {
      List<Finding> findings =
          e.findings().isEmpty() ? List.of(new Finding("", e.text())) : e.findings();
      throw new DocumentRefused(
          findings.stream()
              .map(finding -> new Finding(pointer + finding.pointer(), finding.message()))
              .toList());
    }
  }

  /** Whether an object differs from a document in one of the keys that the document has. */
  private static boolean differs(JsonNode present, ObjectNode wanted, List<String> keys) {
    return keys.stream()
        .filter(key -> !key.equals("kind") && wanted.has(key))
        .anyMatch(key -> !present.path(key).equals(wanted.path(key)));
  }
}
