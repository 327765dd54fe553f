package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.FollowedJob;
import io.orrery.compute.attempt.FollowedJobs;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.kubernetes.ApiFailure;
import io.orrery.kubernetes.Watch;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that is followed. Whenever something may have changed it looks at all there is now:
 * the job, its pods, what its keepers said. What it concludes it tells once.
 */
final class JobAttempt extends FollowedJob {
  private static final String NO_ANSWER = "its pod was deleted, but its node does not answer";

  /** Seconds that a cluster must keep an ended job to remember its end for us. */
  private static final long MEMORY = 600;

  private final AttemptRef ref;
  private final Blueprint blueprint;
  private final WatchedCluster site;
  private final String name;
  private final Keepers keepers;
  private final ClusterTimeouts patience;
  private final Instant since;

  private @Nullable Instant finalSince;
  private @Nullable Instant hopelessSince;
  private @Nullable Instant blindSince;
  private boolean seen;

  /** Whether that it runs has been told; for callers that must not wait. */
  private volatile boolean begun;

  private final Removal removal;
  private final Conclusion conclusion;

  private @Nullable String waiting;
  private @Nullable String warning;

  JobAttempt(
      AttemptRef ref,
      Blueprint blueprint,
      WatchedCluster site,
      Collaborators collaborators,
      ClusterTimeouts patience,
      FollowedJobs<JobAttempt> followed) {
    super(ref, collaborators, patience.farewell(), followed);
    this.ref = ref;
    this.blueprint = blueprint;
    this.site = site;
    this.name = blueprint.kind().name(ref);
    this.keepers = collaborators.keepers();
    this.patience = patience;
    this.removal = new Removal(site, blueprint.kind().resource(), name);
    this.conclusion = new Conclusion(name, blueprint.roles().getFirst().name(), removal);
    this.since = now();
  }

  /** The name of its job. */
  String name() {
    return name;
  }

  Blueprint blueprint() {
    return blueprint;
  }

  WatchedCluster site() {
    return site;
  }

  /** Its job is known to have been there, so that its absence means that it was deleted. */
  synchronized void wasThere() {
    seen = true;
  }

  /**
   * Whether what the watches have just shown may lead to something. One that runs goes on until its
   * job is over or gone, or one of its pods is in trouble; other changes are found by the look
   * every few seconds. Costs little, and never waits.
   */
  boolean isNews() {
    Watch<JobState> jobs = site.watchedJobs(blueprint.kind());
    JobState job = jobs == null ? null : jobs.of(name).get(name);
    Map<String, PodView> pods = site.pods().of(name);
    // Here, because the next change of a pod may come before it is looked at.
    observe(job, pods);
    // One that is not launched will be looked at when it is.
    return launched().isDone()
        && (!begun
            || job == null
            || job.isFinal()
            || pods.values().stream().anyMatch(pod -> pod.hopeless() || pod.leaving()));
  }

  private Collection<PodView> pods() {
    return site.pods().of(name).values();
  }

  /** Notes the loss of a pod, unless its controller moves pods as a matter of course. */
  private void observe(@Nullable JobState job, Map<String, PodView> pods) {
    if (!removal.isBegun() && !blueprint.kind().restarts()) {
      conclusion.observe(pods, job == null || job.endsPods());
    }
  }

  /** Whether any pod of it has come to run, and so had all that it needs. */
  boolean hasBegun() {
    return pods().stream().anyMatch(PodView::hasBegun);
  }

  /** The operators' warnings about a job that has no pods yet. */
  synchronized void warned(String words) {
    warning = words;
  }

  /** Whether it waits for its first pod, and why is not known. */
  synchronized boolean isPuzzling(Instant now) {
    return !isStarted()
        && !isCanceled()
        && launched().isDone()
        && now.isAfter(since.plus(patience.puzzling()))
        && site.pods().of(name).isEmpty();
  }

  /**
   * Whether an end is the attempt's: that of a pod that was ended for another one is not. It does
   * not matter whether the attempt is canceled, for the next server must judge the same.
   */
  @Override
  protected boolean counts(Keepers.State.Ended end) {
    return !blueprint.kind().restarts() || end.exitCode() != Keepers.State.Ended.TERMINATED;
  }

  /** Deletes its job; of one that is canceled a refusal is no failure, and is tried again. */
  @Override
  protected void stop() {
    mustBeOurs();
    if (isCanceled()) {
      removal.tryDelete(now());
    } else {
      removal.delete(now());
    }
  }

  @Override
  protected void conclude(Instant now) throws IOException, TimeoutException {
    JobState job = site.jobs(blueprint.kind()).of(name).get(name);
    Map<String, PodView> named = site.pods().of(name);
    Collection<PodView> pods = named.values();
    observe(job, named);
    seen |= job != null;
    if (isOutOfReach(now)) {
      finish(null, pods);
      return;
    }
    if (!reachable(now)) {
      return;
    }
    if (!isCanceled()) {
      tellStart(job, pods);
      tellWaiting(job, pods);
    }
    Instant deleted = removal.deletedAt();
    if (deleted != null) {
      whileDeleted(job, pods, deleted, now);
    } else {
      whileThere(job, pods, now);
    }
  }

  /** While the watch is lost nothing is concluded from what it showed last. */
  private boolean reachable(Instant now) {
    if (site.isLive()) {
      if (blindSince != null && isStarted() && waiting != null) {
        waiting = null;
        tellStarted(now);
      }
      blindSince = null;
      return true;
    }
    blindSince = blindSince == null ? now : blindSince;
    boolean long_ = now.isAfter(blindSince.plus(patience.blind()));
    if (long_ && isStarted() && waiting == null) {
      String trouble = site.trouble();
      waiting =
          "the API server at "
              + site.cluster().server()
              + " cannot be watched"
              + (trouble == null ? "" : ": " + trouble);
      tell(new PlatformEvent.Unreachable(ref, waiting));
    }
    return keeperEnd() != null;
  }

  private void tellStart(@Nullable JobState job, Collection<PodView> pods) {
    if (isStarted()) {
      return;
    }
    Instant at =
        pods.stream()
            .map(PodView::startedAt)
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(keeperStart());
    if (at == null && job != null && job.phase() == JobState.Phase.RUNNING) {
      at = Objects.requireNonNullElse(job.at(), now());
    }
    Keepers.State.Ended end = keeperEnd();
    if (at == null && end != null) {
      at = end.at();
    }
    if (at != null) {
      waiting = null;
      tellStarted(at);
      begun = true;
      blueprint.notices().forEach(notice -> tell(new PlatformEvent.Noted(ref, notice)));
    }
  }

  private void tellWaiting(@Nullable JobState job, Collection<PodView> pods) {
    if (isStarted()) {
      return;
    }
    String words = PodView.trouble(pods);
    if (words == null) {
      words = warning;
    }
    if (words == null && job != null && job.phase() == JobState.Phase.WAITING) {
      words = job.reason();
    }
    if (words == null && now().isAfter(since.plus(patience.puzzling()))) {
      words = "the cluster has its job " + name + " and has not started its pod yet";
    }
    if (words != null && !words.equals(waiting)) {
      waiting = words;
      tell(new PlatformEvent.Waiting(ref, words));
    }
  }

  private void whileThere(@Nullable JobState job, Collection<PodView> pods, Instant now)
      throws IOException, TimeoutException {
    boolean living = !pods.stream().allMatch(PodView::over);
    boolean isFinal = job != null && job.isFinal();
    boolean gone = job == null && seen;
    finalSince = isFinal || gone ? (finalSince == null ? now : finalSince) : null;
    hopelessSince =
        isHopeless(pods) && !isFinal ? (hopelessSince == null ? now : hopelessSince) : null;
    // The controller that moves its pods makes new ones when these are gone.
    boolean lost =
        living
            && keeperEnd() == null
            && !blueprint.kind().restarts()
            && pods.stream().allMatch(pod -> pod.over() || pod.isOverdue(now, patience.lost()));
    if (finalSince != null && !living) {
      settle(job, pods, !now.isAfter(finalSince.plus(patience.telling())));
    } else if (hopelessSince != null && now.isAfter(hopelessSince.plus(patience.hopeless()))) {
      String words = Objects.requireNonNullElse(PodView.trouble(pods), warning);
      conclusion.stuck(isStarted(), Objects.requireNonNullElse(words, "its pod cannot start"));
      stop();
    } else if (lost) {
      conclusion.stuck(isStarted(), Objects.requireNonNullElse(PodView.trouble(pods), NO_ANSWER));
      stop();
    } else if (past(finalSince, now) || past(keeperEndSeen(), now)) {
      // Its result is known, or will never be: what lingers is not waited for.
      conclusion.draw(job, pods, keeperEnd());
      stop();
      removal.deletePods();
    } else if (job == null && !seen && now.isAfter(since.plus(patience.lingering()))) {
      seen = site.cluster().find(blueprint.kind().resource(), name) == null;
    }
  }

  /** Whether no pod of it can begin to run, or be made, without a repair by an administrator. */
  private boolean isHopeless(Collection<PodView> pods) {
    boolean denied = !isStarted() && warning != null && ApiFailure.isDenial(warning);
    return pods.isEmpty() ? denied : pods.stream().anyMatch(PodView::hopeless);
  }

  /**
   * Jobs and pods are watched apart, and nothing orders the two: a job may be seen to end before
   * the pod that tells how. Where no keeper told, the API server is asked; but for a good end,
   * which is not likely to be another one, not before the watch has had time to tell.
   */
  private void settle(@Nullable JobState job, Collection<PodView> pods, boolean fresh)
      throws IOException, TimeoutException {
    boolean known = keeperEnd() != null || isSaid(job, pods);
    if (fresh && !known && succeeded(job)) {
      return;
    }
    Collection<PodView> left = known ? pods : site.podsNow(name);
    if (left.stream().allMatch(PodView::over)) {
      // The watch may still show pods that went together with their job.
      finish(job, left.isEmpty() ? pods : left);
    }
  }

  /** Whether it succeeded and every pod that it has was seen to: nothing can be added to that. */
  private boolean isSaid(@Nullable JobState job, Collection<PodView> pods) {
    return succeeded(job)
        && pods.size() >= blueprint.roles().stream().mapToInt(Role::pods).sum()
        && pods.stream().allMatch(pod -> pod.exitCode() != null && pod.exitCode() == 0);
  }

  private static boolean succeeded(@Nullable JobState job) {
    return job != null && job.phase() == JobState.Phase.SUCCEEDED;
  }

  private boolean past(@Nullable Instant since, Instant now) {
    return since != null && now.isAfter(since.plus(patience.lingering()));
  }

  /**
   * Whether it is to end although its job cannot be deleted: it was canceled, the cluster refuses
   * this server, and its command is over, never began, or has had the time to end.
   */
  private boolean isOutOfReach(Instant now) {
    if (!isCanceled() || !removal.isRefused()) {
      return false;
    }
    removal.tryDelete(now);
    boolean over = keeperEnd() != null || keeperStart() == null;
    return removal.isRefusedFor(over ? patience.blind() : patience.lingering(), now);
  }

  private void whileDeleted(
      @Nullable JobState job, Collection<PodView> pods, Instant deleted, Instant now)
      throws IOException, TimeoutException {
    boolean living = !pods.stream().allMatch(PodView::over);
    // A watch that began while the job was being deleted may never tell that it is gone.
    boolean overdue = now.isAfter(deleted.plus(patience.tick()));
    if (((job == null && !living) || overdue) && removal.isDone()) {
      finish(null, pods);
    } else if (living && now.isAfter(deleted.plus(patience.collector()))) {
      // The garbage collector is late, or there is none.
      removal.deletePods();
      if (now.isAfter(deleted.plus(patience.lost()))
          && pods.stream().allMatch(pod -> pod.over() || pod.leaving())) {
        conclusion.stuckUnlessDrawn(isStarted(), NO_ANSWER);
        finish(null, pods);
      }
    }
  }

  private void finish(@Nullable JobState job, Collection<PodView> pods)
      throws IOException, TimeoutException {
    hearLastWord();
    if (!isCanceled()) {
      tellStart(job, pods);
    }
    Keepers.State.Ended told = keeperEnd();
    Verdict said =
        isCanceled()
            ? conclusion.ofCanceled(isStarted(), pods, told)
            : conclusion.of(job, pods, told);
    boolean isTold = told != null && Objects.equals(told.exitCode(), said.exitCode());
    Instant at =
        told != null
            ? told.at()
            : job == null || job.at() == null || isCanceled() ? now() : job.at();
    boolean kept = conclusion.isDrawn() || (told == null ? !isKept(job) : !isTold);
    end(new PlatformEvent.Ended(ref, said.exitCode(), at, said.reason()), kept);
  }

  /** Whether a server that takes this attempt up again finds its end in the cluster. */
  private boolean isKept(@Nullable JobState job) {
    return !isCanceled() && succeeded(job) && blueprint.kind().keep() >= MEMORY;
  }

  @Override
  protected String directory() {
    Storage storage = blueprint.storage();
    return storage == null ? keepers.storageUrl(ref) : storage.url(ref);
  }
}
