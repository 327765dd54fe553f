package io.orrery.tuner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DecayTest {
  @Test
  void itIsTheExponentialOfTheNegative() {
    double[] numbers = new double[1000];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i * 0.7;
    }
    double[] decayed = numbers.clone();
    Decay.of(decayed, decayed.length);
    for (int i = 0; i < numbers.length; i++) {
      assertThat(decayed[i] / Math.exp(-numbers[i])).isCloseTo(1, within(1e-10));
    }
  }

  @Test
  void whatIsVeryFarAwayIsNextToNothing() {
    double[] numbers = {701, 1e9, Double.POSITIVE_INFINITY};
    Decay.of(numbers, numbers.length);
    assertThat(numbers).containsExactly(new double[3], within(1e-300));
  }

  @Test
  void whatIsBehindTheCountStays() {
    double[] numbers = {0, 5};
    Decay.of(numbers, 1);
    assertThat(numbers).containsExactly(1, 5);
  }
}
