package io.orrery.orchestrator.platform.batch;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.JobFiles;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.PlatformListener;
import io.orrery.orchestrator.platform.batch.JobApi.JobRef;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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
 * One attempt that is followed. Whatever its keeper says or its service shows, it looks at all that
 * is known now, and tells what it concludes once.
 */
final class BatchAttempt implements Keepers.Listener {
  /** Of an attempt that failed for certain while nobody can tell with which code. */
  private static final int UNKNOWN_CODE = 1;

  /** Of a keeper that found another one at work: the service ran its job again. */
  private static final int TAKEN = 75;

  private static final Logger LOG = LoggerFactory.getLogger(BatchAttempt.class);
  private static final long ANSWER_SECONDS = 30;

  /** What all attempts of a platform work with. */
  record Company(
      Keepers keepers,
      JobFiles files,
      Clock clock,
      Patience patience,
      PlatformListener listener,
      Executor threads) {}

  private final AttemptRef ref;
  private final JobApi api;
  private final Company company;
  private final Rounds rounds;
  private final Runnable onOver;
  private final String name;
  private final CompletableFuture<@Nullable Void> launched = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

  private @Nullable String id;
  private @Nullable JobView view;
  private @Nullable Instant missingSince;
  private @Nullable Instant blindSince;
  private @Nullable String blindness;
  private @Nullable Instant keeperStart;
  private Keepers.State.@Nullable Ended keeperEnd;
  private @Nullable Instant keeperEndSeen;
  private boolean started;
  private boolean unreachable;
  private boolean canceled;
  private @Nullable Instant stoppedAt;
  private @Nullable String waiting;

  BatchAttempt(AttemptRef ref, JobApi api, Company company, Rounds rounds, Runnable onOver) {
    this.ref = ref;
    this.api = api;
    this.company = company;
    this.rounds = rounds;
    this.onOver = onOver;
    this.name = api.name(ref);
  }

  AttemptRef ref() {
    return ref;
  }

  /** What its job is called. */
  String name() {
    return name;
  }

  JobApi api() {
    return api;
  }

  synchronized JobRef job() {
    return new JobRef(name, id);
  }

  /** Completes when the service has its job, or will not have it. */
  CompletableFuture<@Nullable Void> launched() {
    return launched;
  }

  boolean isLaunched() {
    return launched.isDone() && !launched.isCompletedExceptionally();
  }

  /** Completes when {@code Ended} has been told. */
  CompletableFuture<@Nullable Void> over() {
    return over;
  }

  /** The service has its job. */
  void launched(@Nullable String knownId) {
    synchronized (this) {
      id = knownId;
    }
    launched.complete(null);
    rounds.hurry();
  }

  // ---- what is heard -------------------------------------------------------------------------

  @Override
  public void started(AttemptRef attempt, String keeper, boolean primary, Instant at) {
    soon(() -> keeperStart = keeperStart == null ? at : keeperStart);
  }

  @Override
  public void ended(AttemptRef attempt, String keeper, Keepers.State.Ended end) {
    if (end.primary()) {
      soon(() -> {
        keeperEnd = end;
        keeperEndSeen = company.clock().now();
        rounds.hurry();
      });
    }
  }

  @Override
  public void noted(AttemptRef attempt, String note) {
    soon(() -> company.listener().happened(new PlatformEvent.Noted(attempt, note)));
  }

  @Override
  public void silent(AttemptRef attempt, String keeper, Duration since) {
    LOG.info("Keeper {} of {} has been silent for {} s", keeper, ref, since.toSeconds());
  }

  /** Whoever brings news may be an event loop, and this attempt may just be asking one. */
  private void soon(Runnable news) {
    try {
      company
          .threads()
          .execute(() -> {
            synchronized (this) {
              news.run();
            }
            conclude();
          });
    } catch (RejectedExecutionException closing) {
      LOG.trace("No news of {} after the end.", ref);
    }
  }

  /**
   * The service was asked.
   *
   * @param job how it is; null when the service does not have it
   * @return whether that is new
   */
  boolean seen(@Nullable JobView job) {
    boolean news;
    synchronized (this) {
      blindSince = null;
      blindness = null;
      news = job == null ? view != null : view == null || view.phase() != job.phase();
      if (job == null) {
        missingSince = missingSince == null ? company.clock().now() : missingSince;
      } else {
        missingSince = null;
        id = job.id();
      }
      view = job;
    }
    conclude();
    return news;
  }

  /** The service was asked and did not answer. */
  void unseen(String why) {
    synchronized (this) {
      blindSince = blindSince == null ? company.clock().now() : blindSince;
      blindness = why;
    }
    conclude();
  }

  /** Somebody wants it to end; completes {@link #over} later. Blocks. */
  void cancel() throws Exception {
    if (!isOurs()) {
      throw new Problem.Conflict("another server looks after " + ref + " now").toException();
    }
    boolean runs;
    synchronized (this) {
      canceled = true;
      runs = keeperStart != null && keeperEnd == null;
    }
    company.keepers().cancel(ref).await(ANSWER_SECONDS, TimeUnit.SECONDS);
    if (runs) {
      awaitKeeper();
    }
    synchronized (this) {
      if (!over.isDone() && isOurs()) {
        stop();
      }
    }
    conclude();
  }

  /** What it has not reported yet may still come, if its keeper is let end in peace. */
  private synchronized void awaitKeeper() throws InterruptedException {
    long end = System.nanoTime() + company.patience().farewell().toNanos();
    while (System.nanoTime() < end && !over.isDone() && keeperEnd == null) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
    }
  }

  /** Asks for the end of its job; asked again later when that fails. */
  private void stop() {
    stoppedAt = company.clock().now();
    try {
      api.stop(job());
    } catch (ProblemException e) {
      LOG.info("{} could not be stopped now: {}", name, e.problem().detail());
    }
    rounds.hurry();
  }

  /** Another server looks after it now: it goes on, and nothing more is done or told here. */
  void abandon() {
    company.keepers().forget(ref);
    launched.complete(null);
    over.complete(null);
  }

  private boolean isOurs() {
    return company.keepers().mayAct(ref.trial().experiment());
  }

  // ---- what it means -------------------------------------------------------------------------

  /** Looks at all that is known, and tells what is new. May block; never throws. */
  private synchronized void conclude() {
    notifyAll();
    if (!isLaunched() || over.isDone() || !isOurs()) {
      return;
    }
    try {
      Instant now = company.clock().now();
      if (!canceled) {
        tellStart();
        tellWaiting(now);
      }
      JobView job = view;
      boolean gone = job == null && past(missingSince, company.patience().missing(), now);
      if (gone || (job != null && job.phase().isFinal())) {
        finish(now);
        return;
      }
      boolean wanted = canceled || past(keeperEndSeen, company.patience().lingering(), now);
      if (wanted && (stoppedAt == null || past(stoppedAt, company.patience().again(), now))) {
        stop();
      }
    } catch (IOException | TimeoutException | RuntimeException e) {
      LOG.warn("Attempt {} could not be looked at, trying again", ref, e);
      rounds.hurry();
    }
  }

  private static boolean past(@Nullable Instant since, Duration patience, Instant now) {
    return since != null && now.isAfter(since.plus(patience));
  }

  private void tellStart() {
    if (started) {
      return;
    }
    Instant at = keeperStart;
    JobView job = view;
    if (at == null && job != null && job.phase() == JobView.Phase.RUNNING) {
      at = Objects.requireNonNullElse(job.startedAt(), company.clock().now());
    }
    if (at == null && keeperEnd != null) {
      at = keeperEnd.at();
    }
    if (at == null) {
      return;
    }
    started = true;
    waiting = null;
    company.listener().happened(new PlatformEvent.Started(ref, at, directory()));
    String page = api.page(job());
    if (page != null) {
      company.listener().happened(new PlatformEvent.Noted(ref, "its job is shown at " + page));
    }
  }

  private void tellWaiting(Instant now) {
    boolean blind = past(blindSince, company.patience().blind(), now);
    if (started) {
      if (blind && !unreachable) {
        unreachable = true;
        company
            .listener()
            .happened(
                new PlatformEvent.Unreachable(
                    ref, Objects.requireNonNullElse(blindness, "its service does not answer")));
      } else if (unreachable && blindSince == null) {
        unreachable = false;
        company.listener().happened(new PlatformEvent.Started(ref, now, directory()));
      }
      return;
    }
    String words = blind ? blindness : waits();
    if (words != null && !words.equals(waiting)) {
      waiting = words;
      company.listener().happened(new PlatformEvent.Waiting(ref, words));
    }
  }

  private @Nullable String waits() {
    JobView job = view;
    if (job == null || job.phase() != JobView.Phase.WAITING) {
      return null;
    }
    String page = api.page(job());
    return "its job "
        + name
        + " waits at "
        + api.service()
        + " ("
        + job.state()
        + (job.reason() == null ? "" : ": " + job.reason())
        + ")"
        + (page == null ? "" : ", see " + page);
  }

  /** Where its files are, for people. */
  private String directory() {
    String outputs = api.outputs(ref);
    return outputs == null ? company.keepers().storageUrl(ref) : outputs;
  }

  private void finish(Instant now) throws IOException, TimeoutException {
    if (keeperEnd == null) {
      // Its word may still be on its way from another thread.
      company.keepers().states(ref).await(ANSWER_SECONDS, TimeUnit.SECONDS).values().stream()
          .filter(Keepers.State::primary)
          .forEach(state -> {
            switch (state) {
              case Keepers.State.Ended ended -> keeperEnd = ended;
              case Keepers.State.Running running ->
                  keeperStart = keeperStart == null ? running.since() : keeperStart;
            }
          });
    }
    if (!canceled) {
      tellStart();
    }
    PlatformEvent.Ended ended = ended(now);
    if (!isOurs()) {
      return;
    }
    if (keeperEnd == null) {
      company
          .files()
          .ended(ref, new JobFiles.End(started, ended.exitCode(), ended.at(), ended.reason()));
    }
    company.listener().happened(ended);
    company.keepers().over(ref);
    onOver.run();
    over.complete(null);
  }

  private PlatformEvent.Ended ended(Instant now) {
    Keepers.State.Ended told = keeperEnd;
    if (told != null) {
      return new PlatformEvent.Ended(ref, told.exitCode(), told.at(), told.reason());
    }
    JobView job = view;
    Instant at = job == null || job.endedAt() == null ? now : job.endedAt();
    Integer code = job == null ? null : job.exitCode();
    if (canceled) {
      return new PlatformEvent.Ended(
          ref, code, at, started ? "canceled" : "canceled before it started");
    }
    if (job == null) {
      return new PlatformEvent.Ended(
          ref,
          null,
          at,
          "its job " + name + " was deleted at " + api.service() + ", not by this server");
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
        keeperStart == null ? "; it ran nothing" : "; what it ran cannot tell its end any more";
    return new PlatformEvent.Ended(
        ref,
        code != null && code != 0 ? code : started ? null : Integer.valueOf(UNKNOWN_CODE),
        at,
        told("failed", job) + unsaid);
  }

  private String told(String what, JobView job) {
    String page = api.page(job());
    return "its job "
        + name
        + " "
        + what
        + " at "
        + api.service()
        + (job.reason() == null ? "" : " (" + job.reason() + ")")
        + (page == null ? "" : ", see " + page);
  }
}
