package io.orrery.tuner.search.tpe;

import io.orrery.tuner.math.Rng;
import java.util.function.Predicate;

/** A model by which the next point follows from the history. */
sealed interface Model permits Independent, Joint {
  /** A point of the space in the coordinates that this model keeps its history in. */
  double[] remembered(double[] point);

  /**
   * The next point, in the coordinates of the space.
   *
   * @param number of the suggestion
   * @param free whether a point was not suggested before; a model that compares several prefers one
   *     that was not
   */
  double[] propose(long number, Observations history, Predicate<double[]> free, Rng rng);
}
