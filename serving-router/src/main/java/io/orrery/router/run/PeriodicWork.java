package io.orrery.router.run;

import io.orrery.router.health.Prober;
import io.orrery.router.policy.Rates;
import io.orrery.router.policy.Tables;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A verticle that probes endpoints, and forgets ejections and rates when their time is over. */
final class PeriodicWork extends VerticleBase {
  private static final long TICK_MILLIS = 100;
  private static final int FORGET_TICKS = 100;

  private final Tables tables;
  private final Rates rates;
  private final RandomGenerator random;
  private @Nullable Prober prober;
  private @Nullable Context home;
  private int ticks;

  PeriodicWork(Tables tables, Rates rates, RandomGenerator random) {
    this.tables = tables;
    this.rates = rates;
    this.random = random;
  }

  @Override
  public Future<?> start() {
    Prober own = new Prober(vertx, System::nanoTime, random);
    own.watch(tables.current());
    prober = own;
    home = context;
    vertx.setPeriodic(TICK_MILLIS, id -> tick(own));
    return Future.succeededFuture();
  }

  private void tick(Prober own) {
    long now = System.nanoTime();
    tables.current().tick(now);
    own.tick();
    if (++ticks % FORGET_TICKS == 0) {
      rates.forget(now);
    }
  }

  /** A new table is in force; called from any thread. */
  void watch() {
    Context context = home;
    if (context != null) {
      context.runOnContext(go -> {
        if (prober != null) {
          prober.watch(tables.current());
        }
      });
    }
  }

  @Override
  public Future<?> stop() {
    return prober == null ? Future.succeededFuture() : prober.close();
  }
}
