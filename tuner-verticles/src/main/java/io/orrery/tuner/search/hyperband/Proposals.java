package io.orrery.tuner.search.hyperband;

import io.orrery.tuner.math.Rng;
import java.util.function.Predicate;

/**
 * A source of the configurations that begin a bracket: all in which Hyperband and BOHB differ. Like
 * a tuner it is a function of the set of trials that began and of the sequence of results.
 */
public interface Proposals {
  /**
   * A point to try.
   *
   * @param rng of this suggestion
   * @param free whether a point has not been tried yet; one that has is replaced by the next free
   *     one, which is worse than to draw again
   */
  double[] propose(Rng rng, Predicate<double[]> free);

  /**
   * A trial begins.
   *
   * @param id of the trial
   */
  void begin(String id, double[] point);

  /**
   * How a trial went.
   *
   * @param id of the trial; a later result of the same one takes the place of the first
   * @param loss less is better; not finite when it failed
   */
  void learn(String id, double[] point, long budget, double loss);
}
