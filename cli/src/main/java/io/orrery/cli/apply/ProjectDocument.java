package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import java.util.Optional;

/** The document of a project, compared with the project here. */
final class ProjectDocument {
  private final Api api;
  private final Resource one;
  private final ObjectNode wanted;

  ProjectDocument(Api api, String name, ObjectNode body) {
    this.api = api;
    this.one = Resource.of("projects", name);
    this.wanted = body.deepCopy();
    this.wanted.remove("kind");
  }

  /** Sends it, or only checks it; whether the project is created, changed or unchanged. */
  String outcome(boolean check) {
    Optional<JsonNode> present = api.find(one);
    if (present.isPresent() && isSame(present.get())) {
      return "unchanged";
    }
    api.put(one.with("dryRun", check ? Boolean.TRUE : null), wanted);
    return present.isPresent() ? "changed" : "created";
  }

  /** The wanted settings as the server keeps them: without those that are empty. */
  private JsonNode settings() {
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    wanted
        .path("settings")
        .properties()
        .forEach(setting -> {
          if (!setting.getValue().asText().isBlank() || setting.getValue().isContainerNode()) {
            kept.set(setting.getKey(), setting.getValue());
          }
        });
    return kept;
  }

  private boolean isSame(JsonNode present) {
    JsonNode empty = JsonNodeFactory.instance.objectNode();
    return present.path("title").asText("").equals(wanted.path("title").asText(""))
        && present.path("settings").equals(settings())
        && present.path("quota").equals(wanted.has("quota") ? wanted.get("quota") : empty);
  }
}
