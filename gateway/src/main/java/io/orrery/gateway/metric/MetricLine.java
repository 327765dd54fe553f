package io.orrery.gateway.metric;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import org.jspecify.annotations.Nullable;

/**
 * A line of a batch as it was sent.
 *
 * @param number its place in the batch, from 1
 * @param attempt null when the line does not say: the trial's present one is meant
 */
record MetricLine(
    int number,
    TrialRef trial,
    @Nullable Integer attempt,
    String source,
    long ordinal,
    MetricKind kind,
    long sequence,
    @Nullable String parameterId,
    long time,
    MetricValue value) {
  /**
   * @param run the attempt that it counts for
   */
  MetricPoint point(AttemptRef run) {
    return new MetricPoint(run, source, ordinal, kind, sequence, parameterId, time, value);
  }
}
