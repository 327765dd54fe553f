package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.surrogate.Acquisition.ConfidenceBound;
import io.orrery.tuner.surrogate.Acquisition.ExpectedImprovement;
import io.orrery.tuner.surrogate.Acquisition.ProbabilityOfImprovement;
import io.orrery.tuner.surrogate.Acquisition.Worth;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AcquisitionTest {
  private static final double STEP = 1e-6;

  static Stream<Acquisition> acquisitions() {
    return Stream.of(
        new ExpectedImprovement(0.3), new ProbabilityOfImprovement(0.3), new ConfidenceBound(2));
  }

  /** From far below the threshold to far above it; both sides of where the formula changes. */
  private static final List<Double> MEANS = List.of(-4.0, -0.5, 0.3, 1.0, 1.2999, 1.3001, 3.0, 9.0);

  @ParameterizedTest
  @MethodSource("acquisitions")
  void theDerivativesAreThoseOfTheValue(Acquisition acquisition) {
    for (double mean : MEANS) {
      double deviation = 0.5;
      Worth worth = acquisition.of(mean, deviation);
      double byMean =
          (acquisition.of(mean + STEP, deviation).value()
                  - acquisition.of(mean - STEP, deviation).value())
              / (2 * STEP);
      double byDeviation =
          (acquisition.of(mean, deviation + STEP).value()
                  - acquisition.of(mean, deviation - STEP).value())
              / (2 * STEP);
      assertThat(worth.byMean()).isCloseTo(byMean, near(byMean));
      assertThat(worth.byDeviation()).isCloseTo(byDeviation, near(byDeviation));
    }
  }

  private static Offset<Double> near(double value) {
    return within(1e-4 * (1 + Math.abs(value)));
  }

  @Test
  void theExpectedImprovementIsThatOfTheIntegral() {
    double sum = 0;
    double width = 1e-4;
    for (double value = -6; value < 0.3; value += width) {
      double z = (value - 0.5) / 0.7;
      sum += (0.3 - value) * Math.exp(-z * z / 2) / (0.7 * Math.sqrt(2 * Math.PI)) * width;
    }
    assertThat(Math.exp(new ExpectedImprovement(0.3).of(0.5, 0.7).value()))
        .isCloseTo(sum, within(1e-4));
  }

  @Test
  void farAwayThereIsStillASlope() {
    Worth hopeless = new ExpectedImprovement(0).of(50, 0.1);
    assertThat(hopeless.value()).isFinite().isLessThan(-100_000);
    assertThat(hopeless.byMean()).isFinite().isNegative();
  }
}
