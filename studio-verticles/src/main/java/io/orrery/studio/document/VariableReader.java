package io.orrery.studio.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Reads environment variables: an object, or the lines {@code NAME=value} of the original. */
public final class VariableReader {
  private static final int MOST_VARIABLES = 1_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final DocumentKeys keys;
  private final String key;
  private final Predicate<String> reserved;
  private final Map<String, String> found = new LinkedHashMap<>();

  private VariableReader(DocumentKeys keys, String key, Predicate<String> reserved) {
    this.keys = keys;
    this.key = key;
    this.reserved = reserved;
  }

  /**
   * Reads the variables of a key, in their order.
   *
   * @param reserved whether a name is set by the server
   */
  public static Map<String, String> read(
      DocumentKeys keys, String key, Predicate<String> reserved) {
    return new VariableReader(keys, key, reserved).read();
  }

  private Map<String, String> read() {
    JsonNode value = keys.value(key);
    if (value instanceof ObjectNode object) {
      object.properties().forEach(entry -> add(entry.getKey(), entry.getValue()));
    } else if (value != null && value.isTextual()) {
      value.textValue().lines().filter(line -> !line.isBlank()).forEach(this::addLine);
    } else if (value != null) {
      keys.wrong(key, key + " is an object, or lines of NAME=value");
    }
    if (found.size() > MOST_VARIABLES) {
      keys.wrong(key, "%s has at most %,d variables".formatted(key, MOST_VARIABLES));
    }
    return found;
  }

  private void addLine(String line) {
    int equals = line.indexOf('=');
    if (equals < 0) {
      keys.wrong(key, "each line of %s is NAME=value, not '%s'".formatted(key, line.strip()));
      return;
    }
    add(
        line.substring(0, equals).strip(),
        Json.MAPPER.getNodeFactory().textNode(line.substring(equals + 1).strip()));
  }

  private void add(String name, JsonNode value) {
    if (!NAME.matcher(name).matches()) {
      keys.wrong(key, "'" + name + "' is no name of a variable: letters, digits and _");
    } else if (reserved.test(name)) {
      keys.wrong(key, name + " is set by the server");
    } else if (!value.isValueNode() || value.asText().indexOf('\0') >= 0) {
      keys.wrong(key, "the value of " + name + " is a text");
    } else {
      found.put(name, value.asText());
    }
  }
}
