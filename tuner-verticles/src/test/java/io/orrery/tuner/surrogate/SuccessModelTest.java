package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.surrogate.SuccessModel.Learnt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class SuccessModelTest {
  private static final UnitCube CUBE =
      new UnitCube(
          Axes.of(
              Spaces.of(
                  """
                  {"x": {"_type": "uniform", "_value": [0, 1]},
                   "y": {"_type": "uniform", "_value": [0, 1]},
                   "c": {"_type": "choice", "_value": ["a", "b", "c"]}}
                  """)));

  private static Factor learnt(int trials, Predicate<double[]> fails) {
    Rng rng = Rng.keyed(3, trials);
    List<double[]> succeeded = new ArrayList<>();
    List<double[]> failed = new ArrayList<>();
    for (int i = 0; i < trials; i++) {
      double[] place = CUBE.sample(rng);
      (fails.test(place) ? failed : succeeded).add(place);
    }
    return new SuccessModel(CUBE).after(succeeded, failed, trials).factor();
  }

  private static double probability(Factor factor, double... place) {
    return Math.exp(factor.at(place));
  }

  @Test
  void aHalfThatAlwaysFailsIsHardlyWorthATrial() {
    Factor factor = learnt(40, place -> place[0] > 0.6);

    assertThat(probability(factor, 0.9, 0.5, 1)).isLessThan(0.1);
    assertThat(probability(factor, 0.2, 0.5, 1)).isGreaterThan(0.9);
  }

  @Test
  void anOptionThatAlwaysFailsIsHardlyWorthATrial() {
    Factor factor = learnt(40, place -> place[2] == 1);

    assertThat(probability(factor, 0.5, 0.5, 1)).isLessThan(0.2);
    assertThat(probability(factor, 0.5, 0.5, 0)).isGreaterThan(0.8);
  }

  @Test
  void failuresByChanceSayNothingOfAnyPlace() {
    for (int key = 0; key < 5; key++) {
      Rng chance = Rng.keyed(8, key);
      Factor factor = learnt(60 + key, place -> chance.nextDouble() < 0.3);

      Rng anywhere = Rng.keyed(9, key);
      for (int i = 0; i < 50; i++) {
        assertThat(probability(factor, CUBE.sample(anywhere))).isGreaterThan(0.3);
      }
    }
  }

  @Test
  void noPlaceIsEverExcluded() {
    Factor factor = learnt(400, place -> place[0] + place[1] > 0.4);

    Rng anywhere = Rng.keyed(10, 0);
    for (int i = 0; i < 200; i++) {
      assertThat(probability(factor, CUBE.sample(anywhere))).isBetween(0.999e-3, 1.0);
    }
  }

  @Test
  void withoutFailuresOrWithoutSuccessesNothingIsBelieved() {
    List<double[]> places = List.of(new double[] {0.5, 0.5, 1}, new double[] {0.1, 0.2, 0});

    assertThat(new SuccessModel(CUBE).after(places, List.of(), 1)).isEqualTo(Learnt.NOTHING);
    assertThat(new SuccessModel(CUBE).after(List.of(), places, 1)).isEqualTo(Learnt.NOTHING);
  }

  @Test
  void theSlopeIsThatOfTheFactor() {
    Factor factor = learnt(30, place -> place[0] > 0.6 && place[1] > 0.3);

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
