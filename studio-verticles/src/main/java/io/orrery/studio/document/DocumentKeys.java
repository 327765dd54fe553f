package io.orrery.studio.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.text.Nearest;
import io.orrery.core.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A reader of the keys of one object of a document, which collects findings. */
public final class DocumentKeys {
  private final ObjectNode json;
  private final String pointer;
  private final Consumer<Finding> findings;

  private DocumentKeys(ObjectNode json, String pointer, Consumer<Finding> findings) {
    this.json = json;
    this.pointer = pointer;
    this.findings = findings;
  }

  /**
   * Reads an object.
   *
   * @param pointer to it, empty for the document itself
   * @param known the keys that it may have; others are findings
   */
  public static DocumentKeys of(
      ObjectNode json, String pointer, List<String> known, Consumer<Finding> findings) {
    DocumentKeys keys = new DocumentKeys(json, pointer, findings);
    json.fieldNames()
        .forEachRemaining(key -> {
          if (!known.contains(key)) {
            keys.wrong(key, "there is no key '" + key + "' here" + Nearest.hint(key, known));
          }
        });
    return keys;
  }

  public void wrong(String key, String message) {
    findings.accept(new Finding(Pointer.child(pointer, key), message));
  }

  /** The pointer to the value of a key. */
  public String pointer(String key) {
    return Pointer.child(pointer, key);
  }

  /** The pointer to the object itself; empty for the document. */
  public String pointer() {
    return pointer;
  }

  /** Where findings go. */
  public Consumer<Finding> findings() {
    return findings;
  }

  /** The value of a key; null when it is absent or null. */
  public @Nullable JsonNode value(String key) {
    JsonNode value = json.get(key);
    return value == null || value.isNull() ? null : value;
  }

  /** A text, or a number or truth value as text; null when it is absent or wrong. */
  public @Nullable String text(String key, int most) {
    JsonNode value = value(key);
    if (value == null) {
      return null;
    }
    if (!value.isValueNode()) {
      wrong(key, key + " is a text");
      return null;
    }
    String text = value.asText();
    if (text.length() > most) {
      wrong(key, "%s has at most %,d characters, not %,d".formatted(key, most, text.length()));
      return null;
    }
    if (text.indexOf('\0') >= 0) {
      wrong(key, key + " has a character 0");
      return null;
    }
    return text;
  }

  /** An object; null when it is absent or wrong. */
  public @Nullable ObjectNode object(String key) {
    JsonNode value = value(key);
    if (value == null || value instanceof ObjectNode) {
      return (ObjectNode) value;
    }
    wrong(key, key + " is an object");
    return null;
  }

  /** A whole number in a range; null when it is absent or wrong. */
  public @Nullable Integer integer(String key, int least, int most) {
    JsonNode value = value(key);
    if (value == null) {
      return null;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      wrong(key, "%s is a whole number from %,d to %,d".formatted(key, least, most));
      return null;
    }
    return value.intValue();
  }

  /** A duration such as {@code 10m}, at most a day long. */
  public Duration duration(String key, Duration usual) {
    String text = text(key, 20);
    if (text == null) {
      return usual;
    }
    Duration duration = DurationText.parse(text).orElse(Duration.ZERO);
    if (duration.isZero() || duration.compareTo(Duration.ofDays(1)) > 0) {
      wrong(key, key + " is a duration such as 30s or 10m, at most 24h");
      return usual;
    }
    return duration;
  }

  /** True or false, also as 1 or 0; the usual one when it is absent or wrong. */
  public boolean flag(String key, boolean usual) {
    JsonNode value = value(key);
    if (value == null) {
      return usual;
    }
    return switch (value.asText()) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> {
        wrong(key, key + " is true or false");
        yield usual;
      }
    };
  }

  /** The elements of a list; empty when it is absent or wrong. */
  public List<JsonNode> list(String key, int most) {
    JsonNode value = value(key);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      wrong(key, key + " is a list");
      return List.of();
    }
    if (value.size() > most) {
      wrong(key, "%s has at most %,d elements, not %,d".formatted(key, most, value.size()));
      return List.of();
    }
    List<JsonNode> all = new ArrayList<>();
    value.forEach(all::add);
    return all;
  }

  /** A reader of an object below this one, with findings about keys that it may not have. */
  public DocumentKeys inner(ObjectNode object, String key, List<String> known) {
    return of(object, Pointer.child(pointer, key), known, findings);
  }
}
