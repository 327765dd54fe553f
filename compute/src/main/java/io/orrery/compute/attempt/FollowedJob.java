package io.orrery.compute.attempt;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt that is a job elsewhere, while it is followed: what its keepers say, which server owns
 * it, and its end, which is told once. What its job shows, and what follows from that, is the
 * platform's own.
 *
 * <p>All that is known is guarded by this object. News may come on an event loop, so nothing is
 * concluded on the thread that brings them.
 */
public abstract class FollowedJob implements Keepers.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedJob.class);
  private static final long ANSWER_SECONDS = 30;

  /**
   * The collaborators that all attempts of a platform share.
   *
   * @param threads where looking may block
   */
  public record Collaborators(
      Keepers keepers, JobFiles files, Clock clock, PlatformListener listener, Executor threads) {}

  /** The registry of followed attempts. */
  interface Roster {
    /** Is called when the attempt is followed here no more. */
    void left(FollowedJob job);
  }

  private final AttemptRef ref;
  private final Collaborators collaborators;
  private final Duration farewell;
  private final Roster roster;
  private final CompletableFuture<@Nullable Void> launched = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

  private @Nullable Instant keeperStart;
  private Keepers.State.@Nullable Ended keeperEnd;
  private @Nullable Instant keeperEndSeen;
  private boolean started;
  private boolean canceled;

  /**
   * @param farewell for a keeper that was told to end, before its job is stopped
   * @param roster on which it stands while it is followed
   */
  protected FollowedJob(
      AttemptRef ref, Collaborators collaborators, Duration farewell, Roster roster) {
    this.ref = ref;
    this.collaborators = collaborators;
    this.farewell = farewell;
    this.roster = roster;
  }

  public final AttemptRef ref() {
    return ref;
  }

  /** Completes when the platform has its job, or will not have it. */
  public final CompletableFuture<@Nullable Void> launched() {
    return launched;
  }

  public final boolean isLaunched() {
    return launched.isDone() && !launched.isCompletedExceptionally();
  }

  /** Completes when {@code Ended} has been told, or when another server owns it. */
  public final CompletableFuture<@Nullable Void> over() {
    return over;
  }

  // ---- whose it is ---------------------------------------------------------------------------

  /** Whether anything may still be done for it, or told of it, here. */
  public final boolean isOurs() {
    return !over.isDone() && collaborators.keepers().mayAct(experiment());
  }

  /**
   * Fails with Conflict when another server owns it; to be asked before anything that others feel.
   */
  public final void mustBeOurs() {
    if (!isOurs()) {
      throw Keepers.another(experiment());
    }
  }

  private ExperimentId experiment() {
    return ref.trial().experiment();
  }

  /**
   * From now on its keepers are heard. To be called when it stands on its roster: a server that
   * releases its experiment at the same time then sees it, or is seen here.
   *
   * @param isNew whether its files have a place only now, so that none of them has come yet
   * @throws ProblemException Conflict when another server owns it
   */
  final void follow(boolean isNew) {
    if (isNew) {
      collaborators.keepers().followNew(ref, this);
    } else {
      collaborators.keepers().follow(ref, this);
    }
    if (!isOurs()) {
      abandon();
      throw Keepers.another(experiment());
    }
  }

  /** It was not launched, and nothing more becomes of it; nothing happens when it was abandoned. */
  final void failed(Exception why) {
    if (!over.isDone()) {
      collaborators.keepers().forget(ref);
      roster.left(this);
      launched.completeExceptionally(why);
      over.complete(null);
    }
  }

  /**
   * Ends the following of an attempt that another server owns now: it goes on, and nothing more is
   * done or told here.
   */
  final void abandon() {
    collaborators.keepers().forget(ref);
    roster.left(this);
    launched.complete(null);
    over.complete(null);
  }

  // ---- what is heard -------------------------------------------------------------------------

  @Override
  public final void started(AttemptRef attempt, String keeper, boolean primary, Instant at) {
    soon(() -> keeperStart = keeperStart == null ? at : keeperStart);
  }

  @Override
  public final void ended(AttemptRef attempt, String keeper, Keepers.State.Ended end) {
    if (end.primary() && counts(end)) {
      soon(() -> {
        keeperEnd = end;
        keeperEndSeen = now();
        keeperHasEnded();
      });
    }
  }

  /** Whether what a keeper told as its end is that of the attempt. */
  protected boolean counts(Keepers.State.Ended end) {
    return true;
  }

  /** Its job should be over soon. */
  protected void keeperHasEnded() {}

  @Override
  public final void noted(AttemptRef attempt, String note) {
    soon(() -> tell(new PlatformEvent.Noted(attempt, note)));
  }

  @Override
  public final void silent(AttemptRef attempt, String keeper, Duration since) {
    LOG.info("keeper {} of {} has been silent for {} s", keeper, ref, since.toSeconds());
  }

  /** Looks, on a thread that may wait. */
  public final void lookSoon() {
    soon(() -> {});
  }

  private void soon(Runnable news) {
    try {
      collaborators
          .threads()
          .execute(() -> {
            synchronized (this) {
              news.run();
            }
            look();
          });
    } catch (RejectedExecutionException closing) {
      LOG.trace("dropping an event of {}: the platform is closed", ref);
    }
  }

  // ---- what is known -------------------------------------------------------------------------

  protected final Instant now() {
    return collaborators.clock().now();
  }

  /** All that is known of it besides its job. */
  protected final KeeperFacts keeper() {
    return new KeeperFacts(keeperStart, keeperEnd, keeperEndSeen, canceled);
  }

  /** When its first keeper came; null while none has. */
  protected final @Nullable Instant keeperStart() {
    return keeperStart;
  }

  /** How its command ended; null while no keeper has told. */
  protected final Keepers.State.@Nullable Ended keeperEnd() {
    return keeperEnd;
  }

  /** When that was heard. */
  protected final @Nullable Instant keeperEndSeen() {
    return keeperEndSeen;
  }

  /** Whether that it runs has been told. */
  protected final boolean isStarted() {
    return started;
  }

  protected final boolean isCanceled() {
    return canceled;
  }

  // ---- what it means -------------------------------------------------------------------------

  /** Looks at all that is known, and tells what is new. May block; never throws. */
  public final void look() {
    try {
      synchronized (this) {
        notifyAll();
        if (isLaunched() && isOurs()) {
          conclude(now());
        }
      }
    } catch (ProblemException e) {
      LOG.info("could not check attempt {} now: {}", ref, e.problem().detail());
    } catch (IOException | TimeoutException | RuntimeException e) {
      LOG.warn("could not check attempt {}, trying again", ref, e);
    }
  }

  /** Tells what is new of one that is launched and not over. */
  protected abstract void conclude(Instant now) throws IOException, TimeoutException;

  /** Asks for the end of its job. */
  protected abstract void stop();

  /** Where its files are, for people. */
  protected abstract String directory();

  protected final void tell(PlatformEvent event) {
    if (isOurs()) {
      collaborators.listener().happened(event);
    }
  }

  /** It runs. */
  protected final void tellStarted(Instant at) {
    started = true;
    tell(new PlatformEvent.Started(ref, at, directory()));
  }

  /** Ends the attempt on request; completes {@link #over} later. Blocks. */
  public final void cancel() throws Exception {
    mustBeOurs();
    boolean runs;
    synchronized (this) {
      canceled = true;
      runs = keeperStart != null && keeperEnd == null;
    }
    collaborators.keepers().cancel(ref).await(ANSWER_SECONDS, TimeUnit.SECONDS);
    if (runs) {
      awaitKeeper();
    }
    if (!over.isDone()) {
      mustBeOurs();
      stop();
    }
    look();
  }

  /** What it has not reported yet may still come, if its keeper is let end in peace. */
  private synchronized void awaitKeeper() throws InterruptedException {
    long end = System.nanoTime() + farewell.toNanos();
    while (System.nanoTime() < end && !over.isDone() && keeperEnd == null) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
    }
  }

  /** Before its end is concluded: its keeper's word may be on its way from another thread. */
  protected final void hearLastWord() throws TimeoutException {
    if (keeperEnd != null) {
      return;
    }
    collaborators.keepers().states(ref).await(ANSWER_SECONDS, TimeUnit.SECONDS).values().stream()
        .filter(Keepers.State::primary)
        .forEach(state -> {
          switch (state) {
            case Keepers.State.Ended ended -> keeperEnd = counts(ended) ? ended : null;
            case Keepers.State.Running running ->
                keeperStart = keeperStart == null ? running.since() : keeperStart;
          }
        });
  }

  /**
   * Tells its end. Where the end could not be told again none of its keepers starts any more: one
   * may be on its way yet, in a job that was asked for late, or stand still somewhere.
   *
   * @param kept whether it is to be kept on the disk: its end could not be told again
   */
  protected final void end(PlatformEvent.Ended ended, boolean kept)
      throws IOException, TimeoutException {
    mustBeOurs();
    if (kept && keeperEnd == null && !canceled) {
      collaborators.keepers().cancel(ref).await(ANSWER_SECONDS, TimeUnit.SECONDS);
    }
    if (kept) {
      collaborators
          .files()
          .ended(ref, new JobFiles.End(started, ended.exitCode(), ended.at(), ended.reason()));
    }
    collaborators.listener().happened(ended);
    collaborators.keepers().over(ref);
    roster.left(this);
    over.complete(null);
  }
}
