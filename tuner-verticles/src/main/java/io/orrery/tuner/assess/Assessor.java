package io.orrery.tuner.assess;

import java.util.List;

/**
 * Judges running trials by their intermediate results.
 *
 * <p>Like a tuner it is a function of its options and of what it was told, so that it can be
 * rebuilt from history. One thread at a time calls it. Trials are named by any text that is unique
 * in the experiment.
 */
public interface Assessor {
  /** A verdict of an assessor on a trial. */
  sealed interface Verdict {
    /** A verdict that a trial may go on. */
    record Good() implements Verdict {}

    /**
     * A verdict that a trial is not worth its time any more.
     *
     * @param why one clause, with the numbers
     */
    record Bad(String why) implements Verdict {}
  }

  /**
   * Judges a running trial.
   *
   * @param results all its intermediate results so far, by sequence, 1 or more; one that is not
   *     finite counts by {@link io.orrery.core.metric.Direction#loss}. Each call for a trial has at
   *     least as many as the one before
   */
  Verdict assess(String trial, List<Double> results);

  /**
   * Takes note that a trial has ended; it is not assessed again.
   *
   * @param succeeded whether it came to its own end, so that it is fit to be compared with
   * @param results all its intermediate results; may be empty
   */
  void ended(String trial, boolean succeeded, List<Double> results);
}
