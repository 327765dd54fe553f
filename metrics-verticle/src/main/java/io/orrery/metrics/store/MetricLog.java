package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Outcome;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The log of all reported points, in the order in which they became durable.
 *
 * <p>What holds for every implementation:
 *
 * <ul>
 *   <li>A point is identified by attempt, source, kind and ordinal. The first one with these four
 *       is kept, every later one is dropped and counted, also after a crash and after any time.
 *   <li>An append that completed survives a crash at any instant. One that failed or was cut off by
 *       a crash may have left all of its points, some, or none; handing it in again is safe.
 *   <li>Calls take effect in the order in which they were made. A question is answered after
 *       everything that was handed in before it is durable, and sees all of it.
 *   <li>What is known of an attempt is bounded as well: names of its sources, and gaps between its
 *       ordinals. A batch that goes beyond is refused whole, with what would be right.
 *   <li>Queues are bounded: past the bound a call fails with {@link
 *       io.orrery.core.problem.Problem.Busy} and nothing of it was taken.
 *   <li>Methods may be called from any thread, never block it, and complete on the caller's
 *       context. When the disk fails they fail with {@link io.orrery.core.problem.Problem.Broken}.
 * </ul>
 */
public interface MetricLog {
  /**
   * Appends points in their order.
   *
   * @return completes when all of them are durable; fails with {@link
   *     io.orrery.core.problem.Problem.Refused} or {@link io.orrery.core.problem.Problem.TooLarge}
   *     when a point cannot be stored: nothing was taken then
   */
  default Future<Appended> append(List<MetricPoint> points) {
    return appendAll(List.of(points)).compose(outcomes -> outcomes.getFirst().toFuture());
  }

  /**
   * Appends several batches as one, and returns the outcome of each: one that cannot be stored does
   * not affect the others. The caller must not change the lists afterwards.
   */
  Future<List<Outcome<Appended>>> appendAll(List<List<MetricPoint>> batches);

  /** The last FINAL of an attempt in the order of the log; empty when it reported none. */
  Future<Optional<MetricPoint>> lastFinal(AttemptRef attempt);

  /**
   * Everything that is kept of what the last attempt of a trial has reported, in the order of the
   * log; the last attempt is the highest one that has a point. Costs the time of what that attempt
   * reported, and the memory of what is collected of it.
   *
   * @param wanted of its points; collects on a thread of the log where there are many, else where
   *     the answer comes, and begins again when they are thinned out meanwhile
   */
  default <T> Future<T> lastAttempt(TrialRef trial, Collector<MetricPoint, ?, T> wanted) {
    return lastAttempts(trial.experiment(), List.of(trial.trial()), wanted).map(List::getFirst);
  }

  /** All of it: for attempts of which it is known that they have reported little. */
  default Future<List<MetricPoint>> lastAttempt(TrialRef trial) {
    return lastAttempt(trial, Collectors.toList());
  }

  /**
   * The same of several trials, with few questions for all; not all of it is in memory at once.
   *
   * @param trials a few hundred at most
   * @return in the order of the trials
   */
  <T> Future<List<T>> lastAttempts(
      ExperimentId experiment, List<TrialId> trials, Collector<MetricPoint, ?, T> wanted);

  /**
   * The same page by page, for readers that come back for what is new.
   *
   * @param since {@link Stretch#next} of before; null begins with the first point
   * @param maxPoints the page ends soon after this many, with the batch that was handed in together
   * @return fails with {@link io.orrery.core.problem.Problem.Refused} for a place that no answer
   *     has named
   */
  Future<Stretch> attemptSince(TrialRef trial, @Nullable String since, int maxPoints);

  /**
   * The numbers that the last attempts of some trials have reported.
   *
   * @param trials each with the previous answer for it, which is continued and returned: the caller
   *     must not read it meanwhile. With null the trial is read from its first point
   * @return in the order of the trials; costs what is new
   */
  Future<List<Columns>> columns(List<Known> trials);

  /**
   * Reads points of all experiments from a cursor on. The log keeps its recent past only: a reader
   * that fell behind what is kept goes on at the oldest kept point, and sees that {@link
   * Page#first} is not where it wanted to be.
   *
   * @param cursor 0, or {@link Page#next} or {@link Appended#offset} of before
   * @param maxPoints the page ends after the group commit that reached this number
   */
  Future<Page> read(long cursor, int maxPoints);

  /**
   * Drops all points of an experiment. From the call on they cannot be seen; points that come later
   * start a new history, to which the old ordinals mean nothing. Their disk is given back bit by
   * bit, in the background, also after a crash.
   *
   * @return completes when it is durable that they are gone
   */
  Future<Void> forget(ExperimentId experiment);

  /**
   * Thins out what an experiment has had since before a moment: of each metric of an attempt the
   * first, the last and the lowest and highest of equal stretches stay, and every result. Doing it
   * again and again leaves the same points as doing it once in the end. What was dropped is known
   * to have been there: sent again, it is a repetition. A {@link Stretch#next} that lies before
   * points which were thinned out unread is refused afterwards.
   *
   * @param storedBefore what came later stays, and at least what is in memory
   * @param points about how many stay of each metric of an attempt, 4 or more
   * @return completes when it is done; fails when the log is closed before, and goes on with the
   *     next call
   */
  Future<Void> thinOut(ExperimentId experiment, Instant storedBefore, int points);

  /** Finishes what was handed in, then closes the files. */
  Future<Void> close();

  /**
   * A durable append.
   *
   * @param fresh the points that were new, in their order
   * @param duplicates how many had been durable before
   * @param offset a cursor behind these points
   */
  record Appended(List<MetricPoint> fresh, int duplicates, long offset) {
    public Appended {
      fresh = Collections.unmodifiableList(fresh);
    }
  }

  /** A trial, and what was read of it before. */
  record Known(TrialRef trial, @Nullable Columns columns) {}

  /**
   * A stretch of the log.
   *
   * @param first the cursor of the first point
   * @param next the cursor behind the last one; equal to {@code first} at the end of the log
   */
  record Page(List<MetricPoint> points, long first, long next) {
    public Page {
      points = List.copyOf(points);
    }
  }

  /**
   * Points of the last attempt of a trial. When it is not the attempt that was read before, they
   * begin with its first.
   *
   * @param points in the order of the log, empty when there is nothing new
   * @param next where to go on; empty as long as the trial has reported nothing
   */
  record Stretch(List<MetricPoint> points, Optional<String> next) {
    public Stretch {
      points = List.copyOf(points);
    }
  }
}
