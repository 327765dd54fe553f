package io.orrery.tuner.encode;

import io.orrery.core.number.Lattice;
import io.orrery.core.number.Numbers;
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
import org.jspecify.annotations.Nullable;

/**
 * The values that a quantised dimension can give: q times each integer from {@code first} to {@code
 * last}, clipped.
 *
 * <p>The normal types have no bounds; of theirs those count that lie within all but the {@link
 * #IMPROBABLE} outermost draws on either side, which is within 3.7 sigmas. The others may be drawn,
 * but a search that has used up all that count has nothing left that is worth a trial. Integers
 * beyond 2^53 have no doubles of their own, so the count ends there.
 *
 * @param logarithmic whether coordinates are logarithms of values
 */
record Multiples(double q, long first, long last, boolean logarithmic) {
  /** The share of the draws on either side that are too far out to be looked for. */
  static final double IMPROBABLE = 1e-4;

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
        yield between(prior.quantile(IMPROBABLE), prior.quantile(1 - IMPROBABLE), q, false);
      }
      case QLogNormal(double mu, double sigma, double q) ->
          between(0, Math.exp(Prior.of(dimension).quantile(1 - IMPROBABLE)), q, true);
    };
  }

  private static @Nullable Multiples between(double low, double high, double q, boolean logs) {
    double first = Math.max(Lattice.index(low, q), -Numbers.MOST_EXACT);
    double last = Math.min(Lattice.index(high, q), Numbers.MOST_EXACT);
    return first <= last ? new Multiples(q, (long) first, (long) last, logs) : null;
  }

  long count() {
    return last - first + 1;
  }

  /** The place of a coordinate's value among the multiples, from 0; -1 when it is beyond them. */
  long rank(double coordinate) {
    double multiple = index(coordinate);
    return multiple >= first && multiple <= last ? (long) multiple - first : -1;
  }

  /** The place of the multiple that is nearest to a coordinate, from 0. */
  long nearestRank(double coordinate) {
    return (long) Math.clamp(index(coordinate), (double) first, (double) last) - first;
  }

  private double index(double coordinate) {
    return Lattice.index(logarithmic ? Math.exp(coordinate) : coordinate, q);
  }

  /** A coordinate that gives the value at a place. */
  double coordinate(long rank) {
    double multiple = Lattice.at((double) (first + rank), q);
    if (!logarithmic) {
      return multiple;
    }
    return Math.log(multiple == 0 ? q / 4 : multiple);
  }
}
