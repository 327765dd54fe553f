package io.orrery.metrics.store;

import io.orrery.core.metric.MetricPoint;
import org.jspecify.annotations.Nullable;

/**
 * The points that one attempt reported during one segment of the log.
 *
 * @param seen all ordinals that the attempt has used up to the segment's end, as {@link
 *     AttemptState#seen} writes them
 * @param result its last FINAL up to there
 */
record Chunk(ActiveSegment.Slice points, byte[] seen, @Nullable MetricPoint result) {}
