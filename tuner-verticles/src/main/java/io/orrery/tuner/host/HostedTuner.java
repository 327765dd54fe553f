package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.MetricPoint;
import io.orrery.tuner.assess.Assessor.Verdict;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tuner as its host deals with it, built in or not. One thread at a time calls it, and it may
 * take its time; {@link #close} alone may come from another thread, at any time.
 */
interface HostedTuner extends AutoCloseable {
  /** A factory of tuners that know nothing of the past yet. */
  @FunctionalInterface
  interface Opening {
    /**
     * Makes it.
     *
     * @param resumed whether there is a past, of which it will be told
     */
    HostedTuner open(boolean resumed) throws Exception;

    /** The same with everything that has to be fetched first. */
    default Future<Opening> prepared() {
      return Future.succeededFuture(this);
    }
  }

  /** What to try next; as {@link io.orrery.tuner.search.Tuner#suggest}. */
  Suggestions suggest(int count, long firstNumber) throws Exception;

  /** Takes note of what an earlier one suggested. */
  void remember(Suggestion suggestion) throws Exception;

  /** Takes note of how a trial ended. */
  void learn(Settled settled) throws Exception;

  /**
   * Judges a running trial; only one that is an advisor is asked.
   *
   * @param points all its intermediate results so far, 1 or more
   */
  default Verdict assess(String trial, @Nullable String parameterId, List<MetricPoint> points)
      throws Exception {
    return new Verdict.Good();
  }

  /** Ends it, whatever it does at the moment; returns at once. */
  @Override
  default void close() {}
}
