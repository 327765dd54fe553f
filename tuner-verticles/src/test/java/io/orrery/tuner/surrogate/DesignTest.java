package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DesignTest {
  private static final int SIZE = 10;

  private final Axes axes = Axes.of(Spaces.NESTED);
  private final UnitCube cube = new UnitCube(axes);

  @Test
  void theFirstPlaceIsTheMiddleOfAllNumbers() {
    double[] first = new Design(cube, SIZE, Rng.keyed(7, -1)).place(0);

    for (int axis = 0; axis < cube.size(); axis++) {
      if (!cube.isChoice(axis)) {
        assertThat(first[axis]).isEqualTo(0.5);
      }
    }
  }

  @Test
  void ofTheOthersNoTwoAreInTheSameSliceOfANumber() {
    Design design = new Design(cube, SIZE, Rng.keyed(7, -1));

    for (int axis = 0; axis < cube.size(); axis++) {
      Set<Integer> slices = new HashSet<>();
      for (int i = 1; i < SIZE && !cube.isChoice(axis); i++) {
        assertThat(slices.add((int) (design.place(i)[axis] * SIZE))).isTrue();
      }
    }
  }

  @Test
  void theOptionsOfAChoiceTakeTurns() {
    Design design = new Design(cube, SIZE, Rng.keyed(7, -1));

    for (int axis = 0; axis < cube.size(); axis++) {
      if (cube.isChoice(axis)) {
        int[] taken = new int[cube.options(axis)];
        for (int i = 0; i < SIZE; i++) {
          taken[(int) design.place(i)[axis]]++;
        }
        for (int times : taken) {
          assertThat(times).isGreaterThanOrEqualTo(SIZE / taken.length);
        }
      }
    }
  }

  @Test
  void withoutPlacesThereIsNoMiddle() {
    assertThat(new Design(cube, 0, Rng.keyed(7, -1)).size()).isZero();
  }
}
