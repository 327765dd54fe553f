package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.EXPERIMENT;
import static io.orrery.metrics.store.Points.TRIAL;
import static io.orrery.metrics.store.Points.series;
import static io.orrery.metrics.store.Points.trial;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A log for the contract, with what its tests do to it. */
abstract class MetricLogFixture {
  private final TestClock clock = new TestClock();

  /** How many points of {@link #push} there are. */
  private long pushed;

  /** The log under test. */
  protected abstract SegmentLog log();

  /** The clock that the log is to be opened with. */
  protected final Clock clock() {
    return clock;
  }

  /** Closes the log and opens it again. */
  protected abstract void reopen() throws Exception;

  /** Waits for an answer of the log. */
  protected static <T> T answer(Future<T> future) throws Exception {
    return future.await(20, SECONDS);
  }

  /** As those who report do it: again while the log has more to move than it may. */
  final int append(List<MetricPoint> points) throws Exception {
    for (long end = System.nanoTime() + SECONDS.toNanos(20); ; LockSupport.parkNanos(1_000_000)) {
      try {
        return answer(log().append(points)).fresh().size();
      } catch (ProblemException e) {
        if (!(e.problem() instanceof Problem.Busy) || System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  /** Reads to the end, a page at a time. */
  final List<MetricPoint> readOn(String since, int maxPoints, List<String> places)
      throws Exception {
    List<MetricPoint> all = new ArrayList<>();
    MetricLog.Stretch page = answer(log().attemptSince(TRIAL, since, maxPoints));
    while (!page.points().isEmpty()) {
      all.addAll(page.points());
      places.add(page.next().orElseThrow());
      page = answer(log().attemptSince(TRIAL, page.next().orElseThrow(), maxPoints));
    }
    return all;
  }

  /** Fills segments until everything that an attempt has is in chunks. */
  final void push() throws Exception {
    AttemptRef other = new AttemptRef(trial("push"), 1);
    pushed += 600;
    while (log()
        .append(series(other, pushed - 600, pushed))
        .transform(Future::succeededFuture)
        .await()
        .failed()) {
      Thread.onSpinWait();
    }
    answer(log().lastFinal(ATTEMPT)); // asked behind the end of the segment
    while (log().waitingSegments() > 0) {
      Thread.onSpinWait();
    }
  }

  /** Forgets what has been pushed, with its experiment. */
  final void pushAnew() {
    pushed = 0;
  }

  final void advance(Duration time) {
    clock.advance(time);
  }

  final void thinOut(Duration age, int points) throws Exception {
    answer(log().thinOut(EXPERIMENT, clock.now().minus(age), points));
  }

  /** Says whether the log keeps little in memory; elsewhere nothing is old enough. */
  protected boolean movesSoon() {
    return true;
  }
}
