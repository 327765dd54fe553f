package io.orrery.tuner.search.tpe;

import io.orrery.tuner.math.Rng;
import java.util.HashMap;
import java.util.Map;

/**
 * The density over categories: weighted counts, and the prior's weight on every category alike.
 * Only categories that were observed take memory, since a randint may have very many.
 */
final class Frequencies implements Density {
  private final double[] observed;
  private final double[] weights;
  private final long categories;
  private final double priorWeight;
  private final double total;
  private final double observedTotal;
  private final Map<Double, Double> counts = new HashMap<>();

  Frequencies(double[] observed, double[] weights, long categories, double priorWeight) {
    this.observed = observed;
    this.weights = weights;
    this.categories = categories;
    this.priorWeight = priorWeight;
    double sum = 0;
    for (int i = 0; i < observed.length; i++) {
      counts.merge(observed[i], weights[i], Double::sum);
      sum += weights[i];
    }
    this.observedTotal = sum;
    this.total = sum + priorWeight * categories;
  }

  @Override
  public double draw(Rng rng) {
    double rest = rng.nextDouble() * total;
    if (rest < observedTotal) {
      for (int i = 0; i < observed.length; i++) {
        rest -= weights[i];
        if (rest < 0) {
          return observed[i];
        }
      }
    }
    return rng.nextLong(categories);
  }

  @Override
  public double log(double coordinate) {
    return Math.log((counts.getOrDefault(coordinate, 0.0) + priorWeight) / total);
  }
}
