package io.orrery.orchestrator.platform;

import io.orrery.core.metric.MetricPoint;
import io.vertx.core.Future;
import java.util.List;

/** Who is told what a platform sees. Called from any thread. */
public interface PlatformListener {
  /** Something happened to an attempt. */
  void happened(PlatformEvent event);

  /**
   * An attempt reported values; their order within an attempt is kept.
   *
   * @return completes when they are durable; a platform reads on only then, which is the
   *     backpressure. On failure the same points are to be handed in again
   */
  Future<Void> reported(List<MetricPoint> points);
}
