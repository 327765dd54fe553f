package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.math.Rng;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WarpTest {
  private static double[] losses(int count) {
    Rng rng = Rng.keyed(7, count);
    double[] losses = new double[count];
    Arrays.setAll(losses, i -> Math.exp(4 * rng.nextGaussian()));
    return losses;
  }

  @Test
  void theOrderIsKept() {
    double[] losses = losses(50);
    double[] warped = Warp.warp(losses);
    for (int i = 0; i < 50; i++) {
      for (int j = 0; j < 50; j++) {
        assertThat(Double.compare(warped[i], warped[j]))
            .isEqualTo(Double.compare(losses[i], losses[j]));
      }
    }
  }

  @Test
  void theScaleOfTheLossesDoesNotMatter() {
    double[] losses = losses(30);
    double[] scaled = Arrays.stream(losses).map(loss -> 1e6 * loss - 5).toArray();
    assertThat(Warp.warp(scaled)).containsExactly(Warp.warp(losses), within(1e-6));
  }

  @Test
  void theResultHasMeanZeroAndVarianceOne() {
    double[] warped = Warp.warp(losses(40));
    assertThat(Arrays.stream(warped).sum()).isCloseTo(0, within(1e-9));
    assertThat(Arrays.stream(warped).map(v -> v * v).sum()).isCloseTo(40, within(1e-9));
  }

  @Test
  void oneEnormousLossDoesNotHideTheOthers() {
    double[] warped = Warp.warp(new double[] {1, 2, 3, 4, 5, 6, 7, 1e9});
    assertThat(warped[6] - warped[0]).isGreaterThan(0.5);
  }

  @Test
  void whatFailedOrIsInfiniteIsAsBadAsTheWorst() {
    double[] warped =
        Warp.warp(
            new double[] {1, 5, 2, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY});
    assertThat(warped[3]).isEqualTo(warped[1]);
    assertThat(warped[4]).isEqualTo(warped[1]);
    assertThat(warped[5]).isEqualTo(warped[0]);
  }

  @Test
  void withoutDifferentNumbersThereIsOnlyWhetherATrialFailed() {
    assertThat(Warp.warp(new double[] {3, 3, 3})).containsOnly(0);
    assertThat(Warp.warp(new double[] {Double.NaN, Double.NaN})).containsOnly(0);
    assertThat(Warp.warp(new double[] {3, Double.NaN})).containsExactly(0, 1);
  }

  @Test
  void theGreatestNumbersThereAreStillGiveNumbers() {
    double most = Double.MAX_VALUE;
    assertThat(Warp.warp(new double[] {-most, 0, 1, most, Double.MIN_VALUE}))
        .matches(WarpTest::allFinite);
    assertThat(Warp.warp(new double[] {0, Double.MIN_VALUE, most})).matches(WarpTest::allFinite);
  }

  private static boolean allFinite(double[] values) {
    return Arrays.stream(values).allMatch(Double::isFinite);
  }
}
