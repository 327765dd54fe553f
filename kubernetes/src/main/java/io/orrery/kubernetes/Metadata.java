package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object's {@code metadata} that are used here.
 *
 * @param name empty when there is none
 * @param version of the object's last change
 * @param deleted by when it is to be gone; null while it is not deleted
 */
public record Metadata(
    String name,
    @Nullable String version,
    @Nullable String deleted,
    Map<String, String> labels,
    Map<String, String> annotations) {

  public static Metadata of(JsonNode metadata) {
    return new Metadata(
        metadata.path("name").asText(),
        metadata.path("resourceVersion").textValue(),
        metadata.path("deletionTimestamp").textValue(),
        texts(metadata.path("labels")),
        texts(metadata.path("annotations")));
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }

  /** Reads the one that stands next; null when that is none. */
  public static @Nullable Metadata of(JsonScanner skim) {
    if (!skim.enter()) {
      skim.skip();
      return null;
    }
    String name = "";
    String version = null;
    String deleted = null;
    Map<String, String> labels = Map.of();
    Map<String, String> annotations = Map.of();
    for (String key = skim.key(); key != null; key = skim.key()) {
      switch (key) {
        case "name" -> {
          String given = skim.text();
          name = given == null ? "" : given;
        }
        case "resourceVersion" -> version = skim.text();
        case "deletionTimestamp" -> deleted = skim.text();
        case "labels" -> labels = skim.texts();
        case "annotations" -> annotations = skim.texts();
        default -> skim.skip();
      }
    }
    return new Metadata(name, version, deleted, labels, annotations);
  }
}
