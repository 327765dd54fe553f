package io.orrery.core.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunningMeanTest {
  /** C3: a sum of two would be infinite, and one of three times 0.1 is not 0.3. */
  @ParameterizedTest
  @ValueSource(doubles = {1.2e308, -1.2e308, 0.1, 5e-324, 0, Double.MAX_VALUE})
  void theMeanOfEqualNumbersIsThatNumber(double number) {
    assertThat(RunningMean.of(Collections.nCopies(9, number))).isEqualTo(number);
  }

  @Test
  void numbersFurtherApartThanTheLargestHaveAMean() {
    assertThat(RunningMean.of(List.of(1.7e308, -1.7e308))).isZero();
    assertThat(RunningMean.of(List.of(-1.7e308, 1.7e308, 1.7e308)))
        .isCloseTo(1.7e308 / 3, within(1e294));
  }

  @Test
  void theMeanOfFewNumbersIsTheirMean() {
    assertThat(RunningMean.of(List.of(1.0, 2.0, 6.0))).isEqualTo(3);
    assertThat(RunningMean.of(List.of())).isZero();
  }

  @Test
  void withAnInfiniteNumberItIsInfinite() {
    assertThat(RunningMean.of(List.of(1.0, Double.POSITIVE_INFINITY, 1e308))).isInfinite();
  }
}
