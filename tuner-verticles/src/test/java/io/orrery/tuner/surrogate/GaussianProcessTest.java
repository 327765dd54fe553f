package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.surrogate.GaussianProcess.Belief;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GaussianProcessTest {
  private static final double STEP = 1e-6;

  private static final boolean[] CHOICES = {false, true, false, false};

  private static double[] place(Rng rng) {
    return new double[] {rng.nextDouble(), rng.nextInt(3), rng.nextDouble(), rng.nextDouble()};
  }

  private static double value(double[] place) {
    return Math.sin(5 * place[0]) + place[1] * 0.3 + place[2] * place[3];
  }

  private static List<double[]> places(int count) {
    Rng rng = Rng.keyed(5, count);
    List<double[]> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(place(rng));
    }
    return places;
  }

  private static double[] values(List<double[]> places) {
    return places.stream().mapToDouble(GaussianProcessTest::value).toArray();
  }

  private static double[] middle(Layout layout) {
    double[] hyper = new double[layout.size()];
    Arrays.setAll(hyper, layout::mean);
    return hyper;
  }

  private static GaussianProcess process(boolean additive, List<double[]> places) {
    Layout layout = new Layout(CHOICES, additive);
    double[] hyper = new LogEvidence(layout, places, values(places)).fit(40);
    return new GaussianProcess(new Kernel(layout, hyper), places, values(places));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEvidencesSlopeIsThatOfItsValue(boolean additive) {
    Layout layout = new Layout(CHOICES, additive);
    List<double[]> places = places(12);
    LogEvidence evidence = new LogEvidence(layout, places, values(places));
    double[] hyper = middle(layout);
    double[] gradient = new double[hyper.length];
    double[] unused = new double[hyper.length];
    evidence.at(hyper, gradient);
    for (int i = 0; i < hyper.length; i++) {
      double[] up = hyper.clone();
      double[] down = hyper.clone();
      up[i] += 1e-5;
      down[i] -= 1e-5;
      double expected = (evidence.at(up, unused) - evidence.at(down, unused)) / 2e-5;
      assertThat(gradient[i]).isCloseTo(expected, within(1e-4 * (1 + Math.abs(expected))));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theBeliefsSlopesAreThoseOfMeanAndDeviation(boolean additive) {
    GaussianProcess process = process(additive, places(15));
    process.await(place(Rng.keyed(1, 1)));
    double[] at = place(Rng.keyed(2, 2));
    double[] byMean = new double[4];
    double[] byDeviation = new double[4];
    process.at(at, byMean, byDeviation);
    for (int axis : new int[] {0, 2, 3}) {
      double[] up = at.clone();
      double[] down = at.clone();
      up[axis] += STEP;
      down[axis] -= STEP;
      Belief above = process.at(up);
      Belief below = process.at(down);
      assertThat(byMean[axis]).isCloseTo((above.mean() - below.mean()) / (2 * STEP), within(1e-4));
      assertThat(byDeviation[axis])
          .isCloseTo((above.deviation() - below.deviation()) / (2 * STEP), within(1e-4));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofManyPlacesTogetherItBelievesWhatItDoesOfEach(boolean additive) {
    GaussianProcess process = process(additive, places(40));
    process.await(place(Rng.keyed(1, 1)));
    List<double[]> others = places(7);
    List<Belief> together = process.at(others);
    for (int i = 0; i < others.size(); i++) {
      Belief alone = process.at(others.get(i));
      assertThat(together.get(i).mean()).isCloseTo(alone.mean(), within(1e-9));
      assertThat(together.get(i).deviation()).isCloseTo(alone.deviation(), within(1e-9));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itPredictsWhatItHasNotSeen(boolean additive) {
    GaussianProcess process = process(additive, places(60));
    Rng rng = Rng.keyed(9, 9);
    double error = 0;
    for (int i = 0; i < 50; i++) {
      double[] place = place(rng);
      error += Math.abs(process.mean(place) - value(place)) / 50;
    }
    assertThat(error).as("the values have a deviation of 0.7").isLessThan(0.1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsAwaitedLeavesMeansAndTakesUncertaintyAway(boolean additive) {
    GaussianProcess process = process(additive, places(10));
    double[] place = place(Rng.keyed(3, 3));
    Belief before = process.at(place);
    process.await(place);
    assertThat(process.at(place).mean()).isEqualTo(before.mean());
    assertThat(process.at(place).deviation()).isLessThan(before.deviation());
    process.awaitNothing();
    assertThat(process.at(place)).isEqualTo(before);
  }

  @Test
  void farAwayInManyDimensionsNothingHasToDoWithAnything() {
    Layout layout = new Layout(new boolean[30], false);
    double[] hyper = middle(layout);
    Arrays.fill(hyper, 0, 30, Math.log(0.26));
    Kernel kernel = new Kernel(layout, hyper);
    kernel.add(new double[30]);
    double[] far = new double[30];
    Arrays.fill(far, 0.5);
    assertThat(kernel.row(far, 1)[0]).isBetween(0.0, 1e-20);
  }
}
