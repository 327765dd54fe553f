package io.orrery.core.project;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON with sorted keys, and checks that reading it gives an equal value. */
final class CanonicalJson {
  private static final ObjectWriter WRITER =
      Json.MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);

  private static final int MOST_KEY = 200;

  private CanonicalJson() {}

  static String write(JsonNode json) {
    try {
      return WRITER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("could not write JSON", e);
    }
  }

  /**
   * Adds a finding for every value that cannot be kept: too deep, a number that is not finite, a
   * text with half a character, a key that is too long.
   *
   * @param depth of the value, 1 for the settings themselves
   */
  static void check(JsonNode json, String pointer, int depth, List<Finding> findings) {
    if (depth > ProjectSettings.MOST_DEPTH && json.isContainerNode()) {
      findings.add(
          new Finding(
              pointer,
              "values are nested more than %d levels deep here, and no more are allowed"
                  .formatted(ProjectSettings.MOST_DEPTH)));
    } else if (json.isObject()) {
      for (Map.Entry<String, JsonNode> entry : json.properties()) {
        String fault = keyFault(entry.getKey());
        if (fault == null) {
          check(entry.getValue(), Pointer.child(pointer, entry.getKey()), depth + 1, findings);
        } else {
          findings.add(new Finding(pointer, fault));
        }
      }
    } else if (json.isArray()) {
      for (int i = 0; i < json.size(); i++) {
        check(json.get(i), Pointer.child(pointer, i), depth + 1, findings);
      }
    } else if (json.isNumber() && !Double.isFinite(json.doubleValue())) {
      findings.add(new Finding(pointer, "must be a finite number, which this is not as a double"));
    } else if (json.isTextual() && Characters.isBroken(json.textValue())) {
      findings.add(new Finding(pointer, "has half of a surrogate pair; write the whole character"));
    }
  }

  /** Says what is wrong with a key, as a finding of its object; null when nothing is. */
  static @Nullable String keyFault(String key) {
    if (key.length() > MOST_KEY) {
      return "the key %s has %,d characters, and at most %d are allowed"
          .formatted(Characters.quoted(key), key.length(), MOST_KEY);
    }
    return Characters.isBroken(key)
        ? "the key %s has half of a surrogate pair; write the whole character"
            .formatted(Characters.quoted(key))
        : null;
  }
}
