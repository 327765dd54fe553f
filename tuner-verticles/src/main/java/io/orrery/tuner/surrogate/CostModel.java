package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a trial at each place, learnt from those that ended: a Gaussian process of its
 * logarithm, because costs are above 0 and differ by factors (Snoek, Larochelle, Adams: "Practical
 * Bayesian optimization of machine learning algorithms", NIPS 2012, section 3.2, where the expected
 * improvement is divided by the expected cost).
 *
 * <p>Costs count in relation to what is usual, the geometric mean of what was measured, so that
 * their unit does not matter. Where nothing is known of them a place costs what is usual.
 *
 * <p>Hyper-parameters are fitted anew whenever the number of costs has grown by a twelfth, from the
 * middle of their priors, as in {@link Surrogate}: what is kept between questions would be computed
 * again alike. Not thread safe.
 */
public final class CostModel {
  /**
   * A cost that was measured.
   *
   * @param logarithm of the cost
   */
  public record Measured(double[] place, double logarithm) {}

  /** With fewer there is nothing to learn. */
  private static final int LEAST = 4;

  private static final int MOST = 160;
  private static final int EVALUATIONS = 30;

  /** Logarithms that differ by less are the same cost. */
  private static final double SAME = 1e-9;

  private final Layout layout;
  private int fittedCount;
  private long fittedReplaced;
  private double @Nullable [] hyper;
  private @Nullable GaussianProcess process;
  private double unit;

  public CostModel(UnitCube cube) {
    layout = Layout.ofCosts(cube);
  }

  /**
   * Learns what trials have cost.
   *
   * @param measured in the order of the results
   * @param replaced a number that grows whenever an earlier result is replaced
   */
  public void learn(List<Measured> measured, long replaced) {
    Scaled all = Scaled.of(some(measured));
    if (measured.size() < LEAST || all.unit() < SAME) {
      process = null;
      return;
    }
    int count = Surrogate.milestone(measured.size());
    double[] known = hyper;
    if (known == null || fittedCount != count || fittedReplaced != replaced) {
      Scaled sample = Scaled.of(some(measured.subList(0, count)));
      known = new LogEvidence(layout, sample.places(), sample.values()).fit(EVALUATIONS);
      hyper = known;
      fittedCount = count;
      fittedReplaced = replaced;
    }
    unit = all.unit();
    process = new GaussianProcess(new Kernel(layout, known), all.places(), all.values());
  }

  /** The usual cost over that of a place, to the power of an exponent. */
  Factor cheapness(double exponent) {
    GaussianProcess known = process;
    return known == null ? Factor.NONE : new Cheapness(known, exponent * unit);
  }

  /** An even sample, in order. */
  private static List<Measured> some(List<Measured> all) {
    return all.size() <= MOST
        ? all
        : IntStream.range(0, MOST)
            .mapToObj(i -> all.get((int) ((long) i * all.size() / MOST)))
            .toList();
  }

  /**
   * Logarithms of costs with mean 0 and deviation 1.
   *
   * @param unit their deviation before that
   */
  private record Scaled(List<double[]> places, double[] values, double unit) {
    static Scaled of(List<Measured> costs) {
      double mean = costs.stream().mapToDouble(Measured::logarithm).average().orElse(0);
      double[] values = costs.stream().mapToDouble(one -> one.logarithm() - mean).toArray();
      double unit = Math.sqrt(Arrays.stream(values).map(v -> v * v).average().orElse(0));
      if (unit >= SAME) {
        Arrays.setAll(values, i -> values[i] / unit);
      }
      return new Scaled(costs.stream().map(Measured::place).toList(), values, unit);
    }
  }

  private record Cheapness(GaussianProcess process, double unit) implements Factor {
    @Override
    public double at(double[] place) {
      return -unit * process.mean(place);
    }

    @Override
    public double at(double[] place, double[] slope) {
      double[] own = new double[slope.length];
      double mean = process.mean(place, own);
      for (int axis = 0; axis < slope.length; axis++) {
        slope[axis] -= unit * own[axis];
      }
      return -unit * mean;
    }
  }
}
