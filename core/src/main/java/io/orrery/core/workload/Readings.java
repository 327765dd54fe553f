package io.orrery.core.workload;

import java.util.HashMap;
import java.util.Map;

/**
 * Numbers that were read at a replica.
 *
 * @param levels values as they are at that moment, such as bytes of memory
 * @param totals values that grow since the program began, such as seconds of CPU time
 */
public record Readings(Map<String, Double> levels, Map<String, Double> totals) {
  /** The cores that a program uses, as a level; the seconds of CPU time, as a total. */
  public static final String CPU = "cpu";

  /** The bytes of memory. */
  public static final String MEMORY = "mem";

  /** The GPUs that a program uses, of which 0.5 is half a one. */
  public static final String GPU = "gpu";

  /** Nothing that was read. */
  public static final Readings NONE = new Readings(Map.of(), Map.of());

  public Readings {
    levels = Map.copyOf(levels);
    totals = Map.copyOf(totals);
  }

  /** Both together. */
  public Readings with(Readings others) {
    Map<String, Double> bothLevels = new HashMap<>(levels);
    bothLevels.putAll(others.levels);
    Map<String, Double> bothTotals = new HashMap<>(totals);
    bothTotals.putAll(others.totals);
    return new Readings(bothLevels, bothTotals);
  }
}
