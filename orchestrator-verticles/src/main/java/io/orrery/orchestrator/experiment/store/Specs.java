package io.orrery.orchestrator.experiment.store;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The configurations that were read lately, by their texts. Every question about an experiment
 * needs its own, which seldom changes, and reading one takes longer than the rest of its row. Safe
 * for any thread.
 */
final class Specs {
  private static final int MOST = 200;

  /** Characters of a text that is kept. */
  private static final int LONGEST = 16 << 10;

  private final Map<String, ExperimentSpec> read =
      new LinkedHashMap<>(MOST, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ExperimentSpec> eldest) {
          return size() > MOST;
        }
      };

  ExperimentSpec of(String text) {
    ExperimentSpec known;
    synchronized (read) {
      known = read.get(text);
    }
    if (known != null) {
      return known;
    }
    ExperimentSpec spec = Json.read(text, ExperimentSpec.class);
    if (text.length() <= LONGEST) {
      synchronized (read) {
        read.put(text, spec);
      }
    }
    return spec;
  }
}
