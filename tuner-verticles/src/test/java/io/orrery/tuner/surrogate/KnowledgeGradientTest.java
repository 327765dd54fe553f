package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the worth of a result by numerical integration, and where it is known in closed form. */
class KnowledgeGradientTest {
  private static final int STEPS = 20_000;

  private static GaussianProcess process(List<double[]> places, double[] values, double noise) {
    Layout layout = new Layout(new boolean[] {false}, false);
    double[] hyper = new double[layout.size()];
    Arrays.setAll(hyper, layout::mean);
    hyper[layout.noise()] = Math.log(noise);
    return new GaussianProcess(new Kernel(layout, hyper), places, values);
  }

  private static List<double[]> line(int count) {
    List<double[]> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(new double[] {(i + 0.5) / count});
    }
    return places;
  }

  private static double[] valley(List<double[]> places) {
    return places.stream().mapToDouble(p -> 4 * (p[0] - 0.4) * (p[0] - 0.4)).toArray();
  }

  @Test
  void theExpectedRiseIsTheIntegralOverANormalNumber() {
    for (int seed = 0; seed < 200; seed++) {
      Rng rng = Rng.keyed(seed, 1);
      int lines = 1 + rng.nextInt(12);
      double[] heights = new double[lines];
      double[] slopes = new double[lines];
      Arrays.setAll(heights, i -> Math.rint(4 * rng.nextGaussian()) / 4);
      Arrays.setAll(slopes, i -> Math.rint(4 * rng.nextGaussian()) / 4);
      double sum = 0;
      for (int step = 0; step < STEPS; step++) {
        double z = Gaussian.quantile((step + 0.5) / STEPS);
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < lines; i++) {
          highest = Math.max(highest, heights[i] + slopes[i] * z);
        }
        sum += highest;
      }
      double now = Arrays.stream(heights).max().orElseThrow();

      assertThat(KnowledgeGradient.expectedRise(heights, slopes))
          .as("seed %s", seed)
          .isCloseTo(sum / STEPS - now, within(1e-3))
          .isNotNegative();
    }
  }

  @Test
  void withoutNoiseARepeatIsWorthNothingAndANewPlaceItsExpectedImprovement() {
    List<double[]> places = line(4);
    GaussianProcess process = process(places, valley(places), 1e-6);
    KnowledgeGradient gradient = new KnowledgeGradient(process, places);
    double least = process.mean(gradient.likeliest().getFirst());

    for (double[] place : places) {
      assertThat(gradient.at(place)).isLessThan(KnowledgeGradient.LEAST);
    }
    for (double at : new double[] {0.02, 0.25, 0.41, 0.6, 0.99}) {
      GaussianProcess.Belief belief = process.at(new double[] {at});
      double improvement =
          Math.exp(
              new Acquisition.ExpectedImprovement(least)
                  .of(belief.mean(), belief.deviation())
                  .value());
      assertThat(gradient.at(new double[] {at}))
          .isCloseTo(improvement, within(0.05 * improvement + 1e-3));
    }
  }

  @Test
  void withNoiseARepeatOfARivalIsWorthMoreThanOneOfWhatCannotBeTheBest() {
    List<double[]> places = line(8);
    GaussianProcess process = process(places, valley(places), 0.1);
    KnowledgeGradient gradient = new KnowledgeGradient(process, places);

    assertThat(gradient.at(gradient.likeliest().getFirst())).isGreaterThan(KnowledgeGradient.LEAST);
    assertThat(gradient.at(places.getLast()))
        .isLessThan(gradient.at(gradient.likeliest().getFirst()));
  }

  @Test
  void aRepeatThatIsAwaitedMakesAnotherOneWorthLess() {
    List<double[]> places = line(8);
    GaussianProcess process = process(places, valley(places), 0.1);
    double[] best = new KnowledgeGradient(process, places).likeliest().getFirst();
    double before = new KnowledgeGradient(process, places).at(best);
    process.awaitOnly(List.of(best, best, best));

    assertThat(new KnowledgeGradient(process, places).at(best)).isLessThan(before);
  }
}
