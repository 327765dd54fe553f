package io.orrery.compute.hybrid;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.hybrid.HybridFiles.Place;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Room;
import io.orrery.compute.service.SiblingPlatforms;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on which platform each attempt runs, and submits it there. The choice is persisted before
 * the submission, so that a repeated submission reaches the same platform. Attempts for which no
 * platform has room wait in a queue, and go to the first platform that has room.
 *
 * <p>The file is longer than 400 lines, because all of it guards the queue and the places of
 * attempts by one lock.
 */
final class HybridDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(HybridDispatcher.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final String NEVER = "canceled before it started";

  private final Surroundings surroundings;
  private final SiblingPlatforms neighbours;
  private final Keepers keepers;
  private final Background background;
  private final HybridFiles files;
  private final Fleets fleets;

  /** Held while it is decided, and written down, where an attempt goes; not while it goes. */
  private final ReentrantLock deciding = new ReentrantLock();

  /** Those that wait for room, with what was said to them; guarded by the lock. */
  private final Map<AttemptRef, Waiting> line = new LinkedHashMap<>();

  /** Those that are just being canceled. */
  private final Set<AttemptRef> canceled = ConcurrentHashMap.newKeySet();

  /** Whether it is looked again soon. */
  private final AtomicBoolean looking = new AtomicBoolean();

  private volatile boolean closed;

  private static final class Waiting {
    final Submission submission;
    @Nullable String told;

    Waiting(Submission submission) {
      this.submission = submission;
    }
  }

  HybridDispatcher(
      Surroundings surroundings, Background background, HybridFiles files, Fleets fleets) {
    this.surroundings = surroundings;
    this.neighbours = surroundings.neighbours();
    this.keepers = surroundings.keepers();
    this.background = background;
    this.files = files;
    this.fleets = fleets;
  }

  /**
   * Sends an attempt somewhere, or lets it wait.
   *
   * @param turn whether it has waited until now, so that it stands behind no other
   */
  void arrange(Submission submission, boolean turn) throws Exception {
    AttemptRef ref = submission.attempt();
    PlatformStats fleet = fleets.of(ref, submission.job());
    boolean over = false;
    while (!over) {
      MemberPlatform member;
      deciding.lock();
      try {
        keepers.mustAct(ref.trial().experiment());
        Place place = files.place(ref);
        if (place == null) {
          member = choose(submission, fleet, turn);
        } else if (place.member() != null) {
          member = fleet.named(place.member());
          fleet.found(ref, member.name());
        } else {
          member = null;
          neverStarted(ref);
        }
      } finally {
        deciding.unlock();
      }
      over = member == null || hand(submission, fleet, member);
    }
  }

  /** A platform for an attempt; null when it waits. */
  private @Nullable MemberPlatform choose(Submission submission, PlatformStats fleet, boolean turn)
      throws IOException {
    AttemptRef ref = submission.attempt();
    boolean behind =
        !turn
            && line.keySet().stream()
                .anyMatch(other -> other.trial().experiment().equals(ref.trial().experiment()));
    PlatformChoice choice =
        behind
            ? new PlatformChoice(null, "others of the experiment wait for a platform before it")
            : fleet.choose(ref, member -> room(member, submission.job()));
    PlatformLoad chosen = choice.chosen();
    if (chosen == null) {
      Waiting waiting = line.computeIfAbsent(ref, fresh -> new Waiting(submission));
      if (!choice.why().equals(waiting.told)) {
        waiting.told = choice.why();
        tell(new PlatformEvent.Waiting(ref, choice.why()));
      }
      lookLater();
      return null;
    }
    files.place(ref, new Place(chosen.name()));
    line.remove(ref);
    return fleet.named(chosen.name());
  }

  /** How much room a platform says it has for an experiment. */
  Room room(MemberPlatform member, JobSpec job) {
    Future<TrainingService> service = neighbours.service(member.platform());
    return service.succeeded()
        ? service.result().room(member.alone(job))
        : Room.absent("is not a platform of this server");
  }

  /** Whether it is there now; false when it may go elsewhere. */
  private boolean hand(Submission submission, PlatformStats fleet, MemberPlatform member)
      throws Exception {
    AttemptRef ref = submission.attempt();
    TrainingService service = await(neighbours.service(member.platform()));
    try {
      await(service.submit(member.alone(submission)));
      return true;
    } catch (ProblemException e) {
      switch (e.problem()) {
        case Problem.Busy busy -> {
          Duration pause = busy.retryAfter().compareTo(LOOK) > 0 ? busy.retryAfter() : LOOK;
          fleet.setAside(member.name(), busy.detail(), pause);
          return !leave(ref, fleet);
        }
        // Perhaps it was taken: who repeats this finds it there.
        case Problem.Broken _, Problem.Unavailable _ -> throw e;
        case Problem.Refused _,
            Problem.NotFound _,
            Problem.Conflict _,
            Problem.Unauthorized _,
            Problem.Forbidden _,
            Problem.TooLarge _ -> {
          leave(ref, fleet);
          throw e;
        }
      }
    }
  }

  /** A platform did not take it; whether it may go elsewhere. */
  private boolean leave(AttemptRef ref, PlatformStats fleet) throws IOException {
    deciding.lock();
    try {
      fleet.left(ref);
      // Where it goes may be another server's to say by now, and what that wrote down stands.
      keepers.mustAct(ref.trial().experiment());
      if (canceled.contains(ref)) {
        files.place(ref, new Place(null));
        neverStarted(ref);
        return false;
      }
      files.forget(ref);
      return true;
    } finally {
      deciding.unlock();
    }
  }

  // ---- those that wait -----------------------------------------------------------------------

  private void lookLater() {
    if (!closed && looking.compareAndSet(false, true)) {
      surroundings
          .clock()
          .after(
              LOOK,
              () -> {
                looking.set(false);
                look();
              });
    }
  }

  /** Perhaps there is room now. */
  void look() {
    try {
      background.execute(this::serve);
    } catch (RejectedExecutionException closing) {
      LOG.trace("dropping a dispatch: the platform is closed");
    }
  }

  /** Those in the line, one after the other; of each experiment until there is no room. */
  private void serve() {
    List<Waiting> waiting;
    deciding.lock();
    try {
      waiting = List.copyOf(line.values());
    } finally {
      deciding.unlock();
    }
    Set<ExperimentId> full = new HashSet<>();
    for (Waiting each : waiting) {
      AttemptRef ref = each.submission.attempt();
      if (full.contains(ref.trial().experiment()) || !isInLine(ref)) {
        continue;
      }
      try {
        arrange(each.submission, true);
        if (isInLine(ref)) {
          full.add(ref.trial().experiment());
        }
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
        return;
      } catch (Exception e) {
        declined(each, Problem.of(e));
      }
    }
  }

  /** Whether an attempt waits for room. */
  boolean isInLine(AttemptRef ref) {
    deciding.lock();
    try {
      return line.containsKey(ref);
    } finally {
      deciding.unlock();
    }
  }

  /** One that has waited here cannot be given back: its submitter has gone on. */
  private void declined(Waiting waiting, Problem problem) {
    AttemptRef ref = waiting.submission.attempt();
    if (!keepers.mayAct(ref.trial().experiment())) {
      return;
    }
    if (problem instanceof Problem.Broken || problem instanceof Problem.Unavailable) {
      LOG.warn("could not hand over attempt {}, trying again: {}", ref, problem.detail());
      deciding.lock();
      try {
        line.putIfAbsent(ref, waiting);
        lookLater();
      } finally {
        deciding.unlock();
      }
      return;
    }
    tell(new PlatformEvent.Ended(ref, null, surroundings.clock().now(), problem.detail()));
  }

  // ---- those that come back, or never go -----------------------------------------------------

  /** What the platforms say: who starts has waited, and who goes leaves room. */
  void overheard(PlatformEvent event) {
    AttemptRef ref = event.attempt();
    PlatformStats fleet = fleets.known(ref);
    if (fleet == null || closed) {
      return;
    }
    switch (event) {
      case PlatformEvent.Started _ -> {
        String why = fleet.started(ref);
        if (why != null) {
          tell(new PlatformEvent.Noted(ref, why));
        }
      }
      case PlatformEvent.Vacated _ -> left(ref, fleet);
      case PlatformEvent.Ended _ -> {
        left(ref, fleet);
        fleets.over(ref);
      }
      case PlatformEvent.Waiting _, PlatformEvent.Noted _, PlatformEvent.Unreachable _ -> {}
    }
  }

  private void left(AttemptRef ref, PlatformStats fleet) {
    if (fleet.left(ref)) {
      look();
    }
  }

  /**
   * From now on an attempt goes nowhere any more, unless it has gone; one in the line ends here. To
   * be followed by {@link #wasCanceled}.
   *
   * @return where it is, and has to be canceled; null when it is nowhere
   */
  @Nullable Place cancel(AttemptRef ref) throws IOException {
    deciding.lock();
    try {
      keepers.mustAct(ref.trial().experiment());
      canceled.add(ref);
      Place place = files.place(ref);
      if (place == null) {
        files.place(ref, new Place(null));
        if (line.remove(ref) != null) {
          neverStarted(ref);
        }
      }
      return place;
    } finally {
      deciding.unlock();
    }
  }

  /** Its platform has been told. */
  void wasCanceled(AttemptRef ref) {
    canceled.remove(ref);
  }

  /** Takes an attempt out of the line; whether it stood there. */
  boolean withdraw(AttemptRef ref) {
    deciding.lock();
    try {
      return line.remove(ref) != null;
    } finally {
      deciding.unlock();
    }
  }

  /** An attempt has no place any more, and another may have its room. */
  void takenBack(AttemptRef ref) throws IOException {
    forget(ref);
    PlatformStats fleet = fleets.known(ref);
    if (fleet != null && fleet.left(ref)) {
      look();
    }
  }

  /**
   * A platform does not know an attempt that was sent there. It goes there again when it is
   * submitted anew: a name is unique on one platform, but not across two. Unless that gets no
   * attempts now.
   */
  void neverCame(AttemptRef ref, MemberPlatform member) throws IOException {
    PlatformStats fleet = fleets.known(ref);
    if (fleet != null) {
      fleet.left(ref);
    }
    if (fleet == null || fleet.standing(member, Room.UNKNOWN).absence() != null) {
      forget(ref);
    }
  }

  private void forget(AttemptRef ref) throws IOException {
    deciding.lock();
    try {
      keepers.mustAct(ref.trial().experiment());
      files.forget(ref);
    } finally {
      deciding.unlock();
    }
  }

  /** Sends no attempts of an experiment from here any more. */
  void leave(ExperimentId experiment) {
    deciding.lock();
    try {
      line.keySet().removeIf(ref -> ref.trial().experiment().equals(experiment));
    } finally {
      deciding.unlock();
    }
  }

  /** Tells the end of one that was canceled before it went anywhere. */
  void neverStarted(AttemptRef ref) {
    tell(new PlatformEvent.Ended(ref, null, surroundings.clock().now(), NEVER));
  }

  private void tell(PlatformEvent event) {
    surroundings.listener().happened(event);
  }

  /** Sends no attempts any more. */
  void close() {
    closed = true;
  }
}
