package io.orrery.gateway.cluster;

import io.orrery.core.lease.Lease;
import io.orrery.core.lease.Leases;
import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A duty that one server at a time has: whichever holds its lease. The others look once a second
 * whether it has become free.
 */
public final class LeasedDuty {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedDuty.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private record Taken(Lease lease, String deployment) {}

  private final Vertx vertx;
  private final Context context;
  private final Leases leases;
  private final Clock clock;
  private final String name;
  private final Function<Lease, VerticleBase> duty;
  private @Nullable Taken taken;
  private boolean closed;

  /**
   * @param name of the lease
   * @param duty what is deployed by the server that holds the lease
   */
  public LeasedDuty(
      Vertx vertx, Leases leases, Clock clock, String name, Function<Lease, VerticleBase> duty) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.leases = leases;
    this.clock = clock;
    this.name = name;
    this.duty = duty;
  }

  /**
   * Takes the lease if it is free; else as soon as it is.
   *
   * @return completes when the first look is over; fails when the duty cannot be done here
   */
  public Future<Void> open() {
    return onContext(this::take)
        .onComplete(looked -> {
          if (leases.shared()) {
            context.runOnContext(go -> lookAgainSoon());
          }
        });
  }

  private void lookAgainSoon() {
    clock.after(
        LOOK,
        () -> {
          if (!closed) {
            take()
                .onFailure(failure -> LOG.warn("could not take over {}", name, failure))
                .onComplete(looked -> lookAgainSoon());
          }
        });
  }

  /** Looks before it takes: a look costs no commit. */
  private Future<Void> take() {
    return taken != null || closed
        ? Future.succeededFuture()
        : leases
            .holder(name)
            .compose(holder ->
                holder.isPresent()
                    ? Future.succeededFuture(Optional.<Lease>empty())
                    : leases.take(name))
            .compose(lease -> lease.isPresent() ? begin(lease.get()) : Future.succeededFuture());
  }

  private Future<Void> begin(Lease lease) {
    return vertx
        .deployVerticle(duty.apply(lease))
        .<Void>map(deployment -> {
          Taken now = new Taken(lease, deployment);
          taken = now;
          if (leases.shared()) {
            LOG.info("took over {}", name);
          }
          lease.lost().onComplete(lost -> context.runOnContext(go -> end(now)));
          return null;
        })
        .recover(failure ->
            lease.giveBack().otherwiseEmpty().compose(given -> Future.failedFuture(failure)));
  }

  private Future<Void> end(Taken now) {
    return vertx
        .undeploy(now.deployment())
        .onFailure(failure -> LOG.warn("could not end {} cleanly", name, failure))
        .otherwiseEmpty()
        .onComplete(gone -> {
          if (now.equals(taken)) {
            taken = null;
          }
        });
  }

  /** Ends the duty, if it is this server's, and lets another have the post. */
  public Future<Void> close() {
    return onContext(() -> {
      closed = true;
      return Optional.ofNullable(taken)
          .map(now -> end(now).compose(gone -> now.lease().giveBack().otherwiseEmpty()))
          .orElse(Future.succeededFuture());
    });
  }

  private Future<Void> onContext(Supplier<Future<Void>> step) {
    return Future.<Void>future(
        promise -> context.runOnContext(go -> step.get().onComplete(promise)));
  }
}
