package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Leases;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A router of commands to the owners of experiments. Where servers share a store, a command for an
 * experiment of another server is sent to that server. Where no server owns the experiment, this
 * one becomes its owner, unless its trials run on another machine.
 *
 * <p>On the context of the {@link OwnedExperiments}.
 */
public final class CommandRouter {
  /** The time after which another server should have taken over an experiment. */
  private static final Duration BETWEEN_OWNERS = Duration.ofSeconds(5);

  /** The time that an owner stays loaded which was loaded to answer for its epoch only. */
  private static final Duration STAY = Duration.ofSeconds(30);

  private final ExperimentServices services;
  private final Leases leases;
  private final ExperimentTable experiments;
  private final OwnedExperiments owned;

  public CommandRouter(
      ExperimentServices services, ExperimentTable experiments, OwnedExperiments owned) {
    this.services = services;
    this.leases = services.leases();
    this.experiments = experiments;
    this.owned = owned;
  }

  /**
   * Sends a command to the owner, wherever it is, waking it first when there is none.
   *
   * @return fails with Busy while the experiment goes from one owner to the next
   */
  public <Q, A> Future<A> handOver(Address<Q, A> address, ExperimentId id, Q command) {
    return machine(id)
        .compose(host -> {
          // Looked at after the row was read: an owner may have been put away meanwhile.
          Future<Void> leaving = owned.leaving(id);
          if (leaving != null) {
            return leaving.compose(gone -> handOver(address, id, command));
          }
          return isAnother(host)
              ? elsewhere(address, id, command, host)
              : here(address, id, command, () -> elsewhere(address, id, command, Optional.empty()));
        });
  }

  /** The same, but only when no other server owns the experiment; nothing happens when one does. */
  public <Q, A> Future<Void> handOverHere(Address<Q, A> address, ExperimentId id, Q command) {
    Future<Void> leaving = owned.leaving(id);
    return leaving == null
        ? here(address, id, command, () -> Future.<A>succeededFuture()).mapEmpty()
        : leaving.compose(gone -> handOverHere(address, id, command));
  }

  private <Q, A> Future<A> here(
      Address<Q, A> address, ExperimentId id, Q command, Supplier<Future<A>> elsewhere) {
    return owned.whileOwned(
        id, epoch -> epoch.map(own -> send(address, id, own, command)).orElseGet(elsewhere));
  }

  private <Q, A> Future<A> elsewhere(
      Address<Q, A> address, ExperimentId id, Q command, Optional<String> host) {
    return leases
        .holder(Experiments.lease(id))
        .compose(holder ->
            holder.isPresent()
                ? send(address, id, holder.get().epoch(), command)
                : Future.failedFuture(between(id, host)));
  }

  private <Q, A> Future<A> send(Address<Q, A> address, ExperimentId id, long epoch, Q command) {
    return services.bus().request(address.of(Owners.place(id, epoch)), command);
  }

  /**
   * The epoch of the present owner, wherever it is. A server is woken as the owner when there is
   * none: a keeper of an experiment that is over may come late, and finds an owner for a while.
   *
   * @return fails with Busy while the experiment goes from one owner to the next
   */
  public Future<Long> epoch(ExperimentId id) {
    if (owned.owns(id) || owned.leaving(id) != null) {
      return present(id);
    }
    return leases
        .holder(Experiments.lease(id))
        .compose(holder ->
            holder.isPresent()
                ? Future.succeededFuture(holder.get().epoch())
                : machine(id)
                    .compose(host ->
                        owned.rests(id) || isAnother(host)
                            ? Future.failedFuture(between(id, host))
                            : present(id))
                    .onSuccess(
                        woken -> services.clock().after(STAY, () -> owned.putAwayIfOver(id))));
  }

  private Future<Long> present(ExperimentId id) {
    return owned
        .epoch(id)
        .compose(epoch ->
            epoch
                .map(Future::succeededFuture)
                .orElseGet(() ->
                    Future.failedFuture(busy("another server begins to own experiment " + id))));
  }

  /** The machine of an experiment that no other can take over. */
  private Future<Optional<String>> machine(ExperimentId id) {
    return leases.shared() ? experiments.host(id) : Future.succeededFuture(Optional.empty());
  }

  private boolean isAnother(Optional<String> host) {
    return host.filter(other -> !other.equals(leases.host())).isPresent();
  }

  private static ProblemException between(ExperimentId id, Optional<String> host) {
    return busy(
        "no server%s owns experiment %s now; one that can will take it over"
            .formatted(host.map(name -> " on " + name).orElse(""), id));
  }

  private static ProblemException busy(String why) {
    return new Problem.Busy(why, BETWEEN_OWNERS).toException();
  }
}
