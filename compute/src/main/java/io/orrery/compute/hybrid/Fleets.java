package io.orrery.compute.hybrid;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The platforms of all experiments that have come by, and of the steps of runs that are there: each
 * step of a run may have others. Thread safe.
 */
final class Fleets {
  private final Map<Key, PlatformStats> fleets = new HashMap<>();
  private final Map<AttemptRef, Key> steps = new HashMap<>();
  private final Clock clock;

  /**
   * A key of attempts that share platforms.
   *
   * @param service of the steps of a run; null for an experiment
   */
  private record Key(ExperimentId experiment, @Nullable TrainingServiceSpec service) {
    static Key of(ExperimentId experiment, JobSpec job) {
      return new Key(experiment, experiment.isOfRun() ? job.trainingService() : null);
    }
  }

  Fleets(Clock clock) {
    this.clock = clock;
  }

  /** Those of an experiment, known from now on. */
  synchronized PlatformStats of(ExperimentId experiment, JobSpec job) {
    return fleets.computeIfAbsent(
        Key.of(experiment, job), key -> new PlatformStats(MemberPlatform.of(job), clock));
  }

  /** Those of an attempt, known from now on. */
  synchronized PlatformStats of(AttemptRef ref, JobSpec job) {
    ExperimentId experiment = ref.trial().experiment();
    if (experiment.isOfRun()) {
      steps.put(ref, Key.of(experiment, job));
    }
    return of(experiment, job);
  }

  /** Those of an experiment; null when it has not come by. */
  synchronized @Nullable PlatformStats known(ExperimentId experiment) {
    return fleets.get(new Key(experiment, null));
  }

  /** Those of an attempt; null when it has not come by, or is a step that is over. */
  synchronized @Nullable PlatformStats known(AttemptRef ref) {
    ExperimentId experiment = ref.trial().experiment();
    Key key = experiment.isOfRun() ? steps.get(ref) : new Key(experiment, null);
    return key == null ? null : fleets.get(key);
  }

  /** Whether they are still those of an experiment or of steps. */
  synchronized boolean has(PlatformStats fleet) {
    return fleets.containsValue(fleet);
  }

  /** An attempt is over: the platforms of steps are forgotten with the last one. */
  synchronized void over(AttemptRef ref) {
    Key key = steps.remove(ref);
    if (key != null && !steps.containsValue(key)) {
      fleets.remove(key);
    }
  }

  /** Those of an experiment, which is not known any more. */
  synchronized List<PlatformStats> forget(ExperimentId experiment) {
    List<PlatformStats> forgotten = new ArrayList<>();
    fleets
        .entrySet()
        .removeIf(entry -> {
          boolean ours = entry.getKey().experiment().equals(experiment);
          if (ours) {
            forgotten.add(entry.getValue());
          }
          return ours;
        });
    steps.keySet().removeIf(ref -> ref.trial().experiment().equals(experiment));
    return forgotten;
  }
}
