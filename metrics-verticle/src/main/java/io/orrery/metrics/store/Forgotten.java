package io.orrery.metrics.store;

import io.orrery.core.id.ExperimentId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Experiments whose chunks are being deleted. What was stored of one before a segment counts no
 * more, from the moment of the request on; what comes later is a new history, which needs not wait
 * for the old one to be gone. Changed by the writer thread alone.
 */
final class Forgotten {
  private final Map<ExperimentId, Long> segments = new ConcurrentHashMap<>();

  /** The segment from which on chunks of an experiment count; 0 when all do. */
  long before(ExperimentId experiment) {
    return segments.getOrDefault(experiment, 0L);
  }

  void hide(ExperimentId experiment, long segment) {
    segments.put(experiment, segment);
  }

  /** What was before a segment is gone. */
  void deleted(ExperimentId experiment, long segment) {
    segments.remove(experiment, segment);
  }

  /** How many there are; any thread may ask. */
  int count() {
    return segments.size();
  }
}
