package io.orrery.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parsed YAML or JSON text that remembers where everything stood.
 *
 * @param root the content
 * @param lines for each pointer the line of its key (or element), from 1
 */
public record Document(JsonNode root, Map<String, Integer> lines) {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  public Document {
    lines = lines instanceof LinesOnDemand ? lines : Map.copyOf(lines);
  }

  /**
   * Reads YAML 1.1 or JSON. JSON is read by its own rules: YAML 1.1 has no {@code \/}, no key of
   * more than 1,024 characters and no character 127.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with the line, when it is neither;
   *     with the line and pointer of every key that an object has twice
   */
  public static Document read(String text) {
    return read(text, Yaml.Dialect.PYYAML);
  }

  /**
   * Reads the document of an object, JSON or YAML by the core schema of YAML 1.2: {@code no},
   * {@code on}, {@code 017}, {@code 1:30} and dates are text, and only {@code true} and {@code
   * false} are no text.
   *
   * @throws io.orrery.core.problem.ProblemException Refused as {@link #read} has it
   */
  public static Document readCore(String text) {
    return read(text, Yaml.Dialect.CORE);
  }

  private static Document read(String text, Yaml.Dialect dialect) {
    String content = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    String begun = content.stripLeading();
    if (!begun.startsWith("{") && !begun.startsWith("[")) {
      return Yaml.read(content, dialect);
    }
    try {
      return Json.placed(content);
    } catch (PlacedJson.NotJsonException notJson) {
      try {
        return Yaml.read(content, dialect);
      } catch (ProblemException notYaml) {
        throw notJson.begun() ? new Problem.Refused(notJson.finding()).toException() : notYaml;
      }
    }
  }

  /** The line of a pointer, or of the nearest enclosing thing that has one. */
  public @Nullable Integer line(String pointer) {
    for (String p = pointer; ; p = p.substring(0, p.lastIndexOf('/'))) {
      Integer line = lines.get(p);
      if (line != null || p.isEmpty()) {
        return line;
      }
    }
  }

  /** The findings with the line of each. */
  public List<Finding> placed(List<Finding> findings) {
    return findings.stream().map(f -> f.line() == null ? f.atLine(line(f.pointer())) : f).toList();
  }
}
