package io.orrery.compute.remote;

import io.orrery.compute.remote.RemoteFacts.Launch;
import io.orrery.compute.remote.RemoteFiles.End;
import io.orrery.compute.remote.RemoteState.Clearing;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.State;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt on a machine, from its search for a place to its end. One virtual thread gathers the
 * facts and does what {@link RemoteLife} concludes from them. The {@link AttemptPlacement} is its
 * place; the {@link Mailbox} holds what its keeper says and what others want; the {@link
 * LivenessProbe} asks the machine when nothing was heard for a tick.
 *
 * <p>Each action that others notice is preceded by the question whether this server may still act
 * for the experiment. A server that stood still and lost its lease goes no further; the attempt
 * goes on under the server that has the lease now.
 */
final class RemoteAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteAttempt.class);

  /** The collaborators that all attempts have from their service. */
  record Collaborators(
      Keepers keepers,
      RemoteFiles files,
      MachineChoice places,
      Clock clock,
      MachineTimeouts patience,
      PlatformListener listener) {}

  private final AttemptRef ref;
  private final Collaborators collaborators;
  private final Duration awayLimit;
  private final @Nullable Order order;
  private final Consumer<RemoteAttempt> leaving;
  private final AttemptOwnership ownership;
  private final AttemptEvents events;
  private final Mailbox mailbox;
  private final AttemptPlacement placement;
  private final LivenessProbe probe;
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  private final RemoteLife life;

  // Known to the thread that lives it alone.
  private RemoteState state = new RemoteState.Seeking();
  private boolean isOver;

  /**
   * @param seat where it is already; null when it has no place
   * @param order null when it is only to be ended
   * @param leaving told before its end is, so that who hears of that may submit it again
   */
  RemoteAttempt(
      AttemptRef ref,
      Collaborators collaborators,
      List<MachineChoice.Candidate> candidates,
      Duration awayLimit,
      @Nullable MachineSeat seat,
      @Nullable Order order,
      Consumer<RemoteAttempt> leaving) {
    this.ref = ref;
    this.collaborators = collaborators;
    this.awayLimit = awayLimit;
    this.order = order;
    this.leaving = leaving;
    this.ownership = new AttemptOwnership(collaborators.keepers(), ref.trial().experiment());
    this.events =
        new AttemptEvents(ref, collaborators.keepers(), collaborators.listener(), ownership);
    this.mailbox = new Mailbox(ref, collaborators.keepers(), events);
    this.placement =
        new AttemptPlacement(
            ref, candidates, collaborators.places(), collaborators.files(), ownership, seat);
    this.probe = new LivenessProbe(ref, collaborators.clock());
    MachineTimeouts timeouts = collaborators.patience();
    this.life = new RemoteLife(timeouts.farewell(), timeouts.grace());
  }

  AttemptRef ref() {
    return ref;
  }

  /** Completes when nothing more will be told of it. */
  CompletableFuture<Void> over() {
    return over;
  }

  // ---- what others want ----------------------------------------------------------------------

  /**
   * From now on its keeper is heard. To be called when it is on the list from which an experiment
   * is released: a release at the same time then sees it, or is seen here.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when another server owns it
   */
  void follow() {
    collaborators.keepers().follow(ref, mailbox);
    if (!ownership.isOurs()) {
      abandon();
      throw Keepers.another(ref.trial().experiment());
    }
  }

  /** It is to end; {@link #over} completes later. To be called when its keeper has been told. */
  void cancel() {
    placement.close();
    mailbox.cancel();
  }

  /** Takes it back if it has no place yet; whether it had none. */
  boolean withdraw() {
    return placement.withdraw();
  }

  /**
   * Ends the following of an attempt that another server owns now: it goes on, and nothing more is
   * done or told here.
   */
  void abandon() {
    if (!ownership.giveUp()) {
      return;
    }
    collaborators.keepers().forget(ref);
    leaving.accept(this);
    placement.close();
    placement.vacate();
    mailbox.stir();
    over.complete(null);
  }

  /** Something may have changed about its machine, or one that it waits for. */
  void stir() {
    placement.stir();
    mailbox.stir();
  }

  /** Whether it has to do with a machine. */
  boolean concerns(Machine machine) {
    return placement.concerns(machine);
  }

  // ---- its life ------------------------------------------------------------------------------

  /**
   * Lives it; blocks until it is over here, or until the thread is interrupted: then it goes on
   * alone.
   */
  void live() throws InterruptedException {
    try {
      liveHere();
    } catch (Elsewhere taken) {
      abandon();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof ClosedByInterruptException) {
        throw new InterruptedException("while a file of " + ref + " was written");
      }
      throw e;
    }
  }

  private void liveHere() throws InterruptedException, Elsewhere {
    while (!isOver) {
      ownership.mustBeOurs();
      perform(life.conclude(state, facts(), now()));
    }
    over.complete(null);
  }

  // ---- what is known -------------------------------------------------------------------------

  private RemoteFacts facts() {
    return mailbox.facts(order != null, placement.mayHaveStarted(), givenUp());
  }

  /** Why its machine is waited for no longer; null while it is. */
  private @Nullable String givenUp() {
    MachineSeat seat = placement.seat();
    if (seat == null) {
      return null;
    }
    Machine machine = seat.machine();
    Instant since = machine.awaySince();
    if (since == null || now().isBefore(since.plus(awayLimit))) {
      return null;
    }
    return machine.name()
        + " has been away for "
        + awayLimit.toSeconds()
        + " s (it "
        + machine.trouble()
        + "), and the trial was given up";
  }

  private MachineSeat seat() {
    return Objects.requireNonNull(placement.seat(), "it has no place");
  }

  private Machine machine() {
    return seat().machine();
  }

  private RemoteRun run() throws MachineAway {
    ConnectedMachine site = machine().site();
    if (site == null) {
      throw MachineAway.passing(String.valueOf(machine().trouble()));
    }
    return new RemoteRun(site, ref, collaborators.patience());
  }

  // ---- what is done --------------------------------------------------------------------------

  private void perform(RemoteLife.Next next) throws InterruptedException, Elsewhere {
    state = next.state();
    for (RemoteLife.Action action : next.actions()) {
      perform(action);
    }
  }

  private void perform(RemoteLife.Action action) throws InterruptedException, Elsewhere {
    switch (action) {
      case RemoteLife.Seek _ -> {
        boolean found = seek();
        perform(life.placed(found, placement.isWithdrawn(), now()));
      }
      case RemoteLife.Start _ -> {
        Launch launch = start();
        perform(life.launched(facts(), launch, now()));
      }
      case RemoteLife.GiveBack _ -> placement.giveBack();
      case RemoteLife.SetAside(String why) -> machine().setAside(why);
      case RemoteLife.TellStarted(Instant at) -> events.started(at);
      case RemoteLife.TellVacated _ -> events.vacated();
      case RemoteLife.TellAway(String why) -> events.away(machine(), why, mailbox.isStarted());
      case RemoteLife.TellBack _ -> events.back(mailbox.startedAt());
      case RemoteLife.Await _ -> {
        boolean _ = mailbox.await(collaborators.patience().tick());
      }
      case RemoteLife.AwaitOrProbe _ -> {
        if (mailbox.await(collaborators.patience().tick())) {
          LivenessProbe.Sight sight = probe.look(machine());
          perform(life.seen(state, facts(), sight));
        }
      }
      case RemoteLife.AskKeeper asking ->
          perform(life.heard(state, mailbox.hearLastWord() != null, asking.why()));
      case RemoteLife.CancelKeeper _ -> mailbox.cancelKeeper();
      case RemoteLife.Vacate _ -> placement.vacate();
      case RemoteLife.Clear(Clearing clearing, Duration patience) ->
          perform(clear(clearing, patience));
      case RemoteLife.Finish finish -> {
        // One that was told to end from outside may have had its say meanwhile.
        State.Ended _ = mailbox.hearLastWord();
        perform(life.end(state, facts(), finish, now()));
      }
      case RemoteLife.Over(End end) -> finish(end);
      case RemoteLife.Forget _ -> {
        collaborators.keepers().forget(ref);
        leaving.accept(this);
        isOver = true;
      }
    }
  }

  private Instant now() {
    return collaborators.clock().now();
  }

  /** Looks for a place; whether it has one. */
  private boolean seek() throws InterruptedException, Elsewhere {
    boolean found = placement.await(collaborators.patience().tick(), events::waiting);
    if (!found) {
      ownership.mustBeOurs();
    }
    return found;
  }

  private Launch start() throws InterruptedException {
    try {
      start(seat(), run(), Objects.requireNonNull(order, "there is nothing to start"));
      probe.launched();
      events.launched();
      return new RemoteFacts.Launched();
    } catch (Unstarted e) {
      LOG.warn("could not start {} on {}: {}", ref, machine().name(), e.why());
      return new RemoteFacts.Refused(e.why(), e.isOwnFault());
    } catch (MachineAway e) {
      return new RemoteFacts.Unanswered(e.why());
    }
  }

  private void start(MachineSeat place, RemoteRun run, Order what)
      throws MachineAway, Unstarted, InterruptedException {
    String experiment = ref.trial().experiment().value();
    if (!what.isCodeShared()) {
      place.machine().bring(run.site(), what.code().digest(), experiment, what.launch().token());
    }
    placement.starting();
    run.start(place, what);
  }

  private RemoteLife.Next clear(Clearing clearing, Duration patience) throws InterruptedException {
    try {
      return life.cleared(clearing, run().end(patience));
    } catch (MachineAway e) {
      return life.uncleared(clearing, facts(), e.why());
    }
  }

  private void finish(End end) throws Elsewhere {
    ownership.mustBeOurs();
    placement.ended(end);
    collaborators.keepers().over(ref);
    leaving.accept(this);
    events.ended(end);
    isOver = true;
  }
}
