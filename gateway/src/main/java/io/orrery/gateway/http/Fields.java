package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the small JSON object of a request. It collects everything that is wrong; {@link
 * #check} refuses with all of it.
 */
public final class Fields {
  private final ObjectNode json;
  private final List<Finding> findings = new ArrayList<>();

  private Fields(ObjectNode json) {
    this.json = json;
  }

  /**
   * Reads an object.
   *
   * @param known the keys that it may have; others are findings
   * @param example what would be right
   */
  public static Fields of(String text, List<String> known, String example) {
    if (!(Json.parse(text) instanceof ObjectNode json)) {
      throw new Problem.Refused(new Finding("", "the body is a JSON object such as " + example))
          .toException();
    }
    return of(json, known);
  }

  /**
   * Reads an object that is parsed already.
   *
   * @param known the keys that it may have; others are findings
   */
  public static Fields of(ObjectNode json, List<String> known) {
    Fields fields = new Fields(json);
    json.fieldNames()
        .forEachRemaining(key -> {
          if (!known.contains(key)) {
            fields.wrong(key, "there is no key '" + key + "' here" + Nearest.hint(key, known));
          }
        });
    return fields;
  }

  /** Whether a key is there with a value. */
  public boolean has(String key) {
    return value(key) != null;
  }

  /** The value of a key; null when it is absent or null. */
  public @Nullable JsonNode value(String key) {
    JsonNode value = json.get(key);
    return value == null || value.isNull() ? null : value;
  }

  /** A text of at most {@code most} characters; null when it is absent or null. */
  public @Nullable String text(String key, int most) {
    JsonNode value = json.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      wrong(key, key + " is a text");
      return null;
    }
    String text = value.textValue();
    if (text.length() > most) {
      wrong(key, key + " has at most " + most + " characters, this one has " + text.length());
      return null;
    }
    if (text.chars().anyMatch(c -> c < ' ' && c != '\n' && c != '\t')) {
      wrong(key, key + " has a control character");
      return null;
    }
    return text;
  }

  /** True or false; null when it is absent or null. */
  public @Nullable Boolean flag(String key) {
    JsonNode value = json.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isBoolean()) {
      wrong(key, key + " is true or false");
      return null;
    }
    return value.booleanValue();
  }

  /** A whole number in a range; null when it is absent or null. */
  public @Nullable Integer integer(String key, int least, int most) {
    JsonNode value = json.path(key);
    if (value.isMissingNode() || value.isNull()) {
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

  /** A word of a list; null when it is absent or null. */
  public <T> @Nullable T word(String key, Function<String, Optional<T>> read, List<String> words) {
    String text = text(key, 100);
    if (text == null) {
      return null;
    }
    Optional<T> value = read.apply(text);
    if (value.isEmpty()) {
      wrong(key, key + " is one of " + String.join(", ", words) + Nearest.hint(text, words));
    }
    return value.orElse(null);
  }

  /** An instant of ISO 8601 such as {@code 2026-01-31T12:00:00Z}; null when absent or null. */
  public @Nullable Instant instant(String key) {
    String text = text(key, 100);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      wrong(key, key + " is an instant such as 2026-01-31T12:00:00Z");
      return null;
    }
  }

  /** An object of at most {@code most} characters of JSON; {@code {}} when absent or null. */
  public ObjectNode object(String key, int most) {
    JsonNode value = json.path(key);
    if (value instanceof ObjectNode object) {
      if (object.toString().length() > most) {
        wrong(key, key + " has at most " + most + " characters");
      }
      return object;
    }
    if (!value.isMissingNode() && !value.isNull()) {
      wrong(key, key + " is a JSON object");
    }
    return Json.MAPPER.createObjectNode();
  }

  /** The texts of a list; null when it is absent or null. */
  public @Nullable List<String> texts(String key, int most) {
    JsonNode value = json.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    value.forEach(item -> texts.add(item.asText()));
    if (!value.isArray() || texts.size() > most) {
      wrong(key, key + " is a list of at most " + most + " texts");
    }
    return texts;
  }

  /** Adds a finding about a key. */
  public void wrong(String key, String message) {
    findings.add(new Finding("/" + key, message));
  }

  /** Adds what the reader of a part has found. */
  public void wrong(Finding finding) {
    findings.add(finding);
  }

  /** Refuses with everything that is wrong; called once all is read. */
  public void check() {
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
  }
}
