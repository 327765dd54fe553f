package io.orrery.tuner.search.tpe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.json.Json;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.space.SpaceReader;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.tpe.Observations.Observation;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KernelsTest {
  private static final SearchSpace SPACE =
      SpaceReader.read(
          Json.parse(
              """
              {"u": {"_type": "uniform", "_value": [0, 2]},
               "n": {"_type": "normal", "_value": [0, 1]},
               "c": {"_type": "choice", "_value": ["a", "b", "c"]}}
              """));
  private static final double WIDTH = 0.1;
  private static final double LEAVES = 0.3;
  private static final double PRIOR = 0.5;

  private final Rng rng = Rng.keyed(3, 1);
  private final List<UnitAxis> axes = Axes.of(SPACE).all().stream().map(UnitAxis::of).toList();

  /** More than one block of them; some lack the second axis. */
  private final List<Observation> seen =
      IntStream.range(0, 75)
          .mapToObj(i -> {
            double[] point = {rng.nextDouble(), 0.3 + 0.4 * rng.nextDouble(), rng.nextInt(3)};
            point[1] = i % 5 == 0 ? Double.NaN : point[1];
            return new Observation(point, i, i);
          })
          .toList();

  private final double[] weights = seen.stream().mapToDouble(o -> 1 + o.order() % 3).toArray();
  private final Kernels kernels =
      new Kernels(axes, seen, weights, new double[] {WIDTH, WIDTH, 0}, LEAVES, PRIOR);

  @Test
  void theDensityIsTheSumOfAllKernelsAndThePrior() {
    for (int i = 0; i < 200; i++) {
      double[] point = drawn();
      assertThat(kernels.log(point)).isCloseTo(Math.log(density(point)), within(1e-3));
    }
  }

  @Test
  void whatIsSaidToBeAboveALimitIsAboveItAndTheRestIsExact() {
    for (int i = 0; i < 200; i++) {
      double[] point = drawn();
      double all = kernels.log(point);
      double limit = all + 2 * rng.nextGaussian();
      double said = kernels.log(point, limit);
      assertThat(said).isLessThanOrEqualTo(all + 1e-9).isGreaterThanOrEqualTo(Math.min(all, limit));
      assertThat(kernels.least(point)).isLessThanOrEqualTo(all);
    }
  }

  private double[] drawn() {
    double[] point = new double[axes.size()];
    kernels.draw(rng, point);
    return point;
  }

  /** As the definition has it; normal densities on the unit scale, shares times the options. */
  private double density(double[] point) {
    double prior = normal(point[1] - 0.5, UnitAxis.BELL);
    double sum = PRIOR * prior;
    for (int i = 0; i < seen.size(); i++) {
      double[] centre = seen.get(i).point();
      double second = Double.isNaN(centre[1]) ? prior : normal(point[1] - centre[1], WIDTH);
      double third = 3 * (point[2] == centre[2] ? 1 - LEAVES : LEAVES / 2);
      sum += weights[i] * normal(point[0] - centre[0], WIDTH) * second * third;
    }
    return sum / (Arrays.stream(weights).sum() + PRIOR);
  }

  private static double normal(double away, double deviation) {
    double z = away / deviation;
    return Math.exp(-0.5 * z * z) / (deviation * Math.sqrt(2 * Math.PI));
  }
}
