package io.orrery.orchestrator.platform.kubernetes;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.JobFiles;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.PlatformListener;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt that is followed. Whenever something may have changed it looks at all there is now:
 * the job, its pods, what its keepers said. What it concludes it tells once.
 */
final class JobAttempt implements Keepers.Listener {
  /** 128 and SIGTERM. */
  private static final int TERMINATED = 143;

  private static final String NO_ANSWER = "its pod was deleted, but its node does not answer";

  private static final Logger LOG = LoggerFactory.getLogger(JobAttempt.class);
  private static final long ANSWER_SECONDS = 30;

  /** Seconds that a cluster must keep an ended job to remember its end for us. */
  private static final long MEMORY = 600;

  private final AttemptRef ref;
  private final Blueprint blueprint;
  private final Site site;
  private final String name;
  private final Keepers keepers;
  private final JobFiles files;
  private final Clock clock;
  private final Patience patience;
  private final PlatformListener listener;
  private final Executor threads;
  private final Runnable onOver;
  private final CompletableFuture<@Nullable Void> launched = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

  private final Instant since;
  private @Nullable Instant keeperStart;
  private Keepers.State.@Nullable Ended keeperEnd;
  private @Nullable Instant keeperEndSeen;
  private @Nullable Instant finalSince;
  private @Nullable Instant hopelessSince;
  private @Nullable Instant blindSince;
  private boolean seen;
  private boolean started;
  private boolean canceled;
  private @Nullable Instant deletedAt;

  /** What there was to say before the job was deleted, which takes along what it was read from. */
  private @Nullable Verdict verdict;

  private @Nullable String waiting;
  private @Nullable String warning;

  JobAttempt(
      AttemptRef ref,
      Blueprint blueprint,
      Site site,
      Keepers keepers,
      JobFiles files,
      Clock clock,
      Patience patience,
      PlatformListener listener,
      Executor threads,
      Runnable onOver) {
    this.ref = ref;
    this.blueprint = blueprint;
    this.site = site;
    this.name = blueprint.kind().name(ref);
    this.keepers = keepers;
    this.files = files;
    this.clock = clock;
    this.patience = patience;
    this.listener = listener;
    this.threads = threads;
    this.onOver = onOver;
    this.since = clock.now();
  }

  AttemptRef ref() {
    return ref;
  }

  /** The name of its job. */
  String name() {
    return name;
  }

  Blueprint blueprint() {
    return blueprint;
  }

  Site site() {
    return site;
  }

  /** Completes when the cluster has its job, or will not have it. */
  CompletableFuture<@Nullable Void> launched() {
    return launched;
  }

  /** Completes when {@code Ended} has been told. */
  CompletableFuture<@Nullable Void> over() {
    return over;
  }

  /** Its job is known to have been there, so that its absence means that it was deleted. */
  synchronized void wasThere() {
    seen = true;
  }

  /** The operators' warnings about a job that has no pods yet. */
  synchronized void warned(String words) {
    warning = words;
  }

  /** Whether it waits for its first pod, and why is not known. */
  synchronized boolean isPuzzling(Instant now) {
    return !started
        && !canceled
        && launched.isDone()
        && now.isAfter(since.plus(patience.puzzling()))
        && site.pods().of(name).isEmpty();
  }

  @Override
  public void started(AttemptRef attempt, String keeper, boolean primary, Instant at) {
    soon(() -> {
      synchronized (this) {
        keeperStart = keeperStart == null ? at : keeperStart;
      }
    });
  }

  @Override
  public void ended(AttemptRef attempt, String keeper, Keepers.State.Ended end) {
    // A pod that was ended for another one has not ended the attempt.
    boolean passing = blueprint.kind().restarts() && end.exitCode() == TERMINATED;
    if (end.primary() && !passing) {
      soon(() -> {
        synchronized (this) {
          keeperEnd = end;
        }
      });
    }
  }

  /** Looks, on a thread that may wait. */
  void lookSoon() {
    soon(() -> {});
  }

  /** Whoever brings news may be an event loop, and this attempt may just be asking one. */
  private void soon(Runnable news) {
    try {
      threads.execute(() -> {
        news.run();
        look();
      });
    } catch (RejectedExecutionException closing) {
      LOG.trace("No news of {} after the end.", ref);
    }
  }

  @Override
  public void noted(AttemptRef attempt, String note) {
    soon(() -> listener.happened(new PlatformEvent.Noted(attempt, note)));
  }

  @Override
  public void silent(AttemptRef attempt, String keeper, Duration sinceHeard) {
    LOG.info("Keeper {} of {} has been silent for {} s", keeper, ref, sinceHeard.toSeconds());
  }

  /** Somebody wants it to end; completes {@link #over} later. Blocks while it asks the cluster. */
  void cancel() throws Exception {
    mustBeOurs();
    boolean runs;
    synchronized (this) {
      canceled = true;
      runs = keeperStart != null && keeperEnd == null;
    }
    keepers.cancel(ref).await(ANSWER_SECONDS, TimeUnit.SECONDS);
    if (runs) {
      awaitKeeper();
    }
    delete();
    look();
  }

  /** What it has not reported yet may still come, if its keeper is let end in peace. */
  private void awaitKeeper() throws InterruptedException {
    long end = System.nanoTime() + patience.farewell().toNanos();
    while (System.nanoTime() < end && !over.isDone()) {
      synchronized (this) {
        if (keeperEnd != null) {
          return;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
      }
    }
  }

  private void delete() {
    mustBeOurs();
    site.cluster().delete(blueprint.kind().resource(), name);
    synchronized (this) {
      deletedAt = deletedAt == null ? clock.now() : deletedAt;
    }
  }

  /** Another server looks after it now: it goes on, and nothing more is done or told here. */
  void abandon() {
    keepers.forget(ref);
    launched.complete(null);
    over.complete(null);
  }

  private boolean isOurs() {
    return keepers.mayAct(ref.trial().experiment());
  }

  private void mustBeOurs() {
    if (!isOurs()) {
      throw new Problem.Conflict("another server looks after " + ref + " now").toException();
    }
  }

  /** Looks at everything, and tells what is new. May block; never throws. */
  void look() {
    try {
      synchronized (this) {
        notifyAll();
        if (launched.isDone()
            && !launched.isCompletedExceptionally()
            && !over.isDone()
            && isOurs()) {
          looked();
        }
      }
    } catch (ProblemException e) {
      LOG.info("Attempt {} could not be looked at now: {}", ref, e.problem().detail());
    } catch (IOException | RuntimeException | TimeoutException e) {
      LOG.warn("Attempt {} could not be looked at, trying again", ref, e);
    }
  }

  private void looked() throws IOException, TimeoutException {
    Instant now = clock.now();
    JobState job = site.jobs(blueprint.kind()).of(name).get(name);
    Collection<PodView> pods = site.pods().of(name).values();
    seen |= job != null;
    if (!reachable(now)) {
      return;
    }
    if (!canceled) {
      tellStart(job, pods);
      tellWaiting(job, pods);
    }
    if (deletedAt != null) {
      whileDeleted(job, pods, now);
    } else {
      whileThere(job, pods, now);
    }
  }

  /** While the watch is lost nothing is concluded from what it showed last. */
  private boolean reachable(Instant now) {
    if (site.isLive()) {
      if (blindSince != null && started && waiting != null) {
        waiting = null;
        listener.happened(new PlatformEvent.Started(ref, now, url()));
      }
      blindSince = null;
      return true;
    }
    blindSince = blindSince == null ? now : blindSince;
    boolean long_ = now.isAfter(blindSince.plus(patience.blind()));
    if (long_ && started && waiting == null) {
      waiting = "the API server at " + site.cluster().server() + " cannot be watched";
      listener.happened(new PlatformEvent.Unreachable(ref, waiting));
    }
    return keeperEnd != null;
  }

  private void tellStart(@Nullable JobState job, Collection<PodView> pods) {
    if (started) {
      return;
    }
    Instant at =
        pods.stream()
            .map(PodView::startedAt)
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(keeperStart);
    if (at == null && job != null && job.phase() == JobState.Phase.RUNNING) {
      at = Objects.requireNonNullElse(job.at(), clock.now());
    }
    if (at == null && keeperEnd != null) {
      at = keeperEnd.at();
    }
    if (at != null) {
      started = true;
      waiting = null;
      listener.happened(new PlatformEvent.Started(ref, at, url()));
      blueprint
          .notices()
          .forEach(notice -> listener.happened(new PlatformEvent.Noted(ref, notice)));
    }
  }

  private void tellWaiting(@Nullable JobState job, Collection<PodView> pods) {
    if (started) {
      return;
    }
    String words = PodView.trouble(pods);
    if (words == null) {
      words = warning;
    }
    if (words == null && job != null && job.phase() == JobState.Phase.WAITING) {
      words = job.reason();
    }
    if (words == null && clock.now().isAfter(since.plus(patience.puzzling()))) {
      words = "the cluster has its job " + name + " and has not started its pod yet";
    }
    if (words != null && !words.equals(waiting)) {
      waiting = words;
      listener.happened(new PlatformEvent.Waiting(ref, words));
    }
  }

  private void whileThere(@Nullable JobState job, Collection<PodView> pods, Instant now)
      throws IOException, TimeoutException {
    boolean living = !pods.stream().allMatch(PodView::over);
    boolean isFinal = job != null && job.isFinal();
    boolean gone = job == null && seen;
    finalSince = isFinal || gone ? (finalSince == null ? now : finalSince) : null;
    keeperEndSeen = keeperEnd == null ? null : keeperEndSeen == null ? now : keeperEndSeen;
    hopelessSince =
        pods.stream().anyMatch(PodView::hopeless)
            ? (hopelessSince == null ? now : hopelessSince)
            : null;
    // Whoever moves its pods makes new ones when these are gone.
    boolean lost =
        living
            && keeperEnd == null
            && !blueprint.kind().restarts()
            && pods.stream().allMatch(pod -> pod.over() || pod.isOverdue(now, patience.lost()));
    if (finalSince != null && !living) {
      conclude(job, pods, !now.isAfter(finalSince.plus(patience.telling())));
    } else if (hopelessSince != null && now.isAfter(hopelessSince.plus(patience.hopeless()))) {
      verdict = stuck(Objects.requireNonNullElse(PodView.trouble(pods), "its pod cannot start"));
      delete();
    } else if (lost) {
      verdict = stuck(Objects.requireNonNullElse(PodView.trouble(pods), NO_ANSWER));
      delete();
    } else if (past(finalSince, now) || past(keeperEndSeen, now)) {
      // Its result is known, or will never be: what lingers is not waited for.
      if (keeperEnd == null) {
        verdict = Verdict.of(name, speaker(), job, pods);
      }
      delete();
      site.cluster().deleteAll(Resource.POD, Map.of(Labels.JOB, name));
    } else if (job == null && !seen && now.isAfter(since.plus(patience.lingering()))) {
      seen = site.cluster().find(blueprint.kind().resource(), name) == null;
    }
  }

  /**
   * Jobs and pods are watched apart, and nothing orders the two: a job may be seen to end before
   * the pod that tells how. Where no keeper told, the API server is asked; but for a good end,
   * which is not likely to be another one, not before the watch has had time to tell.
   */
  private void conclude(@Nullable JobState job, Collection<PodView> pods, boolean fresh)
      throws IOException, TimeoutException {
    boolean known = keeperEnd != null || isSaid(job, pods);
    if (fresh && !known && succeeded(job)) {
      return;
    }
    Collection<PodView> now = known ? pods : site.podsNow(name);
    if (now.stream().allMatch(PodView::over)) {
      // The watch may still show pods that went together with their job.
      finish(job, now.isEmpty() ? pods : now);
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

  private void whileDeleted(@Nullable JobState job, Collection<PodView> pods, Instant now)
      throws IOException, TimeoutException {
    Instant deleted = Objects.requireNonNull(deletedAt);
    boolean living = !pods.stream().allMatch(PodView::over);
    // A watch that began while the job was being deleted may never tell that it is gone.
    boolean overdue = now.isAfter(deleted.plus(patience.tick()));
    if (((job == null && !living) || overdue) && isGone()) {
      finish(null, pods);
    } else if (living && now.isAfter(deleted.plus(patience.collector()))) {
      // The garbage collector is late, or there is none.
      site.cluster().deleteAll(Resource.POD, Map.of(Labels.JOB, name));
      if (now.isAfter(deleted.plus(patience.lost()))
          && pods.stream().allMatch(pod -> pod.over() || pod.leaving())) {
        verdict = Objects.requireNonNullElse(verdict, stuck(NO_ANSWER));
        finish(null, pods);
      }
    }
  }

  /** The watch may be behind what was just done: the API server itself is asked. */
  private boolean isGone() {
    return site.cluster().find(blueprint.kind().resource(), name) == null
        && site.podsNow(name).stream().allMatch(PodView::over);
  }

  private void finish(@Nullable JobState job, Collection<PodView> pods)
      throws IOException, TimeoutException {
    if (keeperEnd == null) {
      // Its word may still be on its way from another thread.
      Keepers.State.end(keepers.states(ref).await(ANSWER_SECONDS, TimeUnit.SECONDS))
          .filter(ended -> !(blueprint.kind().restarts() && ended.exitCode() == TERMINATED))
          .ifPresent(ended -> keeperEnd = ended);
    }
    if (!canceled) {
      tellStart(job, pods);
    }
    PlatformEvent.Ended ended = ended(job, pods);
    mustBeOurs();
    if (verdict != null || (keeperEnd == null && !isKept(job))) {
      files.ended(ref, new JobFiles.End(started, ended.exitCode(), ended.at(), ended.reason()));
    }
    listener.happened(ended);
    keepers.over(ref);
    onOver.run();
    over.complete(null);
  }

  /** Whether whoever takes this attempt up again finds its end in the cluster. */
  private boolean isKept(@Nullable JobState job) {
    return !canceled && succeeded(job) && blueprint.kind().keep() >= MEMORY;
  }

  private PlatformEvent.Ended ended(@Nullable JobState job, Collection<PodView> pods) {
    Keepers.State.Ended told = keeperEnd;
    if (told != null) {
      String trouble = verdict == null ? PodView.trouble(pods) : verdict.reason();
      return new PlatformEvent.Ended(
          ref, told.exitCode(), told.at(), told.reason() == null ? trouble : told.reason());
    }
    Instant at = job == null || job.at() == null ? clock.now() : job.at();
    if (canceled) {
      return new PlatformEvent.Ended(
          ref,
          Verdict.code(speaker(), pods),
          at,
          started ? "canceled" : "canceled before it started");
    }
    Verdict said = verdict == null ? Verdict.of(name, speaker(), job, pods) : verdict;
    return new PlatformEvent.Ended(ref, said.exitCode(), at, said.reason());
  }

  /** Something that nobody mends: a failure where it has not run, and otherwise lost. */
  private Verdict stuck(String words) {
    return new Verdict(started ? null : Verdict.UNKNOWN_CODE, words);
  }

  /** The role that speaks for the attempt. */
  private String speaker() {
    return blueprint.roles().getFirst().name();
  }

  /** Where its files are, for people. */
  private String url() {
    Storage storage = blueprint.storage();
    return storage == null ? keepers.storageUrl(ref) : storage.url(ref);
  }
}
