package io.orrery.tuner.encode;

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
import io.orrery.tuner.math.Rng;
import org.jspecify.annotations.Nullable;

/**
 * The values that a quantised dimension can give: q times each integer from {@code first} to {@code
 * last}, clipped.
 *
 * <p>The normal types have no bounds; theirs are the extremes that a draw can reach, {@link
 * Rng#nextOpen} being no nearer to 0 or 1 than 2^-53, some eight sigmas. Integers beyond 2^53 have
 * no doubles of their own, so the count ends there.
 *
 * @param logarithmic whether coordinates are logarithms of values
 */
record Multiples(double q, long first, long last, boolean logarithmic) {
  private static final double EXACT = 0x1.0p53;
  private static final double REACH = 0x1.0p-53;

  /** The multiples of a dimension, null when it is continuous or finer than doubles. */
  static @Nullable Multiples of(Numeric dimension) {
    return switch (dimension) {
      case RandInt randint -> null;
      case Uniform uniform -> null;
      case LogUniform logUniform -> null;
      case Normal normal -> null;
      case LogNormal logNormal -> null;
      case QUniform(double low, double high, double q) -> between(low, high, q, false);
      case QLogUniform(double low, double high, double q) -> between(low, high, q, true);
      case QNormal(double mu, double sigma, double q) -> {
        Prior prior = Prior.of(dimension);
        yield between(prior.quantile(REACH), prior.quantile(1 - REACH), q, false);
      }
      case QLogNormal(double mu, double sigma, double q) ->
          between(0, Math.exp(Prior.of(dimension).quantile(1 - REACH)), q, true);
    };
  }

  private static @Nullable Multiples between(double low, double high, double q, boolean logs) {
    double first = Math.max(Math.rint(low / q), -EXACT);
    double last = Math.min(Math.rint(high / q), EXACT);
    return first <= last ? new Multiples(q, (long) first, (long) last, logs) : null;
  }

  long count() {
    return last - first + 1;
  }

  /** The place of a coordinate's value among the multiples, from 0; -1 when it is beyond them. */
  long rank(double coordinate) {
    double multiple = Math.rint((logarithmic ? Math.exp(coordinate) : coordinate) / q);
    return multiple >= first && multiple <= last ? (long) multiple - first : -1;
  }

  /** A coordinate that gives the value at a place. */
  double coordinate(long rank) {
    long multiple = first + rank;
    if (!logarithmic) {
      return multiple * q;
    }
    return Math.log(multiple == 0 ? q / 4 : multiple * q);
  }
}
