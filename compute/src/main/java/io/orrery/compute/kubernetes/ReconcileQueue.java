package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.Ticks;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of attempts to reconcile: soon after a watch has shown something new of their job, and
 * all of them once a tick, since time passes where nothing is to be seen. Thread safe.
 */
final class ReconcileQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileQueue.class);
  private static final int MOST_PUZZLES = 20;

  private final Clock clock;
  private final Executor threads;
  private final Set<JobAttempt> attempts = ConcurrentHashMap.newKeySet();
  private final Map<String, JobAttempt> named = new ConcurrentHashMap<>();
  private final Ticks ticks;

  /**
   * @param pause from one tick to the next
   * @param threads where looking may block
   */
  ReconcileQueue(Clock clock, Duration pause, Executor threads) {
    this.clock = clock;
    this.threads = threads;
    this.ticks = Ticks.begin(clock, pause, this::tick);
  }

  void add(JobAttempt attempt) {
    attempts.add(attempt);
    named.put(attempt.name(), attempt);
  }

  void remove(JobAttempt attempt) {
    attempts.remove(attempt);
    named.remove(attempt.name(), attempt);
  }

  /** Something of a job has changed. From the thread of a watch. */
  void changed(String job) {
    JobAttempt attempt = named.get(job);
    if (attempt != null && attempt.isNews()) {
      attempt.lookSoon();
    }
  }

  /** On an event loop: only hands over. */
  private void tick() {
    if (!attempts.isEmpty()) {
      threads.execute(this::sweep);
    }
  }

  private void sweep() {
    Instant now = clock.now();
    attempts.stream()
        .filter(attempt -> attempt.isPuzzling(now))
        .limit(MOST_PUZZLES)
        .forEach(ReconcileQueue::puzzle);
    attempts.forEach(JobAttempt::look);
  }

  private static void puzzle(JobAttempt attempt) {
    try {
      String words = attempt.site().cluster().warning(attempt.name());
      if (words != null) {
        attempt.warned(words);
      }
    } catch (RuntimeException e) {
      LOG.debug("could not read the warnings of {}: {}", attempt.ref(), e.toString());
    }
  }

  /** Stops the ticks; a look that has begun goes on to its end. */
  @Override
  public void close() {
    ticks.close();
  }
}
