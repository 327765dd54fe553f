package io.orrery.tuner.search;

import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Rng;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A rule for where the next point lies, by what is known: all that one {@link PointTuner} has and
 * another has not. Points are in the coordinates of the space's {@link
 * io.orrery.tuner.encode.Axes}.
 */
public interface Proposer {
  /**
   * The next point; a function of its arguments and of what was told.
   *
   * @param number of the suggestion
   * @param free whether a point may be suggested; of one that may not, another takes the place
   * @param rng the only source of chance
   */
  double[] propose(long number, Predicate<double[]> free, Rng rng);

  /**
   * Parameters that were tried and are worth more than the next point; null where the next point is
   * worth more. A function of the same as {@link #propose}, which is asked next then.
   *
   * @param free whether a point may be suggested
   * @param rng as for that
   */
  default @Nullable Parameters again(long number, Predicate<double[]> free, Rng rng) {
    return null;
  }

  /** A trial begins. */
  default void begin(String parameterId, double[] point) {}

  /** A trial has ended; it may have ended before, and been run again. */
  default void end(Result result, double[] point) {}
}
