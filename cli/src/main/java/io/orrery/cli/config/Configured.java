package io.orrery.cli.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.json.Document;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server's configuration, as far as it can be checked from outside: the file, and variables
 * that go before it.
 *
 * @param fault why the file cannot be read; null when it can, or when there is none
 */
public record Configured(
    Path file, JsonNode root, Map<String, String> environment, @Nullable String fault) {
  public static Configured read(Path file, Map<String, String> environment) {
    JsonNode none = MissingNode.getInstance();
    if (!Files.exists(file)) {
      return new Configured(file, none, environment, null);
    }
    try {
      return new Configured(file, Document.read(Files.readString(file)).root(), environment, null);
    } catch (IOException | ProblemException e) {
      return new Configured(file, none, environment, String.valueOf(e.getMessage()));
    }
  }

  /** A key such as {@code http.port}, from its variable or the file; null when it is in neither. */
  public @Nullable String text(String key) {
    String said = environment.get(ConfigKey.variable(key));
    if (said != null) {
      return said;
    }
    JsonNode value = at(key);
    return value.isValueNode() && !value.isNull() ? value.asText() : null;
  }

  public JsonNode at(String key) {
    if (root.has(key)) {
      return root.path(key);
    }
    JsonNode node = root;
    for (String step : key.split("\\.")) {
      node = node.path(step);
    }
    return node;
  }

  /** A file that a value names, from the folder of the configuration on. */
  public Path path(String value) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? Path.of(value) : folder.resolve(value);
  }
}
