package io.orrery.compute.remote;

import io.orrery.compute.remote.LivenessProbe.Sight;
import io.orrery.compute.remote.RemoteFiles.End;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one attempt, told from its beginning to its end by one virtual thread: it gets a
 * {@link AttemptPlacement}, is started there, is waited for, and is cleared away. What its keeper
 * says and what others want lies in its {@link Mailbox}; the {@link LivenessProbe} asks the machine
 * when nothing was heard for a tick.
 *
 * <p>Before anything that others feel it is asked whether this server may still act for the
 * experiment: what one that stood still had begun ends here, and goes on elsewhere.
 */
final class RemoteAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteAttempt.class);
  private static final String KEEPER_ENDED = "its keeper ended";
  private static final String NEVER = "canceled before it started";

  /** The exit code of what failed for certain and never ran. */
  private static final int NEVER_RAN = 1;

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

  /** Why it can never start, on whatever machine; known to the thread that lives it alone. */
  private @Nullable String impossible;

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
    MachineSeat place = launch();
    if (impossible != null) {
      finish(new End(null, NEVER_RAN, collaborators.clock().now(), impossible));
    } else if (place != null) {
      String reason = awaitEnd(place.machine());
      clear(place.machine(), reason);
    } else if (placement.isWithdrawn()) {
      collaborators.keepers().forget(ref);
      leaving.accept(this);
    } else {
      finish(new End(null, null, collaborators.clock().now(), NEVER));
    }
    over.complete(null);
  }

  /** Where it was started, or may have been; null when it gets no place any more. */
  private @Nullable MachineSeat launch() throws InterruptedException, Elsewhere {
    while (true) {
      MachineSeat place = placement.await(collaborators.patience().tick(), events::waiting);
      if (place == null) {
        ownership.mustBeOurs();
        return null;
      }
      if (launch(place)) {
        return place;
      }
      if (impossible != null) {
        return null;
      }
    }
  }

  /**
   * Starts it, or finds it started. Without an answer it is tried again on the same machine, where
   * a second start does nothing.
   *
   * @return false when it is certain that it has not started, and it has left the place
   */
  private boolean launch(MachineSeat place) throws InterruptedException, Elsewhere {
    Machine machine = place.machine();
    while (order != null && !mailbox.isCanceled() && !mailbox.isEnded() && !mailbox.isStarted()) {
      ownership.mustBeOurs();
      try {
        start(place, site(machine), order);
        probe.launched();
        events.launched();
        return true;
      } catch (Unstarted e) {
        LOG.warn("could not start {} on {}: {}", ref, machine.name(), e.why());
        if (e.isOwnFault()) {
          impossible = e.why();
        } else {
          machine.setAside(e.why());
        }
        placement.giveBack();
        return false;
      } catch (MachineAway e) {
        if (!placement.mayHaveStarted()) {
          placement.giveBack();
          return false;
        }
        if (isGivenUp(machine)) {
          return true;
        }
        away(machine, e.why());
        mailbox.await(collaborators.patience().tick());
      }
    }
    return true;
  }

  private void start(MachineSeat place, ConnectedMachine site, Order what)
      throws MachineAway, Unstarted, InterruptedException {
    String experiment = ref.trial().experiment().value();
    if (!what.isCodeShared()) {
      place.machine().bring(site, what.code().digest(), experiment, what.launch().token());
    }
    placement.starting();
    run(site).start(place, what);
  }

  private static ConnectedMachine site(Machine machine) throws MachineAway {
    ConnectedMachine site = machine.site();
    if (site == null) {
      throw MachineAway.passing(String.valueOf(machine.trouble()));
    }
    return site;
  }

  private RemoteRun run(ConnectedMachine site) {
    return new RemoteRun(site, ref, collaborators.patience());
  }

  /** Waits for its end; why it is over although its keeper has not said so, else null. */
  private @Nullable String awaitEnd(Machine machine) throws InterruptedException, Elsewhere {
    Instant forced = null;
    while (true) {
      ownership.mustBeOurs();
      events.started(mailbox.startedAt());
      if (mailbox.isEnded()) {
        return null;
      }
      if (mailbox.isCanceled()) {
        Instant now = collaborators.clock().now();
        forced = forced == null ? now.plus(collaborators.patience().farewell()) : forced;
        if (!mailbox.isStarted()) {
          return NEVER;
        }
        if (!now.isBefore(forced)) {
          return "its keeper did not end, and was killed";
        }
      }
      if (isGivenUp(machine)) {
        mailbox.cancelKeeper();
        return machine.name()
            + " has been away for "
            + awayLimit.toSeconds()
            + " s (it "
            + machine.trouble()
            + "), and the trial was given up";
      }
      String lost = mailbox.await(collaborators.patience().tick()) ? look(machine) : null;
      if (lost != null) {
        return lost;
      }
    }
  }

  /** Asks the machine how it is; why it is over although its keeper has not said so, else null. */
  private @Nullable String look(Machine machine) throws InterruptedException {
    return switch (probe.look(machine)) {
      case Sight.Away(String why) -> {
        away(machine, why);
        yield null;
      }
      case Sight.Seen seen -> {
        events.back(mailbox.startedAt());
        yield loss(seen);
      }
    };
  }

  private @Nullable String loss(Sight.Seen seen) throws InterruptedException {
    return switch (seen) {
      case Sight.Alive() -> null;
      case Sight.Stuck(String why) -> mailbox.isStarted() ? null : why;
      case Sight.Over() -> mailbox.lastWord() == null ? KEEPER_ENDED : null;
      case Sight.Lost(String why) -> mailbox.lastWord() == null ? why : null;
    };
  }

  private boolean isGivenUp(Machine machine) {
    Instant since = machine.awaySince();
    return since != null && !collaborators.clock().now().isBefore(since.plus(awayLimit));
  }

  private void away(Machine machine, String why) {
    events.away(machine, why, mailbox.isStarted());
  }

  // ---- its end -------------------------------------------------------------------------------

  /** Ends what is left of it, removes its directory, and tells its end. */
  private void clear(Machine machine, @Nullable String why) throws InterruptedException, Elsewhere {
    if (mailbox.isEnded()) {
      if (mailbox.isStarted()) {
        events.vacated();
      }
      placement.vacate();
    }
    Remains found = Remains.NONE;
    while (true) {
      ownership.mustBeOurs();
      try {
        boolean peacefully = mailbox.isEnded() || KEEPER_ENDED.equals(why);
        found =
            run(site(machine)).end(peacefully ? collaborators.patience().grace() : Duration.ZERO);
        break;
      } catch (MachineAway e) {
        // Its tree is over when its keeper says so; what is left there is removed at the next
        // arrival.
        if (mailbox.isEnded() || isGivenUp(machine)) {
          break;
        }
        away(machine, e.why());
        mailbox.await(collaborators.patience().tick());
      }
    }
    placement.vacate();
    finish(end(why == null ? KEEPER_ENDED : why, found));
  }

  /** How it ended: as its keeper tells it, or else as it looks from here. */
  private End end(String why, Remains found) throws InterruptedException {
    // One that was told to end from outside may have had its say meanwhile.
    State.Ended told = mailbox.lastWord();
    Instant startedAt = mailbox.startedAt();
    if (told != null) {
      return new End(
          startedAt == null ? told.at() : startedAt, told.exitCode(), told.at(), told.reason());
    }
    Instant now = collaborators.clock().now();
    if (startedAt == null && mailbox.isCanceled()) {
      return new End(null, null, now, NEVER);
    }
    return new End(startedAt, startedAt == null ? null : found.exitCode(), now, found.explain(why));
  }

  private void finish(End end) throws Elsewhere {
    ownership.mustBeOurs();
    placement.ended(end);
    collaborators.keepers().over(ref);
    leaving.accept(this);
    events.ended(end);
  }
}
