package io.orrery.tuner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LbfgsTest {
  private static final Lbfgs.Smooth ROSENBROCK =
      (x, gradient) -> {
        double valley = x[1] - x[0] * x[0];
        gradient[0] = -400 * x[0] * valley - 2 * (1 - x[0]);
        gradient[1] = 200 * valley;
        return 100 * valley * valley + (1 - x[0]) * (1 - x[0]);
      };

  private static Lbfgs box(double low, double high, Lbfgs.Smooth function) {
    double[] lows = new double[2];
    double[] highs = new double[2];
    Arrays.fill(lows, low);
    Arrays.fill(highs, high);
    return new Lbfgs(function, lows, highs, 0);
  }

  @Test
  void itFollowsACurvedValleyToItsEnd() {
    Lbfgs.Least least = box(-5, 5, ROSENBROCK).minimise(new double[] {-1.2, 1}, 0.1, 200);
    assertThat(least.x()).containsExactly(new double[] {1, 1}, within(1e-4));
    assertThat(least.value()).isLessThan(1e-8);
  }

  @Test
  void itStopsAtTheBoundsAndStillMovesAlongThem() {
    Lbfgs.Smooth bowl =
        (x, gradient) -> {
          gradient[0] = 2 * (x[0] - 3);
          gradient[1] = 8 * (x[1] - 0.5);
          return (x[0] - 3) * (x[0] - 3) + 4 * (x[1] - 0.5) * (x[1] - 0.5);
        };
    Lbfgs.Least least = box(-1, 1, bowl).minimise(new double[] {-0.5, -0.7}, 0.1, 50);
    assertThat(least.x()).containsExactly(new double[] {1, 0.5}, within(1e-5));
  }

  @Test
  void itBacksOffFromWhereTheFunctionIsNotDefined() {
    Lbfgs.Smooth logarithmic =
        (x, gradient) -> {
          gradient[0] = 1 - 0.01 / x[0];
          gradient[1] = 0;
          return x[0] > 0 ? x[0] - 0.01 * Math.log(x[0]) : Double.NaN;
        };
    Lbfgs.Least least = box(-1, 1, logarithmic).minimise(new double[] {0.9, 0}, 1.5, 60);
    assertThat(least.x()[0]).isCloseTo(0.01, within(1e-4));
  }

  @Test
  void itNeverAsksMoreOftenThanItMay() {
    AtomicInteger calls = new AtomicInteger();
    Lbfgs.Smooth counted =
        (x, gradient) -> {
          calls.incrementAndGet();
          return ROSENBROCK.at(x, gradient);
        };
    box(-5, 5, counted).minimise(new double[] {-1.2, 1}, 0.1, 7);
    assertThat(calls.get()).isLessThanOrEqualTo(7);
  }
}
