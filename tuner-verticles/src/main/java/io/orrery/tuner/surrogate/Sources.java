package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The earlier experiments that a search learns from: an ensemble of their models, weighted by how
 * well each ranks what this search has seen (Feurer, Letham, Hutter, Bakshy: "Practical transfer
 * learning for Bayesian optimization", 2018).
 *
 * <p>The observations are resampled, and in each resample the source that misranks the fewest pairs
 * wins, unless none does clearly better than chance. A source's weight is its share of wins. What
 * the sources expect together is then a trend, about which the search's own Gaussian process models
 * the rest; {@link Surrogate} takes it only where that explains the observations better than no
 * trend does. So sources that do not help are not listened to, and the search is the one that it is
 * without them.
 */
public final class Sources {
  /**
   * An earlier experiment.
   *
   * @param cube of the axes that it has in common with this search
   * @param axes for each of them, the index in the space of this search
   * @param observations in the order in which they came
   */
  public record Source(UnitCube cube, int[] axes, List<Observation> observations) {}

  private static final int RESAMPLES = 64;
  private static final int MOST_RANKED = 120;

  /**
   * By how many deviations of a random ranking a source must be better than that to say something.
   */
  private static final double CLEARLY = 1.3;

  /** The share of resamples that some source must win to be listened to before the model is. */
  private static final double SURE = 0.8;

  /** The same for a trend, which has to explain the observations besides. */
  private static final double LIKELY = 0.3;

  private static final int CANDIDATES = 8;

  private final UnitCube cube;
  private final List<SourceModel> models;

  /** Fits a model for each source, which takes some tens of milliseconds each. */
  public Sources(UnitCube cube, List<Source> sources) {
    this.cube = cube;
    models =
        sources.stream()
            .map(source -> new SourceModel(source.cube(), source.axes(), source.observations()))
            .toList();
  }

  /**
   * Places that are good in the sources: each improves most on those before it, summed over the
   * sources, so that sources that disagree have their turns.
   */
  public List<double[]> portfolio(int size) {
    double[] middle = new double[cube.size()];
    Arrays.setAll(middle, axis -> cube.isChoice(axis) ? 0 : 0.5);
    List<double[]> candidates = new ArrayList<>();
    models.forEach(model -> candidates.addAll(model.places(middle, CANDIDATES)));
    double[] reached = new double[models.size()];
    Arrays.fill(reached, Double.MAX_VALUE / 1e6);
    List<double[]> chosen = new ArrayList<>();
    while (chosen.size() < size && !candidates.isEmpty()) {
      double[] best = candidates.getFirst();
      double least = Double.POSITIVE_INFINITY;
      for (double[] candidate : candidates) {
        double sum = 0;
        for (int i = 0; i < reached.length; i++) {
          sum += Math.min(reached[i], models.get(i).mean(candidate));
        }
        if (sum < least) {
          least = sum;
          best = candidate;
        }
      }
      for (int i = 0; i < reached.length; i++) {
        reached[i] = Math.min(reached[i], models.get(i).mean(best));
      }
      candidates.remove(best);
      chosen.add(cube.snap(best));
    }
    return chosen;
  }

  /** Whether the sources rank what was seen so well that they may be followed at once. */
  public boolean help(List<Observation> observations) {
    return sum(weights(observations)) >= SURE;
  }

  /**
   * The share of resamples that each source wins; their sum falls short of 1 by the share in which
   * none is better than chance.
   */
  public double[] weights(List<Observation> observations) {
    List<Observation> used = Surrogate.some(observations, MOST_RANKED);
    List<double[]> places = used.stream().map(Observation::place).toList();
    return weights(places, Warp.warp(used.stream().mapToDouble(Observation::loss).toArray()));
  }

  private double[] weights(List<double[]> places, double[] values) {
    int n = values.length;
    double[][] said = new double[models.size()][];
    Arrays.setAll(said, i -> places.stream().mapToDouble(models.get(i)::mean).toArray());
    Rng rng = Rng.keyed(0x50C, n);
    double[] wins = new double[models.size()];
    for (int resample = 0; resample < RESAMPLES; resample++) {
      int[] drawn = IntStream.range(0, n).map(i -> rng.nextInt(n)).toArray();
      int winner = -1;
      double least = chance(n);
      for (int i = 0; i < said.length; i++) {
        double misranked = misranked(drawn, said[i], values);
        if (misranked < least) {
          least = misranked;
          winner = i;
        }
      }
      if (winner >= 0) {
        wins[winner] += 1.0 / RESAMPLES;
      }
    }
    return wins;
  }

  /**
   * The share of misranked pairs above which a source says nothing, by the variance of Kendall's
   * tau of rankings that have nothing to do with each other.
   */
  private static double chance(int n) {
    double variance = n < 2 ? 1 : 2.0 * (2 * n + 5) / (9.0 * n * (n - 1));
    return 0.5 - CLEARLY * 0.5 * Math.sqrt(variance);
  }

  /** The share of pairs with different values that are ranked the other way round; 1/2 for none. */
  private static double misranked(int[] drawn, double[] said, double[] values) {
    double wrong = 0;
    int pairs = 0;
    for (int i = 0; i < drawn.length; i++) {
      for (int j = 0; j < i; j++) {
        double seen = values[drawn[i]] - values[drawn[j]];
        if (seen != 0) {
          double expected = said[drawn[i]] - said[drawn[j]];
          pairs++;
          wrong += expected == 0 ? 0.5 : seen > 0 == expected > 0 ? 0 : 1;
        }
      }
    }
    return pairs == 0 ? 0.5 : wrong / pairs;
  }

  /** What the sources expect, on the scale of the values; null when they say nothing. */
  @Nullable Mixture trend(List<double[]> places, double[] values) {
    double[] weights = weights(places, values);
    double sum = sum(weights);
    if (sum < LIKELY) {
      return null;
    }
    Mixture mixture = new Mixture(models, Arrays.stream(weights).map(w -> w / sum).toArray());
    double[] said = places.stream().mapToDouble(mixture::at).toArray();
    double meanSaid = Arrays.stream(said).average().orElse(0);
    double meanSeen = Arrays.stream(values).average().orElse(0);
    double square = 0;
    double product = 0;
    for (int i = 0; i < said.length; i++) {
      square += (said[i] - meanSaid) * (said[i] - meanSaid);
      product += (said[i] - meanSaid) * (values[i] - meanSeen);
    }
    return product > 0 && square > 0 ? mixture.times(product / square) : null;
  }

  private static double sum(double[] weights) {
    return Arrays.stream(weights).sum();
  }

  /** A weighted sum of what sources say. */
  record Mixture(List<SourceModel> models, double[] weights) implements Trend {
    Mixture times(double factor) {
      return new Mixture(models, Arrays.stream(weights).map(w -> w * factor).toArray());
    }

    @Override
    public double at(double[] place) {
      double sum = 0;
      for (int i = 0; i < weights.length; i++) {
        sum += weights[i] == 0 ? 0 : weights[i] * models.get(i).mean(place);
      }
      return sum;
    }

    @Override
    public double at(double[] place, double[] slope) {
      double sum = 0;
      for (int i = 0; i < weights.length; i++) {
        sum += weights[i] == 0 ? 0 : weights[i] * models.get(i).mean(place, weights[i], slope);
      }
      return sum;
    }
  }
}
