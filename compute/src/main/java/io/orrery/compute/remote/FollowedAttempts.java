package io.orrery.compute.remote;

import io.orrery.compute.remote.RemoteFiles.Place;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts that this server follows: each once, and each with a virtual thread that lives its
 * life. They hear what becomes of their machines. Thread safe.
 */
final class FollowedAttempts implements Machine.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedAttempts.class);

  private final RemoteAttempt.Collaborators collaborators;
  private final Executor threads;
  private final Map<AttemptRef, RemoteAttempt> followed = new ConcurrentHashMap<>();

  /**
   * @param threads where they live; a thread each
   */
  FollowedAttempts(RemoteAttempt.Collaborators collaborators, Executor threads) {
    this.collaborators = collaborators;
    this.threads = threads;
  }

  /** Whether one is followed here. */
  boolean has(AttemptRef attempt) {
    return followed.containsKey(attempt);
  }

  /** Returns the attempt while it is followed; else null. */
  @Nullable RemoteAttempt get(AttemptRef attempt) {
    return followed.get(attempt);
  }

  /**
   * From now on this attempt lives here, unless it does already.
   *
   * @param awayLimit after which it is given up when its machine is away
   * @param place where it is already; null when it has no place
   * @param order null when it is only to be ended
   * @return who follows it
   */
  RemoteAttempt follow(
      AttemptRef ref,
      List<MachineChoice.Candidate> candidates,
      Duration awayLimit,
      @Nullable Place place,
      @Nullable Order order) {
    MachineSeat seat = place == null ? null : MachineSeat.of(candidates, place);
    RemoteAttempt fresh =
        new RemoteAttempt(
            ref,
            collaborators,
            candidates,
            awayLimit,
            seat,
            order,
            leaving -> followed.remove(ref, leaving));
    RemoteAttempt present = followed.putIfAbsent(ref, fresh);
    if (present != null) {
      return present;
    }
    if (seat != null) {
      seat.machine().seats().put(ref, seat);
    }
    fresh.follow();
    threads.execute(() -> live(fresh));
    return fresh;
  }

  private void live(RemoteAttempt attempt) {
    AttemptRef ref = attempt.ref();
    try {
      attempt.live();
    } catch (InterruptedException closing) {
      LOG.trace("attempt {} continues without the server", ref);
    } catch (RuntimeException | Error e) {
      LOG.error("could not follow attempt {} any longer", ref, e);
      followed.remove(ref, attempt);
      collaborators
          .listener()
          .happened(new PlatformEvent.Unreachable(ref, "the server failed: " + e));
      attempt.over().completeExceptionally(e);
    }
  }

  /**
   * Ends the following of an experiment that another server owns now: its attempts go on, and
   * nothing is told here.
   */
  void abandon(ExperimentId experiment) {
    followed.values().stream()
        .filter(attempt -> attempt.ref().trial().experiment().equals(experiment))
        .forEach(RemoteAttempt::abandon);
  }

  /** Their keepers are not heard any more. */
  void forget() {
    followed.keySet().forEach(collaborators.keepers()::forget);
  }

  // ---- their machines ------------------------------------------------------------------------

  /** What was given up, or deleted, while the machine was away is ended now. */
  @Override
  public void arrived(Machine machine, ConnectedMachine site)
      throws MachineAway, InterruptedException {
    for (String run : site.census(collaborators.patience().command()).keySet()) {
      AttemptRef ref = ConnectedMachine.attempt(run);
      if (ref == null || has(ref)) {
        continue;
      }
      RemoteFiles files = collaborators.files();
      Place place = files.place(ref);
      boolean over = place != null ? place.end() != null : files.prepared(ref) == null;
      if (over) {
        end(new RemoteRun(site, ref, collaborators.patience()));
      }
    }
  }

  /** What does not end is no reason to do without the machine. */
  private static void end(RemoteRun run) throws MachineAway, InterruptedException {
    try {
      run.end(Duration.ZERO);
    } catch (MachineAway e) {
      if (!run.site().connection().isOpen()) {
        throw e;
      }
      LOG.warn("{} is over, and {}", run.directory(), e.why());
    }
  }

  @Override
  public void changed(Machine machine) {
    followed.values().stream()
        .filter(attempt -> attempt.concerns(machine))
        .forEach(RemoteAttempt::stir);
  }
}
