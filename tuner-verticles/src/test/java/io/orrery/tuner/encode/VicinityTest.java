package io.orrery.tuner.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VicinityTest {
  private static final Vicinity LINE = new Vicinity(Axes.of(Spaces.one("uniform", "[10, 20]")));
  private static final Vicinity CHOICE =
      new Vicinity(Axes.of(Spaces.one("choice", "[1, 2, 3, 4]")));
  private static final Vicinity NESTED = new Vicinity(Axes.of(Spaces.NESTED));

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.02, 0.5, 0.97, 1})
  void aWindowKeepsItsWidthAlsoAtTheEnds(double at) {
    double lowest = 1;
    double highest = 0;
    for (int i = 0; i < 2_000; i++) {
      double drawn = LINE.draw(new double[] {at}, axis -> 0.1, Rng.keyed(1, i))[0];
      lowest = Math.min(lowest, drawn);
      highest = Math.max(highest, drawn);
    }
    assertThat(lowest).isBetween(0.0, 1.0);
    assertThat(highest).isBetween(0.0, 1.0);
    assertThat(highest - lowest).isBetween(0.098, 0.1);
    assertThat(at).isBetween(lowest - 0.001, highest + 0.001);
  }

  @Test
  void withoutReachNothingMoves() {
    double[] from = NESTED.anywhere(Rng.keyed(2, 2));
    assertThat(NESTED.draw(from, axis -> 0, Rng.keyed(3, 3))).isEqualTo(from);
  }

  @Test
  void anOptionIsDrawnAnewWithTheProbabilityOfTheReach() {
    int changed = 0;
    for (int i = 0; i < 4_000; i++) {
      if (CHOICE.draw(new double[] {2}, axis -> 0.4, Rng.keyed(4, i))[0] != 2) {
        changed++;
      }
    }
    assertThat(changed)
        .as("0.4 of the draws, a quarter of them to the same")
        .isBetween(1_100, 1_300);
  }

  @Test
  void whatANewOptionBringsIsDrawnAfreshAndWhatItEndsIsGone() {
    int appeared = 0;
    for (int i = 0; i < 200; i++) {
      double[] row = NESTED.draw(NESTED.anywhere(Rng.keyed(5, i)), axis -> 1, Rng.keyed(6, i));
      assertThat(Double.isNaN(row[1])).as("lr is there with sgd alone").isEqualTo(row[0] != 0);
      appeared += row[0] == 0 ? 1 : 0;
    }
    assertThat(appeared).isBetween(70, 130);
  }
}
