package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Lease;
import io.orrery.core.lease.Leases;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The experiments that this server owns, which are those of which it holds the lease. An owner is
 * deployed when a command needs its experiment, and undeployed afterwards, so that memory depends
 * on the experiments that run and not on all that ever ran. Where servers share a store, an
 * experiment without an owner is taken over.
 *
 * <p>All on one context.
 */
public final class OwnedExperiments {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedExperiments.class);

  /** Before an experiment is tried again that could not be run here. */
  private static final Duration REST = Duration.ofSeconds(30);

  private record Deployed(Lease lease, String deployment) {
    long epoch() {
      return lease.epoch();
    }
  }

  /** An experiment that has an owner here, and how many commands are on their way to it. */
  private static final class Owned {
    final Future<Optional<Deployed>> presence;
    int commands;

    Owned(Future<Optional<Deployed>> presence) {
      this.presence = presence;
    }
  }

  private final Vertx vertx;
  private final Context context;
  private final ExperimentServices services;
  private final Leases leases;
  private final ExperimentTable experiments;
  private final Map<ExperimentId, Owned> owned = new HashMap<>();
  private final Map<ExperimentId, Future<Void>> goingAway = new HashMap<>();

  /** Until when those that could not be run here are left to others. */
  private final Map<ExperimentId, Instant> resting = new HashMap<>();

  public OwnedExperiments(Vertx vertx, ExperimentServices services, ExperimentTable experiments) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.services = services;
    this.leases = services.leases();
    this.experiments = experiments;
  }

  /** Whether this server owns an experiment, or is about to. */
  public boolean owns(ExperimentId id) {
    return owned.containsKey(id);
  }

  /** Completes when the owner that leaves an experiment has gone; null when none does. */
  @Nullable Future<Void> leaving(ExperimentId id) {
    return goingAway.get(id);
  }

  /** Whether an experiment could not be run here a moment ago. */
  boolean rests(ExperimentId id) {
    Instant until = resting.get(id);
    return until != null && until.isAfter(services.clock().now());
  }

  // ---- owning --------------------------------------------------------------------------------

  /** Takes over all unfinished experiments without an owner. */
  public Future<Void> takeUp() {
    return leases
        .held()
        .map(held -> held.stream().map(Leases.Holder::name).collect(Collectors.toSet()))
        .compose(held -> experiments.unfinished(leases.host()).map(ids -> free(ids, held)))
        .map(free -> {
          free.forEach(id ->
              owner(id)
                  .presence
                  .onSuccess(presence ->
                      presence.ifPresent(here -> LOG.info("experiment {} goes on", id))));
          return null;
        });
  }

  private List<ExperimentId> free(List<ExperimentId> ids, Set<String> held) {
    Instant now = services.clock().now();
    resting.values().removeIf(until -> until.isBefore(now));
    return ids.stream()
        .filter(id -> !resting.containsKey(id))
        .filter(id -> !held.contains(Experiments.lease(id)))
        .filter(id -> !owned.containsKey(id) && !goingAway.containsKey(id))
        .toList();
  }

  /**
   * Becomes the owner of a new experiment. The lease comes first: a server that found the record
   * without it would take the experiment up at once.
   *
   * @param record writes down that the experiment is there
   * @return fails with Conflict when another of this name begins at the same moment
   */
  public Future<Void> begin(ExperimentId id, Supplier<Future<Void>> record) {
    Future<Void> leaving = goingAway.get(id);
    if (leaving != null) {
      return leaving.compose(gone -> begin(id, record));
    }
    if (owned.containsKey(id)) {
      return Future.failedFuture(ExperimentTable.taken(id).toException());
    }
    return owner(id, record).presence.mapEmpty();
  }

  private Owned owner(ExperimentId id) {
    return owner(id, Future::succeededFuture);
  }

  private Owned owner(ExperimentId id, Supplier<Future<Void>> record) {
    Owned known = owned.get(id);
    if (known != null) {
      return known;
    }
    Owned fresh =
        new Owned(
            leases
                .take(Experiments.lease(id))
                .compose(taken ->
                    taken.isEmpty()
                        ? record.get().map(Optional.empty())
                        : deploy(id, taken.get(), record).map(Optional::of)));
    owned.put(id, fresh);
    fresh
        .presence
        .onSuccess(presence -> {
          if (presence.isEmpty()) {
            owned.remove(id, fresh);
          } else {
            presence.get().lease().lost().onComplete(lost -> standDownSoon(id, fresh));
          }
        })
        .onFailure(failure -> {
          LOG.error("could not run experiment {}", id, failure);
          resting.put(id, services.clock().now().plus(REST));
          owned.remove(id, fresh);
        });
    return fresh;
  }

  private Future<Deployed> deploy(ExperimentId id, Lease lease, Supplier<Future<Void>> record) {
    return inFuture(record)
        .compose(recorded -> comeHere(id, lease))
        .compose(here -> vertx.deployVerticle(new ExperimentVerticle(services, id, lease)))
        .map(deployment -> new Deployed(lease, deployment))
        .recover(failure ->
            lease
                .giveBack()
                .otherwiseEmpty()
                .compose(given -> Future.<Deployed>failedFuture(failure)));
  }

  /** Its trials will be here, where a platform runs them beside the server. */
  private Future<Void> comeHere(ExperimentId id, Lease lease) {
    return leases.shared()
        ? experiments
            .find(id)
            .compose(found ->
                found.filter(services::staysWithItsHost).isPresent()
                    ? lease
                        .fencing(services.store())
                        .write(List.of(experiments.belongTo(id, leases.host())))
                    : Future.succeededFuture())
        : Future.succeededFuture();
  }

  /**
   * The epoch of the owner here, which is woken when there is none.
   *
   * @return empty when another server owns the experiment
   */
  Future<Optional<Long>> epoch(ExperimentId id) {
    return goingAway
        .getOrDefault(id, Future.succeededFuture())
        .compose(gone -> owner(id).presence)
        .map(presence -> presence.map(Deployed::epoch));
  }

  /**
   * Does something with the owner of an experiment, which is woken for it and stays until it is
   * done. No other may be {@link #leaving} the experiment.
   *
   * @param what gets the epoch of the owner; empty when another server owns the experiment
   */
  <T> Future<T> whileOwned(ExperimentId id, Function<Optional<Long>, Future<T>> what) {
    Owned owner = owner(id);
    owner.commands++;
    return owner
        .presence
        .compose(presence -> what.apply(presence.map(Deployed::epoch)))
        .eventually(() -> {
          owner.commands--;
          return Future.succeededFuture();
        })
        .onComplete(done -> putAwayIfOver(id));
  }

  // ---- letting go ----------------------------------------------------------------------------

  /** Puts an owner away that has nothing left to do. */
  public void putAwayIfOver(ExperimentId id) {
    Owned owner = owned.get(id);
    if (owner == null || owner.commands > 0 || goingAway.containsKey(id)) {
      return;
    }
    experiments
        .find(id)
        .onSuccess(found -> {
          boolean stillIdle = owned.get(id) == owner && owner.commands == 0;
          if (stillIdle && found.filter(record -> !record.over()).isEmpty()) {
            putAway(id, owner);
          }
        })
        .onFailure(failure -> LOG.warn("could not look up experiment {}", id, failure));
  }

  /** Undeploys an owner; fails with Conflict while a command is with it. */
  public Future<Void> putAway(ExperimentId id) {
    Owned owner = owned.get(id);
    if (owner == null) {
      return goingAway.getOrDefault(id, Future.succeededFuture());
    }
    return owner.commands > 0
        ? Future.failedFuture(
            new Problem.Conflict("another command to the experiment is under way: try again")
                .toException())
        : putAway(id, owner);
  }

  private Future<Void> putAway(ExperimentId id, Owned owner) {
    return leave(
        id,
        owner,
        gone ->
            gone.lease()
                .giveBack()
                .onFailure(failure ->
                    LOG.warn("could not give back the lease of experiment {}", id, failure))
                .otherwiseEmpty());
  }

  private void standDownSoon(ExperimentId id, Owned owner) {
    context.runOnContext(go -> {
      if (owned.get(id) == owner) {
        LOG.warn("experiment {} is another server's now, or soon will be", id);
        leave(id, owner, gone -> Future.succeededFuture());
      }
    });
  }

  private interface Farewell {
    Future<Void> to(Deployed gone);
  }

  private Future<Void> leave(ExperimentId id, Owned owner, Farewell farewell) {
    owned.remove(id, owner);
    Future<Void> gone =
        owner
            .presence
            .compose(presence ->
                presence.isEmpty()
                    ? Future.<Void>succeededFuture()
                    : vertx
                        .undeploy(presence.get().deployment())
                        .onFailure(failure -> LOG.warn("putting experiment {} away", id, failure))
                        .otherwiseEmpty()
                        .compose(away -> farewell.to(presence.get())))
            .otherwiseEmpty();
    return wait(id, gone);
  }

  /**
   * Runs an action on an experiment that has no owner, as the holder of its lease. Commands that
   * come meanwhile wait.
   *
   * @param alone fails when there is an owner here, or was until now
   * @return fails with Conflict when another server holds it
   */
  public <T> Future<T> whileUnowned(ExperimentId id, Future<Void> alone, Supplier<Future<T>> what) {
    Future<T> done =
        alone
            .compose(gone -> leases.take(Experiments.lease(id)))
            .compose(taken ->
                taken.isPresent()
                    ? whileHeld(id, taken.get(), what)
                    : Future.failedFuture(
                        new Problem.Conflict(
                                "another server is busy with the experiment: try again")
                            .toException()));
    wait(id, done.<Void>mapEmpty().otherwiseEmpty());
    return done;
  }

  private <T> Future<T> whileHeld(ExperimentId id, Lease lease, Supplier<Future<T>> what) {
    services.tenures().begin(id, lease);
    return inFuture(what)
        .eventually(() -> {
          services.tenures().end(id, lease);
          return lease.giveBack().otherwiseEmpty();
        });
  }

  /** What is thrown is a failure like any other: who holds a lease gives it back then. */
  private static <T> Future<T> inFuture(Supplier<Future<T>> what) {
    return Future.succeededFuture().compose(now -> what.get());
  }

  private Future<Void> wait(ExperimentId id, Future<Void> gone) {
    goingAway.put(id, gone);
    return gone.onComplete(done -> goingAway.remove(id, gone));
  }
}
