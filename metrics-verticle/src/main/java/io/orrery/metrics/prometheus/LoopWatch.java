package io.orrery.metrics.prometheus;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.TimeUnit;

/**
 * Watches the event loop that it is deployed on: a timer that is late was kept waiting by whatever
 * ran before it. Deploy as many instances as there are loops.
 */
public final class LoopWatch extends VerticleBase {
  private static final long PERIOD_MILLIS = 250;

  private final Meters meters;
  private long expected;

  public LoopWatch(Meters meters) {
    this.meters = meters;
  }

  @Override
  public Future<?> start() {
    expect();
    vertx.setPeriodic(PERIOD_MILLIS, id -> look());
    return Future.succeededFuture();
  }

  private void look() {
    meters.lagged(System.nanoTime() - expected);
    expect();
  }

  private void expect() {
    expected = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);
  }
}
