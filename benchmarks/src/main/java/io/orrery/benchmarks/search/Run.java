package io.orrery.benchmarks.search;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The end of one session.
 *
 * @param regret normalised regret by the number of results; empty when it failed
 * @param error why it failed, else null
 */
record Run(
    String tuner,
    String problem,
    long seed,
    String mode,
    double cpuMsPerSuggestion,
    @Nullable String error,
    Map<String, Double> regret) {

  /** The regret after so many results; 1, as of a typical random guess, when it failed. */
  double at(int results) {
    return regret.getOrDefault(Integer.toString(results), 1.0);
  }

  /** The keys of its JSON line. */
  Map<String, @Nullable Object> line() {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("tuner", tuner);
    line.put("problem", problem);
    line.put("seed", seed);
    line.put("mode", mode);
    line.put("cpuMsPerSuggestion", cpuMsPerSuggestion);
    line.put("error", error);
    line.put("regret", regret);
    return line;
  }
}
