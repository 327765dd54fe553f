package io.orrery.metrics.store;

/**
 * The bounds of a {@link SegmentLog}; its memory follows from them.
 *
 * @param queuedPoints points handed in and not yet durable
 * @param queuedBytes the same in bytes, estimated from above
 * @param segmentBytes size at which a file of the log is closed and moved into chunks; it is also
 *     what reopening reads, and what is held in memory
 * @param waitingSegments closed files that may wait to be moved before appends are refused
 * @param keptSegments moved files that stay for readers with a cursor
 * @param cachedRanges ranges of known ordinals of idle attempts that stay in memory; a usual
 *     attempt has one for its intermediates and one for its result
 */
public record LogLimits(
    int queuedPoints,
    long queuedBytes,
    int segmentBytes,
    int waitingSegments,
    int keptSegments,
    int cachedRanges) {
  /** About 200 MB of heap at the worst, a few when little is reported. */
  public static final LogLimits DEFAULT =
      new LogLimits(500_000, 64L << 20, 16 << 20, 4, 4, 200_000);
}
