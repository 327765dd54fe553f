package io.orrery.compute.service;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.List;

/** A listener for the events of a platform. It is called from any thread. */
public interface PlatformListener {
  /** Something happened to an attempt. */
  void happened(PlatformEvent event);

  /**
   * An attempt asks for a further parameter set, as {@link Trials#NEXT} has it. Everything that it
   * reported before is durable.
   *
   * @param index of the set, 1 or more
   * @return completes with the set, or with none when there are no more; fails with Busy when it is
   *     to be asked again, with anything else when it is no use
   */
  default Future<Trials.Next> next(AttemptRef attempt, int index) {
    return Future.failedFuture(
        new Problem.Refused(new Finding("", "no process here gives further parameter sets"))
            .toException());
  }

  /**
   * An attempt reported values; their order within an attempt is kept.
   *
   * @return completes when they are durable; a platform reads on only then, which is the
   *     backpressure. On failure the same points are to be handed in again
   */
  Future<Void> reported(List<MetricPoint> points);
}
