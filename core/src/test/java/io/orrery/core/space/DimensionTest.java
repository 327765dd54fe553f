package io.orrery.core.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.LogNormal;
import io.orrery.core.space.Dimension.LogUniform;
import io.orrery.core.space.Dimension.Normal;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.QLogNormal;
import io.orrery.core.space.Dimension.QLogUniform;
import io.orrery.core.space.Dimension.QNormal;
import io.orrery.core.space.Dimension.QUniform;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.core.space.Dimension.Uniform;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DimensionTest {
  private static final double POSITIVE = Double.POSITIVE_INFINITY;
  private static final double NEGATIVE = Double.NEGATIVE_INFINITY;

  private static List<Number> values(Numeric dimension, double from, double to) {
    TreeSet<Double> distinct = new TreeSet<>();
    IntStream.rangeClosed(0, 1_000)
        .forEach(i -> distinct.add(dimension.value(from + (to - from) * i / 1_000).doubleValue()));
    return List.copyOf(distinct);
  }

  @Test
  void aStepCountsFromZeroAndTheRangeClipsLast() {
    assertThat(values(new QUniform(2, 10, 5), 2, 10)).containsExactly(2.0, 5.0, 10.0);
    assertThat(values(new QUniform(0.5, 3.5, 1), 0.5, 3.5))
        .containsExactly(0.5, 1.0, 2.0, 3.0, 3.5);
    assertThat(values(new QUniform(-3, 3, 2), -3, 3)).containsExactly(-3.0, -2.0, 0.0, 2.0, 3.0);
  }

  @Test
  void halfRoundsToTheEvenMultiple() {
    QNormal step = new QNormal(0, 1, 1);

    assertThat(step.value(0.5)).isEqualTo(0.0);
    assertThat(step.value(1.5)).isEqualTo(2.0);
    assertThat(step.value(2.5)).isEqualTo(2.0);
    assertThat(step.value(-1.5)).isEqualTo(-2.0);
    assertThat(new QNormal(0, 1, 0.1).value(0.25)).isEqualTo(0.2);
  }

  /** C4. */
  @Test
  void aMultipleHasTheDigitsOfTheDecimal() {
    assertThat(new QNormal(0, 1, 0.1).value(0.31)).isEqualTo(0.3).isNotEqualTo(3 * 0.1);
    assertThat(values(new QUniform(0, 1, 0.1), 0, 1))
        .containsExactly(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0);
  }

  /** C1: spaces of an older version are still read. */
  @Test
  void noDrawIsInfinite() {
    for (double raw : new double[] {1e308, -1e308, 800, -800, NEGATIVE, POSITIVE}) {
      assertThat(new Normal(0, 1).value(raw)).isFinite();
      assertThat(new LogNormal(1000, 1).value(raw)).isFinite();
      assertThat(new QNormal(0, 1, 1e-300).value(raw).doubleValue()).isFinite();
      assertThat(new QLogNormal(0, 1, 0.5).value(raw)).isFinite();
      assertThat(new QUniform(0, 1e9, 1e-300).value(raw)).isFinite();
    }
  }

  @Test
  void theNormalFamilyIsNotClipped() {
    assertThat(new Normal(0, 1).value(1e9)).isEqualTo(1e9);
    assertThat(new QNormal(0, 1, 5).value(-12)).isEqualTo(-10.0);
    assertThat(new LogNormal(0, 1).value(2)).isEqualTo(Math.exp(2));
    assertThat(new QLogNormal(0, 1, 0.5).value(0)).isEqualTo(1.0);
  }

  @Test
  void theLogFamilyTakesTheLogarithmAsItsRawScale() {
    assertThat(new LogUniform(1e-5, 0.1).value(Math.log(0.01))).isEqualTo(Math.exp(Math.log(0.01)));
    assertThat(new LogUniform(1e-5, 0.1).value(Math.log(0.1))).isLessThanOrEqualTo(0.1);
    assertThat(new LogUniform(1e-5, 0.1).value(-1e9)).isEqualTo(1e-5);
    assertThat(new QLogUniform(3, 17, 5).value(Math.log(12.6))).isEqualTo(15.0);
    assertThat(new QLogUniform(3, 17, 5).value(Math.log(3))).isEqualTo(5.0);
    assertThat(new QLogUniform(3, 17, 5).value(Math.log(17))).isEqualTo(15.0);
    assertThat(new QLogUniform(3, 17, 5).value(0)).isEqualTo(3.0);
  }

  @Test
  void uniformStaysWithinItsBounds() {
    assertThat(new Uniform(1, 2).value(1.25)).isEqualTo(1.25);
    assertThat(new Uniform(1, 2).value(3)).isEqualTo(2.0);
  }

  @Test
  void randintExcludesItsUpperEnd() {
    RandInt dimension = new RandInt(-2, 3);

    assertThat(dimension.size()).isEqualTo(5);
    assertThat(dimension.value(-2)).isEqualTo(-2L);
    assertThat(dimension.value(-0.5)).isEqualTo(-1L);
    assertThat(dimension.value(2.999)).isEqualTo(2L);
    assertThat(dimension.value(3)).isEqualTo(2L);
    assertThat(dimension.value(-1e300)).isEqualTo(-2L);
  }

  @Test
  void aChoiceHasSomethingToChooseFrom() {
    assertThatThrownBy(() -> new Choice(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThat(new Choice(List.of(new Dimension.Literal(1))).nested()).isFalse();
    assertThat(new Choice(List.of(new Dimension.Branch("a", SearchSpace.EMPTY))).nested()).isTrue();
  }
}
