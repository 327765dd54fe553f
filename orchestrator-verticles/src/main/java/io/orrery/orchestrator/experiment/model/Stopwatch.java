package io.orrery.orchestrator.experiment.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The running time of an experiment, without pauses, stops and the server's absence. */
final class Stopwatch {
  private Duration before;
  private @Nullable Instant since;

  Stopwatch(Duration before) {
    this.before = before;
  }

  void run(boolean running, Instant now) {
    if (running && since == null) {
      since = now;
    } else if (!running && since != null) {
      before = elapsed(now);
      since = null;
    }
  }

  Duration elapsed(Instant now) {
    return since == null ? before : before.plus(Duration.between(since, now));
  }

  boolean running() {
    return since != null;
  }
}
