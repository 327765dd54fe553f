package io.orrery.tuner.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.SearchSpace;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** NNI's rules for values, written down once more and independently of the code under test. */
final class Inside {
  private Inside() {}

  static void assertInside(SearchSpace space, Map<?, ?> values) {
    assertThat(List.copyOf(values.keySet())).isEqualTo(List.copyOf(space.dimensions().keySet()));
    space.dimensions().forEach((name, dimension) -> check(dimension, values.get(name)));
  }

  private static void check(Dimension dimension, @Nullable Object value) {
    if (dimension instanceof Dimension.Choice choice) {
      choice(choice, value);
      return;
    }
    Object given = Objects.requireNonNull(value);
    switch (dimension) {
      case Dimension.Choice choice -> throw new AssertionError(choice);
      case Dimension.RandInt(long lower, long upper) ->
          assertThat((Long) given).isBetween(lower, upper - 1);
      case Dimension.Uniform(double low, double high) ->
          assertThat((Double) given).isBetween(low, high);
      case Dimension.LogUniform(double low, double high) ->
          assertThat((Double) given).isBetween(low, high);
      case Dimension.QUniform(double low, double high, double q) -> clipped(given, low, high, q);
      case Dimension.QLogUniform(double low, double high, double q) -> clipped(given, low, high, q);
      case Dimension.Normal normal -> assertThat((Double) given).isFinite();
      case Dimension.LogNormal normal -> assertThat((Double) given).isFinite().isPositive();
      case Dimension.QNormal(double mu, double sigma, double q) -> multiple((Double) given, q);
      case Dimension.QLogNormal(double mu, double sigma, double q) -> {
        multiple((Double) given, q);
        assertThat((Double) given).isNotNegative();
      }
    }
  }

  private static void multiple(double value, double q) {
    assertThat(value).isEqualTo(nearest(value, q));
  }

  private static void clipped(Object given, double low, double high, double q) {
    double number = (Double) given;
    assertThat(number).isBetween(low, high);
    assertThat(number).isEqualTo(Math.clamp(nearest(number, q), low, high));
  }

  /** NNI rounds the same way, but gives the product of doubles; ours is that of decimals. */
  private static double nearest(double value, double q) {
    return new BigDecimal(Double.toString(q))
        .multiply(new BigDecimal(Math.rint(value / q)))
        .doubleValue();
  }

  private static void choice(Dimension.Choice choice, @Nullable Object value) {
    if (!choice.nested()) {
      assertThat(choice.options()).contains(new Literal(value));
      return;
    }
    Map<?, ?> chosen = new HashMap<>((Map<?, ?>) Objects.requireNonNull(value));
    Object name = chosen.remove("_name");
    Branch branch =
        choice.options().stream()
            .map(Branch.class::cast)
            .filter(b -> b.name().equals(name))
            .findFirst()
            .orElseThrow();
    assertThat(chosen.keySet()).isEqualTo(branch.space().dimensions().keySet());
    branch.space().dimensions().forEach((key, inner) -> check(inner, chosen.get(key)));
  }
}
