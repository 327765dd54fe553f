package io.orrery.gateway.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.artifact.ArtifactPath;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Finding;
import io.orrery.gateway.http.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parts of models and versions from the bodies of requests. */
final class ModelFields {
  private static final int MOST_TAG = 5_000;
  private static final int MOST_TAG_NAME = 250;
  private static final int MOST_ALIASES = 20;
  private static final int MOST_PATH = 2_000;
  private static final Pattern DIGEST = Pattern.compile("(sha256:)?[0-9a-f]{64}");
  private static final List<String> SOURCE = List.of("experiment", "trial", "run", "step", "path");

  private final Fields fields;

  ModelFields(Fields fields) {
    this.fields = fields;
  }

  String description() {
    return Objects.requireNonNullElse(fields.text("description", Models.MOST_TEXT), "");
  }

  /** Texts by name; {@code otherwise} when the key is absent. */
  Map<String, String> tags(Map<String, String> otherwise) {
    ObjectNode object = fields.object("tags", Models.MOST_TAGS * (MOST_TAG + MOST_TAG_NAME));
    if (object.isEmpty() && !fields.has("tags")) {
      return otherwise;
    }
    Map<String, String> tags = new LinkedHashMap<>();
    object
        .properties()
        .forEach(entry -> {
          String name = entry.getKey();
          JsonNode value = entry.getValue();
          if (name.isBlank() || name.length() > MOST_TAG_NAME) {
            fields.wrong("tags", "the name of a tag has 1 to " + MOST_TAG_NAME + " characters");
          } else if (!value.isValueNode() || value.isNull() || value.asText().length() > MOST_TAG) {
            fields.wrong(
                "tags/" + name, "a tag is a text of at most %,d characters".formatted(MOST_TAG));
          } else {
            tags.put(name, value.asText());
          }
        });
    if (tags.size() > Models.MOST_TAGS) {
      fields.wrong("tags", "there are at most " + Models.MOST_TAGS + " tags");
    }
    return tags;
  }

  /** What the author says of a version; what is absent stays as before. */
  About about(About before) {
    return new About(
        Objects.requireNonNullElse(
            fields.word("stage", ModelStage::of, ModelStage.words()), before.stage()),
        Objects.requireNonNullElse(
            fields.text("description", Models.MOST_TEXT), before.description()),
        Objects.requireNonNullElse(fields.text("framework", 100), before.framework()),
        fields.has("metrics") ? metrics() : before.metrics(),
        before.source(),
        tags(before.tags()));
  }

  private String metrics() {
    ObjectNode metrics = fields.object("metrics", Models.MOST_TEXT);
    metrics
        .properties()
        .forEach(entry -> {
          JsonNode value = entry.getValue();
          if (!value.isNumber()
              && !List.of("NaN", "Infinity", "-Infinity").contains(value.asText())) {
            fields.wrong("metrics/" + entry.getKey(), "a metric is a number");
          }
        });
    return Json.write(metrics);
  }

  /** The name of a version: a text, or its number. */
  @Nullable VersionName version() {
    JsonNode value = fields.value("version");
    String text =
        value != null && value.isIntegralNumber() ? value.asText() : fields.text("version", 100);
    if (text != null && !VersionName.valid(text)) {
      fields.wrong("version", "'" + text + "' is no name of a version: " + VersionName.RULE);
      return null;
    }
    return text == null ? null : new VersionName(text);
  }

  @Nullable String path() {
    String path = fields.text("path", MOST_PATH);
    if (path != null && path.isBlank()) {
      fields.wrong("path", "path is a path or an address such as s3://models/digits");
    }
    return path;
  }

  List<ModelAlias> aliases() {
    List<String> texts = fields.texts("aliases", MOST_ALIASES);
    List<ModelAlias> aliases = new ArrayList<>();
    for (String text : texts == null ? List.<String>of() : texts) {
      if (ModelAlias.valid(text)) {
        aliases.add(new ModelAlias(text));
      } else {
        fields.wrong("aliases", "'" + text + "' is no alias: " + ModelAlias.RULE);
      }
    }
    return aliases;
  }

  /** The uploaded files, each {@code {path, digest}}. */
  List<ArtifactFile> files() {
    List<ArtifactFile> files = new ArrayList<>();
    JsonNode list = fields.value("files");
    if (list == null) {
      return files;
    }
    if (!(list instanceof ArrayNode) || list.size() > Artifacts.MOST_FILES) {
      fields.wrong(
          "files",
          "files is a list of at most %,d objects {path, digest}".formatted(Artifacts.MOST_FILES));
      return files;
    }
    Set<String> paths = new LinkedHashSet<>();
    for (int i = 0; i < list.size(); i++) {
      JsonNode file = list.path(i);
      String path = file.path("path").asText("");
      String digest = file.path("digest").asText("");
      if (!ArtifactPath.valid(path)) {
        fields.wrong("files/" + i + "/path", "'" + path + "' is no path: " + ArtifactPath.RULE);
      } else if (!paths.add(path)) {
        fields.wrong("files/" + i + "/path", "two files have the path '" + path + "'");
      } else if (!DIGEST.matcher(digest).matches()) {
        fields.wrong(
            "files/" + i + "/digest", "a digest is sha256: and 64 lower-case hexadecimal digits");
      } else {
        files.add(new ArtifactFile(path, digest.replace("sha256:", ""), 0));
      }
    }
    return files;
  }

  /** The source of a version: texts by the keys that it may have. */
  Map<String, String> source() {
    ObjectNode object = fields.object("source", Models.MOST_TEXT);
    Map<String, String> source = new LinkedHashMap<>();
    object
        .properties()
        .forEach(entry -> {
          String key = entry.getKey();
          if (!SOURCE.contains(key) || !entry.getValue().isTextual()) {
            fields.wrong(
                new Finding(
                    "/source/" + key, "a source has the texts " + String.join(", ", SOURCE)));
          } else {
            source.put(key, entry.getValue().asText());
          }
        });
    String experiment = source.get("experiment");
    if (experiment != null && !ExperimentId.valid(experiment)) {
      fields.wrong("source/experiment", "'" + experiment + "' is no id of an experiment");
      source.remove("experiment");
    }
    String trial = source.get("trial");
    if (trial != null && !TrialId.valid(trial)) {
      fields.wrong("source/trial", "'" + trial + "' is no id of a trial");
      source.remove("trial");
    }
    String path = source.get("path");
    if (path != null && !ArtifactPath.valid(path)) {
      fields.wrong("source/path", "'" + path + "' is no path: " + ArtifactPath.RULE);
    }
    return source;
  }
}
