package io.orrery.tuner.encode;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that no parameter set of a countable space is suggested twice while others are left. A
 * space with a continuous parameter needs no such care, and one without any parameter wants none:
 * whoever runs trials without parameters wants to repeat them.
 */
public final class Distinct {
  private final @Nullable Ranking ranking;
  private final Unused unused;

  private Distinct(@Nullable Ranking ranking) {
    this.ranking = ranking;
    this.unused = new Unused(ranking == null ? BigInteger.ONE : ranking.size());
  }

  public static Distinct in(Axes axes) {
    return new Distinct(axes.all().isEmpty() ? null : Ranking.of(axes).orElse(null));
  }

  /** Whether the values that a point gives are still unused. */
  public boolean isFree(double[] point) {
    BigInteger rank = rank(point);
    return rank == null || unused.isFree(rank);
  }

  /** Whether every point has been used: never in a space that is not countable, or has no axis. */
  public boolean isUsedUp() {
    return ranking != null && unused.isEmpty();
  }

  /** Marks a point as used. */
  public void use(double[] point) {
    BigInteger rank = rank(point);
    if (rank != null) {
      unused.take(rank);
    }
  }

  /**
   * Marks a point as used, or, when it is used already, the next free one after it in row-major
   * order.
   *
   * @return the point that was marked, null when all are used
   */
  public double @Nullable [] claim(double[] point) {
    BigInteger rank = rank(point);
    if (ranking == null || rank == null) {
      return point;
    }
    BigInteger free = unused.from(rank);
    if (free == null) {
      return null;
    }
    unused.take(free);
    return free.equals(rank) ? point : ranking.point(free);
  }

  private @Nullable BigInteger rank(double[] point) {
    return ranking == null ? null : ranking.rank(point);
  }
}
