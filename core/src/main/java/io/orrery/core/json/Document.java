package io.orrery.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Finding;
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
  public Document {
    lines = Map.copyOf(lines);
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
