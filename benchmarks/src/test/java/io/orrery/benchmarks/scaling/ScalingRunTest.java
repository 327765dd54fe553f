package io.orrery.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScalingRunTest {
  /** The shares may be a hundredth more: a decision comes each second, and not each other one. */
  private static final double SLACK = 0.01;

  @ParameterizedTest
  @EnumSource(LoadShape.class)
  void noLoadIsProvidedForWorseThanByTheAlgorithmOfKnative(LoadShape load) {
    for (int start : new int[] {1, 5, 20}) {
      ScalingRun ours = ScalingRun.of(ScalingRun.ours(7), load, 7, start);
      ScalingRun theirs = ScalingRun.of(new KnativeAutoscaler(7), load, 7, start);

      assertThat(ours.under()).as("too few").isLessThanOrEqualTo(theirs.under() + SLACK);
      assertThat(ours.over()).as("too many").isLessThanOrEqualTo(theirs.over() + SLACK);
    }
  }
}
