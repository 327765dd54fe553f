package io.orrery.core.metric;

import io.orrery.core.problem.Outcome;
import io.vertx.core.Future;
import java.util.List;

/** The entry of points from every transport: a direct call within one process. */
public interface MetricSink {
  /**
   * Appends points, in their order.
   *
   * @return completes when all of them are durable, with how many were new; fails with {@link
   *     io.orrery.core.problem.Problem.Busy} when the queue is full (nothing was taken: send the
   *     same points again later), with {@link io.orrery.core.problem.Problem.Refused} or {@link
   *     io.orrery.core.problem.Problem.TooLarge} when they cannot be stored, or with {@link
   *     io.orrery.core.problem.Problem.Broken} when the disk failed. Completes on the caller's
   *     context; for a caller that has none on a thread of the store, which must not be held up
   */
  default Future<Receipt> append(List<MetricPoint> points) {
    return appendAll(List.of(points)).compose(outcomes -> outcomes.getFirst().toFuture());
  }

  /**
   * Appends several batches at once, each in its order and one after the other: what many senders
   * handed in while the disk was busy. The lists are handed over: the caller does not change them
   * any more.
   *
   * @return completes when those that can be stored are durable, with what became of each: one that
   *     is refused takes none of the others with it. Fails with Busy when none was taken, and with
   *     Broken when the disk failed: then those that were handed in may be taken later
   */
  Future<List<Outcome<Receipt>>> appendAll(List<List<MetricPoint>> batches);

  /**
   * The outcome of a batch.
   *
   * @param accepted new points, now durable
   * @param duplicates points that were durable before
   */
  record Receipt(int accepted, int duplicates) {}
}
