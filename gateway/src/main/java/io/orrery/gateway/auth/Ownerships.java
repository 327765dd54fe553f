package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.util.Map;

/**
 * A cache of the projects and owners of experiments. An entry lasts a second at most, and ends with
 * its experiment: a later one of the same id may belong to another user.
 */
public final class Ownerships {
  private static final int MOST = 10_000;
  private static final long MILLIS = 1_000;

  private final Bus bus;
  private final Clock clock;
  private final Map<ExperimentId, Known> byId = new LeastRecentlyUsed<>(MOST);

  private record Known(ResourceOwner ownership, long untilMillis) {}

  public Ownerships(Bus bus, Clock clock) {
    this.bus = bus;
    this.clock = clock;
  }

  /** Listens for deletions; called once, on the event loop that asks. */
  void listen() {
    bus.listen(
        Experiments.NEWS,
        event -> {
          if (event instanceof ExperimentEvent.Deleted deleted) {
            byId.remove(deleted.id());
          }
        });
  }

  /** The project and owner of an experiment; fails with NotFound. */
  public Future<ResourceOwner> of(ExperimentId id) {
    Known known = byId.get(id);
    return known != null && known.untilMillis() > clock.millis()
        ? Future.succeededFuture(known.ownership())
        : bus.request(Experiments.OWNERSHIP, new Experiments.GetOwnership(id))
            .onSuccess(ownership -> byId.put(id, new Known(ownership, clock.millis() + MILLIS)));
  }

  /** Completes when a caller may do something with an experiment; fails when not. */
  public Future<Void> require(Caller caller, Need need, ExperimentId id) {
    if (caller.seesEverything() && (need == Need.READ || !caller.readsOnly())) {
      return Future.succeededFuture();
    }
    String what = "experiment '" + id + "'";
    return of(id)
        .recover(failure ->
            // What does not exist and what is hidden are told alike.
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(Callers.hidden(what))
                : Future.failedFuture(failure))
        .map(ownership -> {
          Callers.require(caller, need, ownership, what);
          return null;
        });
  }
}
