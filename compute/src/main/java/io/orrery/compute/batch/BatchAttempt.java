package io.orrery.compute.batch;

import io.orrery.compute.attempt.FollowedJob;
import io.orrery.compute.attempt.FollowedJobs;
import io.orrery.compute.attempt.JobFiles;
import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.compute.batch.JobView.Phase;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt that is followed. Whatever its keeper says or its service shows, it looks at all that
 * is known now, and tells what it concludes once.
 */
final class BatchAttempt extends FollowedJob {
  /** The exit code of an attempt that failed for certain with a code that is unknown. */
  private static final int UNKNOWN_CODE = 1;

  /** Of a keeper that found another one at work: the service ran its job again. */
  private static final int TAKEN = 75;

  private static final Logger LOG = LoggerFactory.getLogger(BatchAttempt.class);

  private final AttemptRef ref;
  private final JobApi api;
  private final Keepers keepers;
  private final JobFiles files;
  private final BatchTimeouts patience;
  private final JobPoller rounds;
  private final String name;
  private final JobWords words;

  private @Nullable String id;

  /** All jobs of its name: more than one where a request for it came through twice. */
  private List<JobView> jobs = List.of();

  /** The one among them that counts. */
  private @Nullable JobView view;

  /** Since when jobs of its name wait while its command runs in another one. */
  private @Nullable Instant spareSince;

  private @Nullable Instant spareStoppedAt;
  private @Nullable Instant missingSince;
  private @Nullable Instant blindSince;
  private @Nullable String blindness;
  private boolean unreachable;
  private @Nullable Instant stoppedAt;
  private @Nullable Instant stopWantedSince;

  /** Since when the service refuses this server's account, or has lost the jobs' workspace. */
  private @Nullable Instant refusedSince;

  private @Nullable String waiting;

  BatchAttempt(
      AttemptRef ref,
      JobApi api,
      Collaborators collaborators,
      BatchTimeouts patience,
      JobPoller rounds,
      FollowedJobs<BatchAttempt> followed) {
    super(ref, collaborators, patience.farewell(), followed);
    this.ref = ref;
    this.api = api;
    this.keepers = collaborators.keepers();
    this.files = collaborators.files();
    this.patience = patience;
    this.rounds = rounds;
    this.name = api.name(ref);
    this.words = new JobWords(api, name);
  }

  /** The name of its job. */
  String name() {
    return name;
  }

  JobApi api() {
    return api;
  }

  synchronized JobRef job() {
    return new JobRef(name, id);
  }

  /** The service has its job. */
  void launched(@Nullable String knownId) {
    synchronized (this) {
      id = knownId;
    }
    launched().complete(null);
    rounds.hurry();
  }

  // ---- what is heard -------------------------------------------------------------------------

  @Override
  protected void keeperHasEnded() {
    rounds.hurry();
  }

  /**
   * The service was asked.
   *
   * @param all how its jobs are; none when the service does not have it
   * @return whether that is new
   */
  boolean seen(List<JobView> all) {
    boolean news;
    synchronized (this) {
      JobView job = JobView.speaker(all, id);
      jobs = List.copyOf(all);
      blindSince = null;
      blindness = null;
      refusedSince = null;
      news = job == null ? view != null : view == null || view.phase() != job.phase();
      if (job == null) {
        missingSince = missingSince == null ? now() : missingSince;
      } else {
        missingSince = null;
        id = job.id();
      }
      view = job;
    }
    look();
    return news;
  }

  /** The service was asked, and its jobs could not be seen. */
  void unseen(ProblemException why) {
    synchronized (this) {
      blindSince = blindSince == null ? now() : blindSince;
      blindness = why.problem().detail();
      refusedSince =
          Refusal.isOfRightsOrPlace(why)
              ? Objects.requireNonNullElseGet(refusedSince, this::now)
              : null;
    }
    look();
  }

  /** Asks for the end of its jobs; asked again later when that fails. */
  @Override
  protected synchronized void stop() {
    stoppedAt = now();
    stopWantedSince = Objects.requireNonNullElse(stopWantedSince, stoppedAt);
    if (jobs.isEmpty()) {
      stop(job());
    } else {
      jobs.stream().filter(job -> !job.phase().isFinal()).forEach(this::stop);
    }
    rounds.hurry();
  }

  private void stop(JobView job) {
    stop(new JobRef(name, job.id()));
  }

  private void stop(JobRef job) {
    mustBeOurs();
    try {
      api.stop(job);
    } catch (ProblemException e) {
      LOG.info("could not stop the job {}: {}", name, e.problem().detail());
    }
  }

  /** Records that its job may go on although the attempt ends here. */
  void leaveBehind() throws IOException {
    JobRef job = job();
    files.left(ref, new JobFiles.Left(job.name(), job.id()));
  }

  // ---- what it means -------------------------------------------------------------------------

  @Override
  protected void conclude(Instant now) throws IOException, TimeoutException {
    try {
      if (!isCanceled()) {
        tellStart();
        tellWaiting(now);
      }
      JobView job = view;
      boolean gone = job == null && past(missingSince, patience.missing(), now);
      if (gone || (job != null && job.phase().isFinal())) {
        finish(now);
        return;
      }
      if (isOutOfReach(now)) {
        leaveBehind();
        finish(now);
        return;
      }
      stopSpare(now);
      boolean wanted = isCanceled() || past(keeperEndSeen(), patience.lingering(), now);
      if (wanted && (stoppedAt == null || past(stoppedAt, patience.again(), now))) {
        stop();
      }
    } catch (IOException | TimeoutException | RuntimeException e) {
      rounds.hurry();
      throw e;
    }
  }

  /**
   * Whether it is to end although its job cannot be stopped: it was canceled, its service has
   * refused this server for some time, and its command is over, never began, or has had the time
   * that a job is given to end.
   */
  private boolean isOutOfReach(Instant now) {
    return isCanceled()
        && past(refusedSince, patience.blind(), now)
        && (keeperEnd() != null
            || keeperStart() == null
            || past(stopWantedSince, patience.lingering(), now));
  }

  /**
   * A keeper that finds another one at work runs nothing, so a job that waits while the command
   * runs in another one is for nothing. It is given time to turn out to be the other one itself:
   * what a service says of two jobs may not be of one moment.
   */
  private void stopSpare(Instant now) {
    boolean ended = keeperEnd() != null;
    boolean elsewhere =
        (keeperStart() != null && isAny(Phase.RUNNING::equals)) || (ended && isAny(Phase::isFinal));
    boolean spare = elsewhere && isAny(Phase.WAITING::equals);
    spareSince = spare ? Objects.requireNonNullElse(spareSince, now) : null;
    boolean due = spare && (ended || past(spareSince, patience.spare(), now));
    if (due && (spareStoppedAt == null || past(spareStoppedAt, patience.again(), now))) {
      LOG.info("{} came twice, and the job of it that still waits is stopped", name);
      spareStoppedAt = now;
      jobs.stream().filter(job -> job.phase() == Phase.WAITING).forEach(this::stop);
      rounds.hurry();
    }
  }

  private boolean isAny(Predicate<Phase> which) {
    return jobs.stream().map(JobView::phase).anyMatch(which);
  }

  private static boolean past(@Nullable Instant since, Duration patience, Instant now) {
    return since != null && now.isAfter(since.plus(patience));
  }

  private void tellStart() {
    if (isStarted()) {
      return;
    }
    Instant at = keeperStart();
    JobView job = view;
    if (at == null && job != null && job.phase() == Phase.RUNNING) {
      at = Objects.requireNonNullElse(job.startedAt(), now());
    }
    Keepers.State.Ended end = keeperEnd();
    if (at == null && end != null) {
      at = end.at();
    }
    if (at == null) {
      return;
    }
    waiting = null;
    tellStarted(at);
    String page = api.page(job());
    if (page != null) {
      tell(new PlatformEvent.Noted(ref, "its job is shown at " + page));
    }
  }

  private void tellWaiting(Instant now) {
    boolean blind = past(blindSince, patience.blind(), now);
    if (isStarted()) {
      if (blind && !unreachable) {
        unreachable = true;
        tell(
            new PlatformEvent.Unreachable(
                ref, Objects.requireNonNullElse(blindness, "its service does not answer")));
      } else if (unreachable && blindSince == null) {
        unreachable = false;
        tellStarted(now);
      }
      return;
    }
    String why = blind ? blindness : waits();
    if (why != null && !why.equals(waiting)) {
      waiting = why;
      tell(new PlatformEvent.Waiting(ref, why));
    }
  }

  private @Nullable String waits() {
    JobView job = view;
    if (job == null || job.phase() != Phase.WAITING) {
      return null;
    }
    return words.waits(job, job());
  }

  @Override
  protected String directory() {
    String outputs = api.outputs(ref);
    return outputs == null ? keepers.storageUrl(ref) : outputs;
  }

  private void finish(Instant now) throws IOException, TimeoutException {
    hearLastWord();
    if (!isCanceled()) {
      tellStart();
    }
    PlatformEvent.Ended ended = ended(now);
    Keepers.State.Ended told = keeperEnd();
    end(ended, told == null || !Objects.equals(told.exitCode(), ended.exitCode()));
  }

  private PlatformEvent.Ended ended(Instant now) {
    Keepers.State.Ended told = keeperEnd();
    JobView job = view;
    if (told != null && !isTakenAway(told, job)) {
      return new PlatformEvent.Ended(ref, told.exitCode(), told.at(), told.reason());
    }
    Instant at = job == null || job.endedAt() == null ? now : job.endedAt();
    Integer code = job == null ? null : job.exitCode();
    if (isCanceled()) {
      return new PlatformEvent.Ended(ref, code, at, canceled());
    }
    if (job == null) {
      return new PlatformEvent.Ended(ref, null, at, words.deleted());
    }
    return switch (job.phase()) {
      case SUCCEEDED -> new PlatformEvent.Ended(ref, 0, at, null);
      case STOPPED ->
          new PlatformEvent.Ended(ref, null, at, told("was stopped", job) + ", not by this server");
      case LOST -> new PlatformEvent.Ended(ref, null, at, told("was lost", job));
      case FAILED -> failed(job, at);
      case WAITING, RUNNING -> throw new IllegalStateException("not over: " + job);
    };
  }

  /**
   * Whether the service, or a person there, ended the command with SIGTERM: then the exit code that
   * the keeper told says nothing of the command.
   */
  private boolean isTakenAway(Keepers.State.Ended told, @Nullable JobView job) {
    boolean byUs = isCanceled() || stoppedAt != null || spareStoppedAt != null;
    return !byUs
        && told.exitCode() == Keepers.State.Ended.TERMINATED
        && (job == null || job.phase() == Phase.STOPPED || job.phase() == Phase.LOST);
  }

  private String canceled() {
    String how = isStarted() ? "canceled" : "canceled before it started";
    return refusedSince == null ? how : how + "; its job " + name + " may go on: " + blindness;
  }

  private PlatformEvent.Ended failed(JobView job, Instant at) {
    Integer code = job.exitCode();
    if (code != null && code == TAKEN) {
      return new PlatformEvent.Ended(
          ref, null, at, told("was run a second time after its first run was lost", job));
    }
    String keeper = code == null ? null : KeeperCode.meaning(code);
    if (keeper != null) {
      return new PlatformEvent.Ended(ref, code, at, told("failed", job) + ": " + keeper);
    }
    String unsaid =
        keeperStart() == null ? "; it ran nothing" : "; what it ran cannot tell its end any more";
    return new PlatformEvent.Ended(
        ref,
        code != null && code != 0 ? code : isStarted() ? null : Integer.valueOf(UNKNOWN_CODE),
        at,
        told("failed", job) + unsaid);
  }

  private String told(String what, JobView job) {
    return words.of(what, job, job());
  }
}
