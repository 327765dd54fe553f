package io.orrery.compute.hybrid;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The platforms of all experiments that have come by. Thread safe. */
final class Fleets {
  private final Map<ExperimentId, PlatformStats> fleets = new ConcurrentHashMap<>();
  private final Clock clock;

  Fleets(Clock clock) {
    this.clock = clock;
  }

  /** Those of an experiment, known from now on. */
  PlatformStats of(ExperimentId experiment, ExperimentSpec spec) {
    return fleets.computeIfAbsent(experiment, id -> new PlatformStats(Member.of(spec), clock));
  }

  /** Those of an experiment; null when it has not come by. */
  @Nullable PlatformStats known(ExperimentId experiment) {
    return fleets.get(experiment);
  }

  /** Those of an experiment, which is not known any more; null when it was not. */
  @Nullable PlatformStats forget(ExperimentId experiment) {
    return fleets.remove(experiment);
  }
}
