package io.orrery.gateway.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.bus.contract.Models.Content;
import io.orrery.core.bus.contract.Models.Model;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.json.Json;
import io.orrery.core.model.VersionName;
import io.orrery.gateway.http.Wire;
import java.util.Map;

/** The JSON of models and their versions. */
final class ModelShape {
  private ModelShape() {}

  static ObjectNode of(Model model) {
    VersionName latest = model.latest();
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("kind", "Model")
            .put("name", model.name().value())
            .put("project", model.project().value())
            .put("owner", model.owner())
            .put("description", model.description());
    shape.set("tags", tags(model.tags()));
    ObjectNode aliases = shape.putObject("aliases");
    model.aliases().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> aliases.put(entry.getKey().value(), entry.getValue().value()));
    return shape
        .put("latest", latest == null ? null : latest.value())
        .put("createdAt", Wire.time(model.createdAt()))
        .put("changedAt", Wire.time(model.changedAt()))
        .put("revision", model.revision());
  }

  static ObjectNode of(Version version) {
    About about = version.about();
    Content content = version.content();
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("model", version.model().value())
            .put("version", version.version().value())
            .put("number", version.number())
            .put("project", version.project().value())
            .put("owner", version.owner())
            .put("stage", about.stage().word())
            .put("description", about.description())
            .put("framework", about.framework())
            .put("path", content.path())
            .put("artifact", content.digest() == null ? null : "sha256:" + content.digest())
            .put("files", content.files())
            .put("bytes", content.bytes());
    shape.set("metrics", Json.parse(about.metrics()));
    shape.set("source", Json.parse(about.source()));
    shape.set("tags", tags(about.tags()));
    ArrayNode aliases = shape.putArray("aliases");
    version.aliases().forEach(alias -> aliases.add(alias.value()));
    return shape
        .put("createdAt", Wire.time(version.createdAt()))
        .put("changedAt", Wire.time(version.changedAt()))
        .put("revision", version.revision());
  }

  static ObjectNode of(ArtifactFile file) {
    return Json.MAPPER
        .createObjectNode()
        .put("path", file.path())
        .put("digest", "sha256:" + file.digest())
        .put("bytes", file.bytes());
  }

  private static ObjectNode tags(Map<String, String> tags) {
    ObjectNode shape = Json.MAPPER.createObjectNode();
    tags.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> shape.put(entry.getKey(), entry.getValue()));
    return shape;
  }
}
