package io.orrery.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server's configuration: a flag beats the environment, the environment beats the file,
 * and an unknown key is refused with the nearest known one. All findings at once.
 */
public final class ConfigReader {
  private final List<ConfigKey<?>> keys;
  private final Map<ConfigKey<?>, Object> values = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  private ConfigReader(List<ConfigKey<?>> keys) {
    this.keys = keys;
  }

  /**
   * Reads from all three places.
   *
   * @param file the text of the configuration file, null when there is none
   * @param environment of the process
   * @param flags values by key name, as text
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  public static Config read(
      List<ConfigKey<?>> keys,
      @Nullable String file,
      Map<String, String> environment,
      Map<String, String> flags) {
    ConfigReader reader = new ConfigReader(keys);
    if (file != null && !file.isBlank()) {
      reader.file(Document.read(file));
    }
    for (ConfigKey<?> key : keys) {
      reader.text(key, environment.get(key.variable()), "environment variable " + key.variable());
      reader.text(key, flags.get(key.name()), "the flag for " + key.name());
    }
    if (!reader.findings.isEmpty()) {
      throw Problem.Refused.of(reader.findings).toException();
    }
    return new Config(reader.values);
  }

  private void file(Document document) {
    walk(document, document.root(), "", "");
  }

  private void walk(Document document, JsonNode node, String name, String pointer) {
    if (!node.isObject()) {
      String wanted = name.isEmpty() ? "the configuration" : name;
      findings.add(new Finding(pointer, wanted + " is an object of keys", document.line(pointer)));
      return;
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String child = name.isEmpty() ? entry.getKey() : name + "." + entry.getKey();
      String at = Pointer.child(pointer, entry.getKey());
      ConfigKey<?> key = key(child);
      if (entry.getValue().isNull()) {
        continue;
      }
      if (key != null) {
        value(key, entry.getValue(), at, document);
      } else if (keys.stream().anyMatch(known -> known.name().startsWith(child + "."))) {
        walk(document, entry.getValue(), child, at);
      } else {
        List<String> names = keys.stream().map(ConfigKey::name).toList();
        findings.add(
            new Finding(
                at, "there is no key " + child + Nearest.hint(child, names), document.line(at)));
      }
    }
  }

  private @Nullable ConfigKey<?> key(String name) {
    return keys.stream().filter(key -> key.name().equals(name)).findFirst().orElse(null);
  }

  private void value(ConfigKey<?> key, JsonNode value, String pointer, Document document) {
    try {
      values.put(key, key.parse().apply(value));
    } catch (IllegalArgumentException e) {
      findings.add(
          new Finding(
              pointer,
              key.name() + " is " + value + ": it must be " + key.bounds(),
              document.line(pointer)));
    } catch (ProblemException e) {
      findings.addAll(document.placed(within(pointer, e.problem())));
    }
  }

  private void text(ConfigKey<?> key, @Nullable String text, String place) {
    if (text == null) {
      return;
    }
    try {
      values.put(key, key.parse(text));
    } catch (IllegalArgumentException e) {
      findings.add(new Finding("", place + " is '" + text + "': it must be " + key.bounds()));
    } catch (ProblemException e) {
      within("", e.problem())
          .forEach(found -> findings.add(new Finding("", place + ": " + found.text())));
    }
  }

  /** What is wrong within the value of one key, as findings of the whole document. */
  private static List<Finding> within(String pointer, Problem problem) {
    return problem instanceof Problem.Refused refused
        ? refused.findings().stream()
            .map(finding -> new Finding(pointer + finding.pointer(), finding.message()))
            .toList()
        : List.of(new Finding(pointer, problem.detail()));
  }
}
