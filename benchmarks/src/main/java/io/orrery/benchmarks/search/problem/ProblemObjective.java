package io.orrery.benchmarks.search.problem;

import io.orrery.core.trial.Parameters;

/** The function that is minimised, without noise. Immutable and thread safe. */
@FunctionalInterface
interface ProblemObjective {
  /** The value of a configuration. */
  double value(Parameters parameters);

  /**
   * The values after each epoch, the last being {@link #value}; one entry when there is no curve.
   */
  default double[] curve(Parameters parameters) {
    return new double[] {value(parameters)};
  }

  /** The value after an epoch, from 1. */
  default double after(Parameters parameters, int epoch) {
    return curve(parameters)[epoch - 1];
  }
}
