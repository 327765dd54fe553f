package io.orrery.tuner.search.tpe;

import io.orrery.tuner.math.Rng;

/** A density of observations on one axis. */
sealed interface Density permits Parzen, Frequencies {
  /** A coordinate drawn from it. */
  double draw(Rng rng);

  /** The logarithm of the density at a coordinate, up to a constant that does not depend on it. */
  double log(double coordinate);
}
