package io.orrery.tuner.host;

import io.orrery.core.metric.MetricPoint;
import io.orrery.tuner.assess.Assessor.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An assessor as its host deals with it, built in or not; called as {@link HostedTuner} is. */
interface HostedAssessor extends AutoCloseable {
  /** A factory of assessors that know nothing of the past yet. */
  @FunctionalInterface
  interface Opening {
    /**
     * Makes it.
     *
     * @param resumed whether there is a past, of which it will be told
     */
    HostedAssessor open(boolean resumed) throws Exception;
  }

  /**
   * Judges a running trial.
   *
   * @param points all its intermediate results so far, 1 or more
   */
  Verdict assess(String trial, @Nullable String parameterId, List<MetricPoint> points)
      throws Exception;

  /**
   * Takes note that a trial has ended.
   *
   * @param seen whether this assessor was there when it ran, and not an earlier one
   */
  void ended(String trial, boolean succeeded, List<MetricPoint> points, boolean seen)
      throws Exception;

  /** Ends the assessor, even while it judges; returns at once. */
  @Override
  default void close() {}
}
