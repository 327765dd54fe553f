package io.orrery.tuner.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RngTest {
  @Test
  void theSameKeyGivesTheSameSequence() {
    Rng one = Rng.keyed(42, 7);
    Rng two = Rng.keyed(42, 7);
    for (int i = 0; i < 100; i++) {
      assertThat(one.nextLong()).isEqualTo(two.nextLong());
    }
  }

  @Test
  void neighbouringSeedsAndNumbersShareNothing() {
    Set<Long> seen = new HashSet<>();
    for (long seed = -20; seed < 20; seed++) {
      for (long number = 0; number < 500; number++) {
        assertThat(seen.add(Rng.keyed(seed, number).nextLong())).isTrue();
      }
    }
  }

  @Test
  void aSplitDependsOnTheKeyAndNotOnWhatWasDrawn() {
    Rng fresh = Rng.keyed(1, 2);
    Rng used = Rng.keyed(1, 2);
    used.nextLong();
    assertThat(used.split(3).nextLong()).isEqualTo(fresh.split(3).nextLong());
    assertThat(fresh.split(4).nextLong()).isNotEqualTo(fresh.split(3).nextLong());
  }

  @Test
  void firstDrawsOfSuccessiveNumbersAreUniform() {
    int n = 10_000;
    int[] bins = new int[20];
    for (int number = 0; number < n; number++) {
      double u = Rng.keyed(0, number).nextOpen();
      assertThat(u).isStrictlyBetween(0.0, 1.0);
      bins[(int) (u * bins.length)]++;
    }
    double expected = n / (double) bins.length;
    double chiSquare = 0;
    for (int bin : bins) {
      chiSquare += (bin - expected) * (bin - expected) / expected;
    }
    assertThat(chiSquare).as("chi-square, 19 degrees, p = 0.001").isLessThan(43.8);
  }
}
