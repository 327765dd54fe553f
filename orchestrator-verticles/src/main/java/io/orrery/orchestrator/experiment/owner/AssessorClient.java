package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.Occurrence;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the assessor about attempts that have reported something, and brings home what it says.
 *
 * <p>Results are not gathered here: that there is something new is a hint, what there is the
 * assessor reads from the metrics. So a hint that was lost in a crash does no harm, and an attempt
 * that reports faster than it can be judged is judged by its latest result; a few questions are
 * under way at once, and never two about the same attempt.
 */
final class AssessorClient {
  /** The address of the assessor. */
  @FunctionalInterface
  interface Place {
    /** Where it is asked now; null while it is nowhere. */
    @Nullable Address<Tuners.Assess, Tuners.Assessed> now();
  }

  private static final Logger LOG = LoggerFactory.getLogger(AssessorClient.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int AT_ONCE = 8;

  /** An assessor that cannot answer is asked again this many times. */
  private static final int PATIENCE = 5;

  private final Bus bus;
  private final Clock clock;
  private final Place place;
  private final Consumer<Problem.Unavailable> gone;
  private final Predicate<AttemptRef> present;
  private final Function<AttemptRef, @Nullable String> parameterIds;
  private final Consumer<Occurrence> happen;

  private final Set<AttemptRef> due = new LinkedHashSet<>();
  private final Set<AttemptRef> asked = new HashSet<>();
  private boolean pausing;
  private boolean late;
  private boolean missed;
  private int failures;

  /**
   * @param place where the assessor is
   * @param gone told that the assessor is not there
   * @param present whether an attempt still runs, and is not to end anyway
   * @param parameterIds the tuner's number of what an attempt tries
   * @param happen takes what the assessor said
   */
  AssessorClient(
      Bus bus,
      Clock clock,
      Place place,
      Consumer<Problem.Unavailable> gone,
      Predicate<AttemptRef> present,
      Function<AttemptRef, @Nullable String> parameterIds,
      Consumer<Occurrence> happen) {
    this.bus = bus;
    this.clock = clock;
    this.place = place;
    this.gone = gone;
    this.present = present;
    this.parameterIds = parameterIds;
    this.happen = happen;
  }

  /** These points are new and durable. */
  void stored(Collection<MetricPoint> points) {
    for (MetricPoint point : points) {
      if (point.kind() == MetricKind.INTERMEDIATE && present.test(point.attempt())) {
        due.add(point.attempt());
      }
    }
    askNext();
  }

  /** These attempts may have reported something that it was not asked about. */
  void takeUp(Collection<AttemptRef> attempts) {
    due.addAll(attempts);
    askNext();
  }

  private void askNext() {
    Optional<AttemptRef> next = next();
    while (!pausing && asked.size() < AT_ONCE && next.isPresent()) {
      AttemptRef attempt = next.get();
      due.remove(attempt);
      if (present.test(attempt)) {
        ask(attempt);
      }
      next = next();
    }
  }

  private Optional<AttemptRef> next() {
    return due.stream().filter(attempt -> !asked.contains(attempt)).findFirst();
  }

  private void ask(AttemptRef attempt) {
    var there = place.now();
    if (there == null) {
      due.add(attempt);
      pause();
      return;
    }
    asked.add(attempt);
    bus.request(there, new Tuners.Assess(attempt, parameterIds.apply(attempt)))
        .onComplete(
            assessed -> {
              asked.remove(attempt);
              answered(attempt, assessed);
              askNext();
            },
            failure -> {
              asked.remove(attempt);
              due.add(attempt);
              failed(Problem.of(failure));
            });
  }

  private void answered(AttemptRef attempt, Tuners.Assessed assessed) {
    failures = 0;
    missed = false;
    if (late) {
      late = false;
      happen.accept(new Occurrence.Delayed(Occurrence.Delayer.ASSESSOR, null));
    }
    String bad = assessed.bad();
    if (bad != null) {
      happen.accept(new Occurrence.Assessed(attempt, bad));
    }
  }

  private void failed(Problem problem) {
    LOG.warn("the assessor did not answer: {}", problem.detail());
    switch (problem) {
      case Problem.Busy busy -> {
        late = true;
        happen.accept(new Occurrence.Delayed(Occurrence.Delayer.ASSESSOR, busy.detail()));
        pause();
      }
      case Problem.Unavailable missing -> {
        // An assessor that was just opened may not be known on every server yet: ask once more.
        if (!pausing) {
          if (missed) {
            gone.accept(missing);
          }
          missed = !missed;
        }
        pause();
      }
      // It is about to be opened, or to be opened again.
      case Problem.NotFound _, Problem.Conflict _ -> pause();
      case Problem.Broken _,
          Problem.Refused _,
          Problem.Unauthorized _,
          Problem.Forbidden _,
          Problem.TooLarge _ -> {
        // Questions that were under way together fail together: once.
        if (!pausing) {
          failures++;
        }
        if (failures < PATIENCE) {
          pause();
        } else {
          failures = 0;
          due.clear();
          happen.accept(new Occurrence.AssessorFailed(problem.detail()));
        }
      }
    }
  }

  private void pause() {
    if (!pausing) {
      pausing = true;
      clock.after(
          PAUSE,
          () -> {
            pausing = false;
            askNext();
          });
    }
  }
}
