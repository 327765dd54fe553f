package io.orrery.compute.batch;

import static io.orrery.compute.attempt.KeeperFacts.past;

import io.orrery.compute.attempt.KeeperFacts;
import io.orrery.compute.batch.BatchState.Running;
import io.orrery.compute.batch.BatchState.Stops;
import io.orrery.compute.batch.BatchState.Unreachable;
import io.orrery.compute.batch.BatchState.Waiting;
import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.compute.batch.JobView.Phase;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The life of an attempt at a batch service: what follows from its state and from all that is known
 * of it now. Pure; {@link BatchAttempt} gathers the facts and acts.
 */
final class BatchLife {
  private final AttemptRef ref;
  private final JobWords words;
  private final BatchTimeouts timeouts;

  BatchLife(AttemptRef ref, JobWords words, BatchTimeouts timeouts) {
    this.ref = ref;
    this.words = words;
    this.timeouts = timeouts;
  }

  /** An action that follows. */
  sealed interface Action {}

  /** Tells that the command runs. */
  record TellStarted(Instant at) implements Action {}

  /** Tells another event. */
  record Tell(PlatformEvent event) implements Action {}

  /** Asks for the end of jobs. */
  record Stop(List<JobRef> jobs) implements Action {
    Stop {
      jobs = List.copyOf(jobs);
    }
  }

  /** Asks for the end of jobs whose command runs in another one. */
  record StopSpare(List<JobRef> jobs) implements Action {
    StopSpare {
      jobs = List.copyOf(jobs);
    }
  }

  /** Records that the job may go on although the attempt ends here. */
  record LeaveBehind() implements Action {}

  /** Waits for what a keeper has said and is not known yet; {@link #end} follows. */
  record Finish() implements Action {}

  /**
   * Tells the end.
   *
   * @param kept whether it is to be kept on the disk: its end could not be told again
   */
  record End(PlatformEvent.Ended ended, boolean kept) implements Action {}

  /**
   * A conclusion.
   *
   * @param state the state from now on
   * @param actions in their order
   */
  record Conclusion(BatchState state, List<Action> actions) {
    Conclusion {
      actions = List.copyOf(actions);
    }
  }

  /** Concludes what follows for an attempt that is launched and not over. */
  Conclusion conclude(BatchState state, BatchFacts facts, Instant now) {
    List<Action> actions = new ArrayList<>();
    BatchState next = state;
    if (!facts.keeper().canceled()) {
      next = started(next, facts, now, actions);
      next = shown(next, facts, now, actions);
    }
    if (isOver(facts.jobs(), now)) {
      actions.add(new Finish());
    } else if (isOutOfReach(next, facts, now)) {
      actions.add(new LeaveBehind());
      actions.add(new Finish());
    } else {
      next = sparing(next, facts, now, actions);
      next = stopping(next, facts, now, actions);
    }
    return new Conclusion(next, actions);
  }

  /** The state once the end of all its jobs is asked for; that is asked again when it fails. */
  static BatchState stopped(BatchState state, Instant now) {
    return state.with(state.stops().stopped(now));
  }

  /** Concludes how it ended. */
  Conclusion end(BatchState state, BatchFacts facts, Instant now) {
    List<Action> actions = new ArrayList<>();
    BatchState last = facts.keeper().canceled() ? state : started(state, facts, now, actions);
    PlatformEvent.Ended ended = ended(last, facts, now);
    Keepers.State.Ended told = facts.keeper().end();
    boolean kept = told == null || !Objects.equals(told.exitCode(), ended.exitCode());
    actions.add(new End(ended, kept));
    return new Conclusion(last, actions);
  }

  // ---- what is told --------------------------------------------------------------------------

  private BatchState started(
      BatchState state, BatchFacts facts, Instant now, List<Action> actions) {
    Instant at = state.isStarted() ? null : startOf(facts, now);
    if (at == null) {
      return state;
    }
    actions.add(new TellStarted(at));
    String page = words.page(facts.jobs().ref());
    if (page != null) {
      actions.add(new Tell(new PlatformEvent.Noted(ref, "its job is shown at " + page)));
    }
    return state.with(new Running());
  }

  /** When its command began; null when nothing says that it did. */
  private static @Nullable Instant startOf(BatchFacts facts, Instant now) {
    KeeperFacts keeper = facts.keeper();
    JobView job = facts.jobs().view();
    if (keeper.start() != null) {
      return keeper.start();
    }
    if (job != null && job.phase() == Phase.RUNNING) {
      return Objects.requireNonNullElse(job.startedAt(), now);
    }
    return keeper.end() == null ? null : keeper.end().at();
  }

  private BatchState shown(BatchState state, BatchFacts facts, Instant now, List<Action> actions) {
    BatchFacts.Blindness blindness = facts.jobs().blindness();
    boolean blind = facts.jobs().isBlindFor(timeouts.blind(), now);
    switch (state.progress()) {
      case Waiting(String told) -> {
        String why = blind && blindness != null ? blindness.why() : waits(facts.jobs());
        if (why != null && !why.equals(told)) {
          actions.add(new Tell(new PlatformEvent.Waiting(ref, why)));
          return state.with(new Waiting(why));
        }
      }
      case Running _ -> {
        if (blind && blindness != null) {
          actions.add(new Tell(new PlatformEvent.Unreachable(ref, blindness.why())));
          return state.with(new Unreachable());
        }
      }
      case Unreachable _ -> {
        if (blindness == null) {
          actions.add(new TellStarted(now));
          return state.with(new Running());
        }
      }
    }
    return state;
  }

  private @Nullable String waits(BatchFacts.Jobs jobs) {
    JobView job = jobs.view();
    return job != null && job.phase() == Phase.WAITING ? words.waits(job, jobs.ref()) : null;
  }

  // ---- what is over, and what is stopped -----------------------------------------------------

  private boolean isOver(BatchFacts.Jobs jobs, Instant now) {
    JobView job = jobs.view();
    return job == null ? past(jobs.missingSince(), timeouts.missing(), now) : job.phase().isFinal();
  }

  /**
   * Whether it is to end although its job cannot be stopped: it was canceled, its service has
   * refused this server for some time, and its command is over, never began, or has had the time
   * that a job is given to end.
   */
  private boolean isOutOfReach(BatchState state, BatchFacts facts, Instant now) {
    KeeperFacts keeper = facts.keeper();
    return keeper.canceled()
        && facts.jobs().isRefusedFor(timeouts.blind(), now)
        && (keeper.end() != null
            || keeper.start() == null
            || past(state.stops().since(), timeouts.lingering(), now));
  }

  /**
   * A keeper that finds another one at work runs nothing, so a job that waits while the command
   * runs in another one is for nothing. It is given time to turn out to be the other one itself:
   * what a service says of two jobs may not be of one moment.
   */
  private BatchState sparing(
      BatchState state, BatchFacts facts, Instant now, List<Action> actions) {
    BatchFacts.Jobs jobs = facts.jobs();
    boolean ended = facts.keeper().end() != null;
    boolean elsewhere =
        (facts.keeper().start() != null && jobs.isAny(Phase.RUNNING::equals))
            || (ended && jobs.isAny(Phase::isFinal));
    boolean spare = elsewhere && jobs.isAny(Phase.WAITING::equals);
    Instant before = state.stops().spareSince();
    Stops stops = state.stops().sparing(spare ? Objects.requireNonNullElse(before, now) : null);
    boolean due = spare && (ended || past(stops.spareSince(), timeouts.spare(), now));
    if (due && (stops.spareAt() == null || past(stops.spareAt(), timeouts.again(), now))) {
      actions.add(new StopSpare(jobs.refs(Phase.WAITING::equals)));
      stops = stops.spared(now);
    }
    return state.with(stops);
  }

  private BatchState stopping(
      BatchState state, BatchFacts facts, Instant now, List<Action> actions) {
    KeeperFacts keeper = facts.keeper();
    Instant last = state.stops().at();
    boolean wanted = keeper.canceled() || past(keeper.endSeen(), timeouts.lingering(), now);
    if (!wanted || (last != null && !past(last, timeouts.again(), now))) {
      return state;
    }
    actions.add(new Stop(facts.jobs().unfinished()));
    return stopped(state, now);
  }

  // ---- how it ended --------------------------------------------------------------------------

  private PlatformEvent.Ended ended(BatchState state, BatchFacts facts, Instant now) {
    Keepers.State.Ended told = facts.keeper().end();
    JobView job = facts.jobs().view();
    if (told != null && !isTakenAway(told, state, facts)) {
      return new PlatformEvent.Ended(ref, told.exitCode(), told.at(), told.reason());
    }
    Instant at = job == null || job.endedAt() == null ? now : job.endedAt();
    Integer code = job == null ? null : job.exitCode();
    if (facts.keeper().canceled()) {
      return new PlatformEvent.Ended(ref, code, at, canceled(state, facts.jobs()));
    }
    if (job == null) {
      return new PlatformEvent.Ended(ref, null, at, words.deleted());
    }
    JobEnd end = new JobEnd(words, job, facts.jobs().ref());
    return switch (job.phase()) {
      case SUCCEEDED -> new PlatformEvent.Ended(ref, 0, at, null);
      case STOPPED -> new PlatformEvent.Ended(ref, null, at, end.stopped());
      case LOST -> new PlatformEvent.Ended(ref, null, at, end.lost());
      case FAILED ->
          new PlatformEvent.Ended(
              ref, end.code(state.isStarted()), at, end.failed(facts.keeper().start() != null));
      case WAITING, RUNNING -> throw new IllegalStateException("not over: " + job);
    };
  }

  /**
   * Whether the service, or a person there, ended the command with SIGTERM: then the exit code that
   * the keeper told says nothing of the command.
   */
  private static boolean isTakenAway(Keepers.State.Ended told, BatchState state, BatchFacts facts) {
    JobView job = facts.jobs().view();
    boolean byUs = facts.keeper().canceled() || state.stops().any();
    return !byUs
        && told.exitCode() == Keepers.State.Ended.TERMINATED
        && (job == null || job.phase() == Phase.STOPPED || job.phase() == Phase.LOST);
  }

  private static String canceled(BatchState state, BatchFacts.Jobs jobs) {
    String how = state.isStarted() ? "canceled" : "canceled before it started";
    BatchFacts.Blindness blindness = jobs.blindness();
    return blindness == null || !jobs.isRefused()
        ? how
        : how + "; its job " + jobs.name() + " may go on: " + blindness.why();
  }
}
