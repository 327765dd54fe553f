package io.orrery.metrics.retention;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.MetricPolicy;
import io.orrery.core.time.Clock;
import io.orrery.metrics.store.MetricLog;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes round all experiments from time to time, and has those thinned out that set how long their
 * intermediate results are kept. A round that fails is left to the next one. Belongs to one event
 * loop.
 */
public final class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

  /** Ages are told in hours and days; a start has better to do first. */
  private static final Duration FIRST = Duration.ofMinutes(5);

  private static final Duration PAUSE = Duration.ofHours(1);
  private static final int PAGE = 100;

  private final Bus bus;
  private final MetricLog log;
  private final Clock clock;
  private Clock.@Nullable Timer next;
  private boolean over;

  public Retention(Bus bus, MetricLog log, Clock clock) {
    this.bus = bus;
    this.log = log;
    this.clock = clock;
  }

  public void start() {
    after(FIRST);
  }

  /** No round begins any more; the log ends one that is under way. */
  public void stop() {
    over = true;
    if (next != null) {
      next.cancel();
    }
  }

  private void after(Duration pause) {
    next =
        clock.after(
            pause,
            () ->
                thinOutAll()
                    .onFailure(failure ->
                        LOG.warn("could not thin out old metrics, trying later", failure))
                    .onComplete(done -> {
                      if (!over) {
                        after(PAUSE);
                      }
                    }));
  }

  private Future<Void> thinOutAll() {
    return AsyncLoop.pages(cursor ->
        bus.request(Experiments.LIST, Experiments.ListAll.of(cursor, PAGE))
            .compose(page ->
                AsyncLoop.inTurn(page.items(), this::thinOut)
                    .map(done -> over ? null : page.next())));
  }

  private Future<Void> thinOut(Experiment experiment) {
    MetricPolicy policy = experiment.spec().job().metrics();
    Duration kept = policy.intermediate();
    return kept == null || over
        ? Future.succeededFuture()
        : log.thinOut(experiment.id(), clock.now().minus(kept), policy.rollup());
  }
}
