package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.Occurrence;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings home what an attempt reported, when it is wanted. A final result has nearly always been
 * heard of by then: it is durable, and announced, before the platform tells the end of its attempt.
 * Only what was not heard is looked up in the metric log.
 */
final class ResultCollector {
  private static final Logger LOG = LoggerFactory.getLogger(ResultCollector.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Thinned out to so many points, a series is its first and its last. */
  private static final int FIRST_AND_LAST = 2;

  /** Of results that are kept until they are wanted; a trial nearly always ends soon after it. */
  private static final int MOST_HEARD = 1_000;

  private final Bus bus;
  private final Clock clock;
  private final boolean shared;
  private final Predicate<AttemptRef> moving;
  private final Consumer<Occurrence> happen;

  /** The last final results of attempts whose result is still to be wanted, the oldest first. */
  private final SequencedMap<AttemptRef, MetricPoint> heard = new LinkedHashMap<>();

  /**
   * @param shared whether servers share their work: news get lost between them, so that what was
   *     heard need not be the last
   * @param moving whether an attempt has not settled yet
   * @param happen takes the results
   */
  ResultCollector(
      Bus bus,
      Clock clock,
      boolean shared,
      Predicate<AttemptRef> moving,
      Consumer<Occurrence> happen) {
    this.bus = bus;
    this.clock = clock;
    this.shared = shared;
    this.moving = moving;
    this.happen = happen;
  }

  /** Takes note of a final result of an attempt that has not ended; durable. */
  void heard(MetricPoint result) {
    if (shared) {
      return;
    }
    heard.putLast(result.attempt(), result);
    if (heard.size() > MOST_HEARD) {
      heard.pollFirstEntry();
    }
  }

  /** Fetches the final result, after a while that one may still be given. */
  void collect(AttemptRef attempt, Duration delay) {
    if (delay.isZero()) {
      collect(attempt);
    } else {
      clock.after(delay, () -> collect(attempt));
    }
  }

  private void collect(AttemptRef attempt) {
    MetricPoint known = heard.remove(attempt);
    if (known != null) {
      collected(attempt, known);
      return;
    }
    bus.request(Metrics.FINAL, new Metrics.FinalOf(attempt))
        .onSuccess(answer -> collected(attempt, answer.point()))
        .onFailure(failure -> {
          LOG.warn("could not read the result of {}, trying again", attempt, failure);
          again(attempt, () -> collect(attempt));
        });
  }

  /** Fetches the last intermediate result. */
  void collectLatest(AttemptRef attempt) {
    bus.request(Metrics.SERIES, new Metrics.SeriesOf(attempt.trial(), FIRST_AND_LAST, null))
        .onSuccess(series -> {
          MetricPoint latest =
              series.points().stream()
                  .filter(point -> point.attempt().equals(attempt))
                  .reduce((before, after) -> after)
                  .orElse(null);
          collected(attempt, latest);
        })
        .onFailure(failure -> {
          LOG.warn("could not read the last report of {}, trying again", attempt, failure);
          again(attempt, () -> collectLatest(attempt));
        });
  }

  private void collected(AttemptRef attempt, @Nullable MetricPoint point) {
    happen.accept(
        point == null
            ? new Occurrence.ResultCollected(attempt, null, null)
            : new Occurrence.ResultCollected(attempt, point.value(), point.parameterId()));
  }

  private void again(AttemptRef attempt, Runnable step) {
    clock.after(
        PAUSE,
        () -> {
          if (moving.test(attempt)) {
            step.run();
          }
        });
  }
}
