package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.surrogate.CostModel.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class CostModelTest {
  private static final UnitCube CUBE =
      new UnitCube(
          Axes.of(
              Spaces.of(
                  """
                  {"x": {"_type": "uniform", "_value": [0, 1]},
                   "y": {"_type": "uniform", "_value": [0, 1]},
                   "c": {"_type": "choice", "_value": ["a", "b", "c"]}}
                  """)));

  private static List<Measured> measured(int trials, ToDoubleFunction<double[]> cost) {
    Rng rng = Rng.keyed(3, trials);
    List<Measured> measured = new ArrayList<>();
    for (int i = 0; i < trials; i++) {
      double[] place = CUBE.sample(rng);
      double chance = Math.exp(0.1 * rng.nextGaussian());
      measured.add(new Measured(place, Math.log(chance * cost.applyAsDouble(place))));
    }
    return measured;
  }

  private static Factor learnt(List<Measured> measured, double exponent) {
    CostModel model = new CostModel(CUBE);
    model.learn(measured, 0);
    return new Price(model, exponent).factor();
  }

  private static double rising(double[] place) {
    return Math.pow(100, place[0]) * (place[2] == 1 ? 10 : 1);
  }

  @Test
  void aPlaceThatCostsTenTimesAsMuchIsWorthATenth() {
    Factor factor = learnt(measured(60, CostModelTest::rising), 1);

    double usual = factor.at(new double[] {0.5, 0.5, 0});
    assertThat(usual - factor.at(new double[] {1, 0.5, 0})).isCloseTo(Math.log(10), within(0.5));
    assertThat(usual - factor.at(new double[] {0.5, 0.5, 1})).isCloseTo(Math.log(10), within(0.5));
    assertThat(factor.at(new double[] {0.5, 0.9, 0})).isCloseTo(usual, within(0.3));
  }

  @Test
  void theExponentSaysHowMuchCostsCount() {
    List<Measured> measured = measured(40, CostModelTest::rising);
    double[] place = {0.9, 0.2, 1};

    assertThat(learnt(measured, 0.25).at(place))
        .isCloseTo(learnt(measured, 1).at(place) / 4, within(1e-12));
    assertThat(learnt(measured, 0)).isEqualTo(Factor.NONE);
  }

  @Test
  void theUnitOfCostsDoesNotMatter() {
    List<Measured> seconds = measured(40, CostModelTest::rising);
    List<Measured> hours =
        seconds.stream()
            .map(one -> new Measured(one.place(), one.logarithm() - Math.log(3_600)))
            .toList();

    Rng anywhere = Rng.keyed(10, 0);
    for (int i = 0; i < 50; i++) {
      double[] place = CUBE.sample(anywhere);
      assertThat(learnt(hours, 1).at(place)).isCloseTo(learnt(seconds, 1).at(place), within(1e-6));
    }
  }

  @Test
  void withFewCostsOrWithoutADifferenceNothingIsBelieved() {
    assertThat(learnt(List.of(), 1)).isEqualTo(Factor.NONE);
    assertThat(learnt(measured(3, CostModelTest::rising), 1)).isEqualTo(Factor.NONE);
    List<Measured> alike =
        measured(20, CostModelTest::rising).stream()
            .map(one -> new Measured(one.place(), Math.log(7)))
            .toList();
    assertThat(learnt(alike, 1)).isEqualTo(Factor.NONE);
  }

  @Test
  void itKnowsTheSameAfterEachResultAsOneThatLearnsThemAllAtOnce() {
    List<Measured> all = measured(200, CostModelTest::rising);
    CostModel stepwise = new CostModel(CUBE);
    double[] place = {0.3, 0.6, 2};
    for (int count = 0; count <= all.size(); count++) {
      stepwise.learn(all.subList(0, count), 0);
      if (count % 20 == 0) {
        assertThat(new Price(stepwise, 1).factor().at(place))
            .isEqualTo(learnt(all.subList(0, count), 1).at(place));
      }
    }
  }

  @Test
  void theSlopeIsThatOfTheFactor() {
    Factor factor = learnt(measured(30, CostModelTest::rising), 0.7);

    Rng anywhere = Rng.keyed(11, 0);
    for (int i = 0; i < 30; i++) {
      double[] place = CUBE.sample(anywhere);
      double[] slope = new double[place.length];
      double value = factor.at(place, slope);
      assertThat(value).isEqualTo(factor.at(place));
      for (int axis = 0; axis < 2; axis++) {
        double[] moved = place.clone();
        moved[axis] += 1e-6;
        double numeric = (factor.at(moved) - value) / 1e-6;
        assertThat(slope[axis]).isCloseTo(numeric, within(1e-3 * Math.max(1, Math.abs(numeric))));
      }
    }
  }
}
