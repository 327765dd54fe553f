package io.orrery.tuner.importance;

import io.orrery.tuner.math.Forest;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.math.Tree;
import java.util.Arrays;

/**
 * A functional analysis of variance: how much of what a forest says about the results is said by
 * each parameter alone (Hutter, Hoos, Leyton-Brown: "An efficient approach for assessing
 * hyperparameter importance", ICML 2014).
 *
 * <p>The share of a parameter is the variance of its marginal, the forest's mean over all other
 * parameters, in the variance of the forest over the whole space; both are exact, summed over the
 * leaves. Forest, average over trees and the final scaling are as in Optuna's {@code
 * FanovaImportanceEvaluator}: 64 trees of depth 64 on bootstrap samples, and shares that sum to 1,
 * whatever is due to parameters acting together. Optuna leaves out parameters that some trials do
 * not have; here a parameter of a nested choice takes part with the probability of its branch.
 */
public final class Importance {
  private static final Forest.Growth GROWTH = new Forest.Growth(64, 64, 2, 1, true, false);

  private Importance() {}

  /**
   * The importance of every column.
   *
   * @param shares for each result its parameters in the unit cube: numbers from 0 to 1, the index
   *     of an option, or NaN where a parameter does not exist
   * @param values finite
   * @param options for each column the number of its options, or 0 when it holds numbers
   * @return numbers from 0 that sum to 1; all 0 when the parameters explain nothing
   */
  public static double[] of(double[][] shares, double[] values, int[] options, Rng rng) {
    double[] importance = new double[options.length];
    if (values.length == 0) {
      return importance;
    }
    for (Tree tree : Forest.grow(shares, scaled(values), options, GROWTH, rng).trees()) {
      double[] fractions = new Marginals(tree, options).fractions();
      Arrays.setAll(importance, column -> importance[column] + fractions[column]);
    }
    double sum = Arrays.stream(importance).sum();
    if (sum > 0) {
      Arrays.setAll(importance, column -> importance[column] / sum);
    }
    return importance;
  }

  /**
   * Scales results to numbers from 0 to 1, so that no square of a huge or a tiny metric leaves the
   * doubles; shares do not change by it. Where the distance of the extremes is no double, halves
   * are taken.
   */
  private static double[] scaled(double[] values) {
    double least = Arrays.stream(values).min().orElse(0);
    double most = Arrays.stream(values).max().orElse(0);
    double part = Double.isFinite(most - least) ? 1 : 0.5;
    double low = least * part;
    double width = most * part - low;
    return Arrays.stream(values)
        .map(value -> width > 0 ? (value * part - low) / width : 0)
        .toArray();
  }
}
