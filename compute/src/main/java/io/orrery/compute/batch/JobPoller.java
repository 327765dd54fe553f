package io.orrery.compute.batch;

import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at all jobs of one account, again and again, in one call each time: soon after something
 * happened, ever less often while nothing does or the service refuses, never while there are none.
 */
final class JobPoller {
  private static final Logger LOG = LoggerFactory.getLogger(JobPoller.class);

  private final JobApi api;
  private final PollBackoff pace;
  private final Duration quick;
  private final Clock clock;
  private final Executor threads;
  private final Map<String, BatchAttempt> attempts = new ConcurrentHashMap<>();
  private Clock.@Nullable Timer next;
  private @Nullable Instant due;
  private boolean looking;
  private boolean hurried;
  private boolean closed;

  /**
   * @param api of any experiment of the account
   * @param quick after which it is looked at when something happens
   * @param threads where looking may block
   */
  JobPoller(JobApi api, PollBackoff pace, Duration quick, Clock clock, Executor threads) {
    this.api = api;
    this.pace = pace;
    this.quick = quick;
    this.clock = clock;
    this.threads = threads;
  }

  void add(BatchAttempt attempt) {
    attempts.put(attempt.name(), attempt);
  }

  void remove(BatchAttempt attempt) {
    attempts.remove(attempt.name(), attempt);
  }

  /** Something happened, or soon will: looks within a short while, whatever the pace is. */
  synchronized void hurry() {
    pace.quicken();
    hurried = looking;
    if (!looking) {
      schedule(quick);
    }
  }

  synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }

  private void schedule(Duration pause) {
    Instant at = clock.now().plus(pause);
    if (closed || (next != null && due != null && !at.isBefore(due))) {
      return;
    }
    if (next != null) {
      next.cancel();
    }
    due = at;
    next = clock.after(pause, this::begin);
  }

  /** Perhaps on an event loop: only hands over. */
  private synchronized void begin() {
    next = null;
    if (closed || looking || attempts.isEmpty()) {
      return;
    }
    looking = true;
    try {
      threads.execute(this::round);
    } catch (RejectedExecutionException closing) {
      LOG.trace("dropping a poll: the platform is closed");
    }
  }

  private void round() {
    Duration pause = look();
    synchronized (this) {
      looking = false;
      schedule(hurried ? quick : pause);
      hurried = false;
    }
  }

  private Duration look() {
    List<BatchAttempt> present =
        attempts.values().stream().filter(BatchAttempt::isLaunched).toList();
    Map<String, JobRef> jobs = new HashMap<>();
    present.forEach(attempt -> jobs.put(attempt.name(), attempt.job()));
    try {
      Map<String, List<JobView>> views = jobs.isEmpty() ? Map.of() : api.look(jobs.values());
      boolean news = false;
      for (BatchAttempt attempt : present) {
        news |= attempt.seen(views.getOrDefault(attempt.name(), List.of()));
      }
      synchronized (this) {
        if (news) {
          pace.quicken();
        }
        return pace.idle();
      }
    } catch (ProblemException e) {
      LOG.debug("could not look at the jobs of {}: {}", api.service(), e.problem().detail());
      present.forEach(attempt -> attempt.unseen(e));
      Duration asked = e.problem() instanceof Problem.Busy busy ? busy.retryAfter() : null;
      synchronized (this) {
        return pace.refused(asked);
      }
    } catch (RuntimeException e) {
      LOG.warn("could not poll the jobs of {}, trying again", api.service(), e);
      synchronized (this) {
        return pace.refused(null);
      }
    }
  }
}
