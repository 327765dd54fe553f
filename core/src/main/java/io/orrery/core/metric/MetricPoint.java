package io.orrery.core.metric;

import io.orrery.core.id.AttemptRef;
import org.jspecify.annotations.Nullable;

/**
 * A reported value.
 *
 * @param source tells two senders of one attempt apart (a file, a process, a pod)
 * @param ordinal counts what this source sent, from 0, over both kinds. (attempt, source, kind,
 *     ordinal) identifies a point: a second one with the same four is a repetition and is dropped
 * @param sequence the position on the chart's axis, as the trial counts it; per process from 0
 * @param parameterId which of the trial's parameter sets it belongs to, null when not said
 * @param time when it was reported, milliseconds since the epoch
 */
public record MetricPoint(
    AttemptRef attempt,
    String source,
    long ordinal,
    MetricKind kind,
    long sequence,
    @Nullable String parameterId,
    long time,
    MetricValue value) {}
