package io.orrery.orchestrator.workload;

import io.orrery.core.workload.Readings;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Reads metrics in the text format of Prometheus and of OpenMetrics, as far as some names are asked
 * for: pure.
 */
final class MetricText {
  private static final String TYPE = "# TYPE ";
  private static final String TOTAL = "_total";

  private MetricText() {}

  /**
   * The sum of all series of each name. Counters are totals, all others levels; a name that the
   * text has not is left out, and so is a value that is no number.
   */
  static Readings read(String text, Collection<String> names) {
    Set<String> wanted = Set.copyOf(names);
    Set<String> counters = new HashSet<>();
    Map<String, Double> levels = new HashMap<>();
    Map<String, Double> totals = new HashMap<>();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (line.startsWith(TYPE)) {
        String[] words = line.substring(TYPE.length()).strip().split("\\s+", 2);
        if (words.length == 2 && words[1].equals("counter")) {
          counters.add(words[0]);
        }
      } else if (!line.startsWith("#")) {
        String name = line.substring(0, endOfName(line));
        if (wanted.contains(name)) {
          boolean counts = counters.contains(name) || name.endsWith(TOTAL);
          add(counts ? totals : levels, name, value(line));
        }
      }
    }
    return new Readings(levels, totals);
  }

  private static int endOfName(String line) {
    int end = 0;
    while (end < line.length() && line.charAt(end) != '{' && line.charAt(end) > ' ') {
      end++;
    }
    return end;
  }

  private static void add(Map<String, Double> sums, String name, double value) {
    if (Double.isFinite(value)) {
      sums.merge(name, value, Double::sum);
    }
  }

  /**
   * The value of a line: what follows the name, and its labels, in which anything may be quoted.
   */
  private static double value(String line) {
    int at = endOfName(line);
    if (at < line.length() && line.charAt(at) == '{') {
      at = afterLabels(line, at);
    }
    String[] words = line.substring(at).strip().split("\\s+", 2);
    try {
      return Double.parseDouble(words[0]);
    } catch (NumberFormatException other) {
      return Double.NaN;
    }
  }

  private static int afterLabels(String line, int open) {
    boolean quoted = false;
    for (int at = open + 1; at < line.length(); at++) {
      char c = line.charAt(at);
      if (quoted && c == '\\') {
        at++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == '}') {
        return at + 1;
      }
    }
    return line.length();
  }
}
