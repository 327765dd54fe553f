package io.orrery.compute.keeper;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.Call;
import io.orrery.core.bus.contract.TrialKeepers.Reply;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Lease;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what keepers say to the owner of their experiment: here, or in another server by an
 * address that carries the epoch of his lease. So a call reaches the present owner or none; a
 * keeper that reached none asks again. Confined to one event loop but for what says otherwise.
 */
final class OwnerClient implements OwnedLeases.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerClient.class);

  /** After which the taking over of an experiment should be done. */
  private static final Duration SOON = Duration.ofSeconds(1);

  /** What is remembered of others' experiments; beyond that it is looked up again. */
  private static final int MOST_KNOWN = 10_000;

  private final Bus bus;
  private final Executor loop;
  private final OwnedLeases tenures;
  private final boolean shared;
  private final Function<Call, Future<? extends Reply>> desk;

  /** The epochs of other servers' experiments, as they were found last. */
  private final Map<ExperimentId, Long> known = new HashMap<>();

  private final Map<Lease, Future<Subscription>> served = new HashMap<>();

  /**
   * @param loop runs what it gets on the event loop
   * @param shared whether there may be other servers: else no server is asked what it owns
   * @param desk takes what is for this server
   */
  OwnerClient(
      Bus bus,
      Executor loop,
      OwnedLeases tenures,
      boolean shared,
      Function<Call, Future<? extends Reply>> desk) {
    this.bus = bus;
    this.loop = loop;
    this.tenures = tenures;
    this.shared = shared;
    this.desk = desk;
  }

  /** Where the calls to the present owner of an experiment arrive. */
  private static Address<Call, Reply> place(ExperimentId experiment, long epoch) {
    return TrialKeepers.CALL.of(experiment + "." + epoch);
  }

  /** Takes what is said at an address to whom it concerns. */
  <C extends Call, R extends Reply> Future<Subscription> serve(Address<C, R> address) {
    return bus.serve(address, call -> pass(call).map(address.answer()::cast));
  }

  private Future<? extends Reply> pass(Call call) {
    ExperimentId experiment = call.attempt().trial().experiment();
    Lease lease = tenures.of(experiment);
    if (lease != null) {
      return answer(call, lease);
    }
    if (!shared) {
      return desk.apply(call);
    }
    Long epoch = known.get(experiment);
    return epoch == null
        ? find(experiment).compose(found -> bus.request(place(experiment, found), call))
        : bus.request(place(experiment, epoch), call)
            .recover(failure -> again(call, experiment, epoch, failure));
  }

  /** The server that was asked may be gone, or may not be the owner any more. */
  private Future<Reply> again(Call call, ExperimentId experiment, long before, Throwable failure) {
    if (!(Problem.of(failure) instanceof Problem.Passing)) {
      return Future.failedFuture(failure);
    }
    known.remove(experiment, before);
    return find(experiment)
        .compose(found ->
            found == before
                ? Future.failedFuture(failure)
                : bus.request(place(experiment, found), call));
  }

  /** Only that there is no such experiment is a verdict; all else may be over at the next call. */
  private Future<Long> find(ExperimentId experiment) {
    return bus.request(
            experiment.isOfRun() ? OwnedLeases.FIND_RUN : OwnedLeases.FIND,
            new OwnedLeases.Find(experiment))
        .recover(failure ->
            Future.failedFuture(
                Problem.of(failure) instanceof Problem.NotFound ? failure : another()))
        .map(found -> {
          if (known.size() >= MOST_KNOWN) {
            known.clear();
          }
          known.put(experiment, found.epoch());
          return found.epoch();
        });
  }

  /**
   * An answer that is ready when another server may own the experiment already is none, and least
   * of all a refusal: a keeper that is refused ends its command.
   */
  private Future<? extends Reply> answer(Call call, Lease lease) {
    return lease.held()
        ? desk.apply(call)
            .map(Reply.class::cast)
            .transform((reply, failure) -> {
              if (!lease.held()) {
                return Future.failedFuture(another());
              }
              return failure == null ? Future.succeededFuture(reply) : Future.failedFuture(failure);
            })
        : Future.failedFuture(another());
  }

  private static ProblemException another() {
    return new Problem.Busy("the experiment goes to another server", SOON).toException();
  }

  @Override
  public void begun(ExperimentId experiment, Lease lease) {
    if (shared) {
      loop.execute(() -> {
        known.remove(experiment);
        Future<Subscription> serving =
            bus.serve(
                place(experiment, lease.epoch()),
                call -> answer(call, lease).map(Reply.class::cast));
        served.put(lease, serving);
        serving.onFailure(
            e -> LOG.error("could not serve the keepers of experiment {}", experiment, e));
      });
    }
  }

  @Override
  public void over(ExperimentId experiment, Lease lease) {
    loop.execute(() -> {
      Future<Subscription> gone = served.remove(lease);
      if (gone != null) {
        gone.compose(Subscription::cancel)
            .onFailure(e -> LOG.debug("{} is still served: {}", experiment, e.getMessage()));
      }
    });
  }
}
