package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import java.util.List;
import java.util.stream.LongStream;

/** Points for tests. */
public final class Points {
  public static final ExperimentId EXPERIMENT = new ExperimentId("exp");
  public static final TrialRef TRIAL = trial("abcde");
  public static final AttemptRef ATTEMPT = new AttemptRef(TRIAL, 1);

  private Points() {}

  public static TrialRef trial(String name) {
    return new TrialRef(EXPERIMENT, new TrialId(name));
  }

  public static MetricPoint intermediate(AttemptRef attempt, long ordinal, double number) {
    return point(attempt, ordinal, MetricKind.INTERMEDIATE, MetricValue.of(number));
  }

  public static MetricPoint result(AttemptRef attempt, long ordinal, double number) {
    return point(attempt, ordinal, MetricKind.FINAL, MetricValue.of(number));
  }

  public static MetricPoint point(
      AttemptRef attempt, long ordinal, MetricKind kind, MetricValue value) {
    return new MetricPoint(
        attempt, "main", ordinal, kind, ordinal, null, 1_700_000_000_000L + ordinal, value);
  }

  /** Intermediates with the ordinals from one to another, the latter excluded. */
  public static List<MetricPoint> series(AttemptRef attempt, long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(ordinal -> intermediate(attempt, ordinal, Math.sin((double) ordinal)))
        .toList();
  }
}
