package io.orrery.tuner.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UnitCubeTest {
  static List<SearchSpace> spaces() {
    return Spaces.ALL;
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void aPlaceThatWasSnappedStaysWhereItIs(SearchSpace space) {
    UnitCube cube = new UnitCube(Axes.of(space));
    Rng rng = Rng.keyed(1, 1);
    for (int i = 0; i < 200; i++) {
      double[] place = cube.sample(rng);
      double[] snapped = cube.snap(place);
      assertThat(cube.snap(snapped)).containsExactly(snapped, within(1e-9));
    }
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void everyPlaceLiesInTheSpaceAndEveryNumberBetweenZeroAndOne(SearchSpace space) {
    Axes axes = Axes.of(space);
    UnitCube cube = new UnitCube(axes);
    Rng rng = Rng.keyed(2, 1);
    for (int i = 0; i < 200; i++) {
      double[] place = cube.place(axes.sample(rng));
      assertThat(axes.fits(axes.decode(cube.point(place)))).isTrue();
      for (int axis = 0; axis < cube.size(); axis++) {
        if (cube.isChoice(axis)) {
          assertThat(place[axis]).isBetween(UnitCube.ABSENT, cube.options(axis) - 1.0);
        } else {
          assertThat(place[axis]).isBetween(0.0, 1.0);
        }
      }
    }
  }

  @Test
  void theScaleIsThatOfTheDistributionAndIntegersAreOrdered() {
    UnitCube logs = new UnitCube(Axes.of(Spaces.one("loguniform", "[1e-4, 1]")));
    assertThat(logs.place(new double[] {Math.log(1e-2)}))
        .containsExactly(new double[] {0.5}, within(1e-12));
    UnitCube integers = new UnitCube(Axes.of(Spaces.one("randint", "[0, 4]")));
    assertThat(integers.place(new double[] {0})).containsExactly(0.125);
    assertThat(integers.place(new double[] {3})).containsExactly(0.875);
    assertThat(integers.isChoice(0)).isFalse();
    assertThat(integers.step(0, 0.5)).isEqualTo(0.25);
  }

  @Test
  void whatDoesNotExistMakesNoDifference() {
    Axes axes = Axes.of(Spaces.NESTED);
    UnitCube cube = new UnitCube(axes);
    Rng rng = Rng.keyed(3, 1);
    double[] one = cube.sample(rng);
    double[] other = cube.sample(rng);
    // The second option has no parameters of its own; what remains is the number of layers.
    one[0] = 1;
    other[0] = 1;
    other[other.length - 1] = one[one.length - 1];
    assertThat(cube.snap(one)).isEqualTo(cube.snap(other));
  }
}
