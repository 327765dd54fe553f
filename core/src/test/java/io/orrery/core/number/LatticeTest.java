package io.orrery.core.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatticeTest {
  /** C4: 0.3, where the product of doubles is 0.30000000000000004. */
  @ParameterizedTest
  @CsvSource({
    "3, 0.1, 0.3",
    "6, 0.1, 0.6",
    "7, 0.1, 0.7",
    "3, 0.7, 2.1",
    "-3, 0.1, -0.3",
    "3, 1e-5, 3e-5",
    "3, 1e-30, 3e-30",
    "3, 1e300, 3e300",
    "5, 16, 80",
    "0, 0.1, 0",
    "49, 0.01, 0.49"
  })
  void aMultipleIsTheDoubleNearestToTheDecimal(double index, double q, double multiple) {
    assertThat(Lattice.at(index, q)).isEqualTo(multiple);
    assertThat(Lattice.index(multiple, q)).isEqualTo(index);
    assertThat(Lattice.nearest(multiple, q)).isEqualTo(multiple);
  }

  @Test
  void whateverTheStepTheResultIsThatOfExactDecimals() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      int digits = random.nextInt(0, 18);
      double q =
          new BigDecimal(random.nextLong(1, 10_000)).movePointLeft(digits).doubleValue()
              * (i % 7 == 0 ? random.nextDouble(0.1, 1) : 1);
      long index = random.nextLong(-1L << random.nextInt(1, 53), 1L << random.nextInt(1, 53));
      double exact = BigDecimal.valueOf(q).multiply(BigDecimal.valueOf(index)).doubleValue();

      assertThat(Lattice.at((double) index, q)).as("%d times %s", index, q).isEqualTo(exact);
    }
  }

  @Test
  void halfAStepRoundsToTheEvenMultipleAndZeroHasNoSign() {
    assertThat(Lattice.nearest(0.5, 1)).isEqualTo(0);
    assertThat(Lattice.nearest(1.5, 1)).isEqualTo(2);
    assertThat(Lattice.nearest(-2.5, 1)).isEqualTo(-2);
    assertThat(Double.doubleToRawLongBits(Lattice.nearest(-0.2, 1))).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e308, -1e308, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void aMultipleIsFiniteHoweverFarItIs(double value) {
    for (double q : new double[] {1e-300, 1e-5, 0.1, 1, 1e10, 1e308, Double.MIN_VALUE}) {
      assertThat(Lattice.nearest(value, q)).isFinite();
    }
  }
}
