package io.orrery.compute.kubernetes;

import static io.orrery.compute.attempt.KeeperFacts.past;

import io.orrery.compute.attempt.KeeperFacts;
import io.orrery.compute.kubernetes.JobProgress.Running;
import io.orrery.compute.kubernetes.JobProgress.Since;
import io.orrery.compute.kubernetes.JobProgress.Unreachable;
import io.orrery.compute.kubernetes.JobProgress.Waiting;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.kubernetes.ApiFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The life of an attempt in a cluster: what follows from its state and from all that is known of it
 * now. Pure; {@link JobAttempt} gathers the facts and acts.
 */
final class JobLife {
  private static final String NO_ANSWER = "its pod was deleted, but its node does not answer";

  /** Seconds that a cluster must keep an ended job to remember its end for us. */
  private static final long MEMORY = 600;

  private final AttemptRef ref;
  private final JobTraits traits;
  private final ClusterTimeouts timeouts;
  private final Instant begun;

  /**
   * @param begun when it began to be followed
   */
  JobLife(AttemptRef ref, JobTraits traits, ClusterTimeouts timeouts, Instant begun) {
    this.ref = ref;
    this.traits = traits;
    this.timeouts = timeouts;
    this.begun = begun;
  }

  /** An action that follows. */
  sealed interface Action {}

  /** Tells that the command runs. */
  record TellStarted(Instant at) implements Action {}

  /** Tells another event. */
  record Tell(PlatformEvent event) implements Action {}

  /** Deletes the job. */
  record Delete() implements Action {}

  /** Deletes the pods of the job. */
  record DeletePods() implements Action {}

  /** Asks once more for the deletion that the cluster refuses; {@link #askedAgain} follows. */
  record DeleteAgain() implements Action {}

  /** Asks the API server whether there is a job; {@link #searched} follows. */
  record Search() implements Action {}

  /** Asks the API server for the pods; {@link #listed} follows. */
  record ListPods() implements Action {}

  /** Asks the API server whether all is gone; {@link #checked} follows. */
  record CheckRemoval() implements Action {}

  /**
   * Waits for what a keeper has said and is not known yet; {@link #end} follows.
   *
   * @param facts by which it has ended
   */
  record Finish(JobFacts facts) implements Action {}

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
  record Next(JobProgress state, List<Action> actions) {
    Next {
      actions = List.copyOf(actions);
    }

    private static Next of(JobProgress state, Action... actions) {
      return new Next(state, List.of(actions));
    }
  }

  /** Concludes what follows for an attempt that is launched and not over. */
  Next conclude(JobProgress state, JobFacts facts, Instant now) {
    JobProgress next = state.sawJob(facts.job() != null);
    boolean refused = facts.keeper().canceled() && facts.deletion().refusedSince() != null;
    return refused ? Next.of(next, new DeleteAgain()) : watched(next, facts, now);
  }

  /**
   * Concludes what follows when the cluster was asked again. One that was canceled ends although
   * its job cannot be deleted when its command is over, never began, or has had the time to end.
   */
  Next askedAgain(JobProgress state, JobFacts facts, Instant now) {
    KeeperFacts keeper = facts.keeper();
    boolean over = keeper.end() != null || keeper.start() == null;
    return past(
            facts.deletion().refusedSince(), over ? timeouts.blind() : timeouts.lingering(), now)
        ? Next.of(state, new Finish(facts.withoutJob()))
        : watched(state, facts, now);
  }

  /** Whether it waits for its first pod, and why is not known. */
  boolean isPuzzling(JobProgress state, Instant now) {
    return !state.isStarted() && past(begun, timeouts.puzzling(), now);
  }

  // ---- what is told --------------------------------------------------------------------------

  /** While the watch is lost nothing is concluded from what it showed last. */
  private Next watched(JobProgress state, JobFacts facts, Instant now) {
    List<Action> actions = new ArrayList<>();
    JobProgress next =
        sight(state.with(state.since().blind(!facts.watch().live(), now)), facts, now, actions);
    if (!facts.watch().live() && facts.keeper().end() == null) {
      return new Next(next, actions);
    }
    if (!facts.keeper().canceled()) {
      next = started(next, facts, now, actions);
      next = waiting(next, facts, now, actions);
    }
    next =
        facts.deletion().at() == null
            ? whileThere(next, facts, now, actions)
            : whileDeleted(next, facts, now, actions);
    return new Next(next, actions);
  }

  private JobProgress sight(JobProgress state, JobFacts facts, Instant now, List<Action> actions) {
    switch (state.told()) {
      case Waiting _ -> {}
      case Running _ -> {
        if (past(state.since().blind(), timeouts.blind(), now)) {
          String trouble = facts.watch().trouble();
          String why =
              "the API server at "
                  + traits.server()
                  + " cannot be watched"
                  + (trouble == null ? "" : ": " + trouble);
          actions.add(new Tell(new PlatformEvent.Unreachable(ref, why)));
          return state.with(new Unreachable());
        }
      }
      case Unreachable _ -> {
        if (facts.watch().live()) {
          actions.add(new TellStarted(now));
          return state.with(new Running());
        }
      }
    }
    return state;
  }

  private JobProgress started(
      JobProgress state, JobFacts facts, Instant now, List<Action> actions) {
    Instant at = state.isStarted() ? null : facts.start(now);
    if (at == null) {
      return state;
    }
    actions.add(new TellStarted(at));
    traits.notices().forEach(notice -> actions.add(new Tell(new PlatformEvent.Noted(ref, notice))));
    return state.with(new Running());
  }

  private JobProgress waiting(
      JobProgress state, JobFacts facts, Instant now, List<Action> actions) {
    if (!(state.told() instanceof Waiting(String before))) {
      return state;
    }
    String why = waits(facts, now);
    if (why == null || why.equals(before)) {
      return state;
    }
    actions.add(new Tell(new PlatformEvent.Waiting(ref, why)));
    return state.with(new Waiting(why));
  }

  private @Nullable String waits(JobFacts facts, Instant now) {
    JobState job = facts.job();
    String words = trouble(facts);
    if (words == null && job != null && job.phase() == JobState.Phase.WAITING) {
      words = job.reason();
    }
    if (words == null && past(begun, timeouts.puzzling(), now)) {
      words = "the cluster has its job " + traits.name() + " and has not started its pod yet";
    }
    return words;
  }

  /** Why it does not run, by its pods or else by the operators; null when nothing is known. */
  private static @Nullable String trouble(JobFacts facts) {
    String words = PodView.trouble(facts.pods());
    return words == null ? facts.warning() : words;
  }

  // ---- while its job is there ----------------------------------------------------------------

  private JobProgress whileThere(
      JobProgress state, JobFacts facts, Instant now, List<Action> actions) {
    JobState job = facts.job();
    boolean isFinal = job != null && job.isFinal();
    boolean gone = job == null && state.seen();
    Since since = state.since().job(isFinal || gone, isHopeless(state, facts) && !isFinal, now);
    JobProgress next = state.with(since);
    if (since.over() != null && !facts.isLiving()) {
      settle(next, facts, now, actions);
    } else if (past(since.hopeless(), timeouts.hopeless(), now)) {
      actions.add(new Delete());
      return stuck(next, Objects.requireNonNullElse(trouble(facts), "its pod cannot start"));
    } else if (isLost(facts, now)) {
      actions.add(new Delete());
      return stuck(next, Objects.requireNonNullElse(PodView.trouble(facts.pods()), NO_ANSWER));
    } else if (past(since.over(), timeouts.lingering(), now)
        || past(facts.keeper().endSeen(), timeouts.lingering(), now)) {
      // Its result is known, or will never be: what lingers is not waited for.
      actions.add(new Delete());
      actions.add(new DeletePods());
      return next.with(next.judgment().draw(evidence(facts)));
    } else if (job == null && !next.seen() && past(begun, timeouts.lingering(), now)) {
      actions.add(new Search());
    }
    return next;
  }

  private static JobProgress stuck(JobProgress state, String words) {
    return state.with(state.judgment().stuck(state.isStarted(), words));
  }

  /** Whether no pod of it can begin to run, or be made, without a repair by an administrator. */
  private static boolean isHopeless(JobProgress state, JobFacts facts) {
    String warning = facts.warning();
    boolean denied = !state.isStarted() && warning != null && ApiFailure.isDenial(warning);
    return facts.pods().isEmpty() ? denied : facts.pods().stream().anyMatch(PodView::hopeless);
  }

  /** Whether its nodes do not answer. A controller that moves its pods makes new ones then. */
  private boolean isLost(JobFacts facts, Instant now) {
    return facts.isLiving()
        && facts.keeper().end() == null
        && !traits.restarts()
        && facts.pods().stream().allMatch(pod -> pod.over() || pod.isOverdue(now, timeouts.lost()));
  }

  /**
   * Jobs and pods are watched apart, and nothing orders the two: a job may be seen to end before
   * the pod that tells how. Where no keeper told, the API server is asked; but for a good end,
   * which is not likely to be another one, not before the watch has had time to tell.
   */
  private void settle(JobProgress state, JobFacts facts, Instant now, List<Action> actions) {
    if (facts.keeper().end() != null || isSaid(facts)) {
      actions.add(new Finish(facts));
    } else if (!facts.hasSucceeded() || past(state.since().over(), timeouts.telling(), now)) {
      actions.add(new ListPods());
    }
  }

  /** Whether it succeeded and every pod that it has was seen to: nothing can be added to that. */
  private boolean isSaid(JobFacts facts) {
    return facts.hasSucceeded()
        && facts.pods().size() >= traits.pods()
        && facts.pods().stream().allMatch(pod -> pod.exitCode() != null && pod.exitCode() == 0);
  }

  /**
   * Concludes what follows from the pods that the API server has. The watch may still show pods
   * that went together with their job, and tell more.
   */
  Next listed(JobProgress state, JobFacts facts, List<PodView> present) {
    if (!JobFacts.areOver(present)) {
      return Next.of(state);
    }
    return Next.of(state, new Finish(present.isEmpty() ? facts : facts.with(present)));
  }

  /** Concludes what follows from whether the API server has its job, which was never seen. */
  Next searched(JobProgress state, boolean found) {
    return Next.of(state.sawJob(!found));
  }

  // ---- while its job is being deleted --------------------------------------------------------

  private JobProgress whileDeleted(
      JobProgress state, JobFacts facts, Instant now, List<Action> actions) {
    // A watch that began while the job was being deleted may never tell that it is gone.
    boolean overdue = past(facts.deletion().at(), timeouts.tick(), now);
    if ((facts.job() == null && !facts.isLiving()) || overdue) {
      actions.add(new CheckRemoval());
      return state;
    }
    return collected(state, facts, now, actions);
  }

  /** Concludes what follows from whether all of it is gone. */
  Next checked(JobProgress state, JobFacts facts, boolean gone, Instant now) {
    if (gone) {
      return Next.of(state, new Finish(facts.withoutJob()));
    }
    List<Action> actions = new ArrayList<>();
    JobProgress next = collected(state, facts, now, actions);
    return new Next(next, actions);
  }

  private JobProgress collected(
      JobProgress state, JobFacts facts, Instant now, List<Action> actions) {
    Instant deleted = facts.deletion().at();
    if (!facts.isLiving() || !past(deleted, timeouts.collector(), now)) {
      return state;
    }
    // The garbage collector is late, or there is none.
    actions.add(new DeletePods());
    boolean lost =
        past(deleted, timeouts.lost(), now)
            && facts.pods().stream().allMatch(pod -> pod.over() || pod.leaving());
    if (!lost) {
      return state;
    }
    actions.add(new Finish(facts.withoutJob()));
    return state.judgment().drawn() == null ? stuck(state, NO_ANSWER) : state;
  }

  // ---- how it ended --------------------------------------------------------------------------

  private Verdict.Evidence evidence(JobFacts facts) {
    return new Verdict.Evidence(
        traits.name(),
        traits.role(),
        facts.job(),
        facts.pods(),
        facts.keeper().end(),
        facts.taken());
  }

  /**
   * Concludes how it ended.
   *
   * @param facts by which it has ended, with the last word of its keeper
   */
  Next end(JobProgress state, JobFacts facts, Instant now) {
    List<Action> actions = new ArrayList<>();
    boolean canceled = facts.keeper().canceled();
    JobProgress last = canceled ? state : started(state, facts, now, actions);
    Judgment judgment = last.judgment();
    Verdict said =
        canceled
            ? judgment.ofCanceled(evidence(facts), last.isStarted(), facts.deletion().refusal())
            : judgment.of(evidence(facts));
    Keepers.State.Ended told = facts.keeper().end();
    boolean isTold = told != null && Objects.equals(told.exitCode(), said.exitCode());
    boolean kept = judgment.drawn() != null || (told == null ? !isRemembered(facts) : !isTold);
    actions.add(
        new End(
            new PlatformEvent.Ended(ref, said.exitCode(), endedAt(facts, now), said.reason()),
            kept));
    return new Next(last, actions);
  }

  private static Instant endedAt(JobFacts facts, Instant now) {
    Keepers.State.Ended told = facts.keeper().end();
    if (told != null) {
      return told.at();
    }
    JobState job = facts.job();
    return job == null || job.at() == null || facts.keeper().canceled() ? now : job.at();
  }

  /** Whether a server that takes this attempt up again finds its end in the cluster. */
  private boolean isRemembered(JobFacts facts) {
    return !facts.keeper().canceled() && facts.hasSucceeded() && traits.keep() >= MEMORY;
  }
}
