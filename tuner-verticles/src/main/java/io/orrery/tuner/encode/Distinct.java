package io.orrery.tuner.encode;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that what is suggested may be tried, and is new: no point that breaks a constraint,
 * and of a countable space none twice while others are left. and one without any parameter wants
 * none: users who run trials without parameters want to repeat them.
 *
 * <p>What takes the place of a point that may not be tried follows from that point, the space and
 * what was used before, so that it is the same after a restart.
 */
public final class Distinct {
  /** As many points can be looked at one by one. */
  private static final BigInteger COUNTED = BigInteger.valueOf(1_000_000);

  private final Axes axes;
  private final @Nullable Ranking ranking;
  private final Unused unused;

  /** Fingerprints of the points that were used, where repairing a point could lead to one again. */
  private final Set<List<Double>> used = new HashSet<>();

  private Distinct(Axes axes, @Nullable Ranking ranking) {
    this.axes = axes;
    this.ranking = ranking;
    this.unused = new Unused(ranking == null ? BigInteger.ONE : ranking.size());
  }

  public static Distinct in(Axes axes) {
    return new Distinct(axes, axes.all().isEmpty() ? null : Ranking.of(axes).orElse(null));
  }

  /** Whether a point may be tried, and the values that it gives are still unused. */
  public boolean isFree(double[] point) {
    return axes.allows(point) && isUnused(point);
  }

  private boolean isUnused(double[] point) {
    BigInteger rank = rank(point);
    return rank == null ? !used.contains(fingerprint(point)) : unused.isFree(rank);
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
    } else if (axes.constrained()) {
      used.add(fingerprint(point));
    }
  }

  /**
   * Marks a point as used, or, when it is not free, another one: under constraints one that has
   * much in common with it, otherwise the next free one after it in row-major order.
   *
   * @return the point that was marked; null when all are used, or none was found that may be tried
   */
  public double @Nullable [] claim(double[] point) {
    double[] free = isFree(point) ? point : another(point);
    if (free != null) {
      use(free);
    }
    return free;
  }

  private double @Nullable [] another(double[] point) {
    boolean countable = ranking != null && unused.size().compareTo(COUNTED) <= 0;
    if (axes.constrained()) {
      double[] repaired = new PointRepair(axes, countable).repair(point, this::isFree);
      if (repaired != null || !countable) {
        return repaired;
      }
    }
    BigInteger rank = rank(point);
    if (ranking == null || rank == null) {
      return point;
    }
    BigInteger free = unused.from(rank);
    while (free != null && !axes.allows(ranking.point(free))) {
      unused.take(free);
      free = unused.from(free);
    }
    return free == null ? null : ranking.point(free);
  }

  private @Nullable BigInteger rank(double[] point) {
    return ranking == null ? null : ranking.rank(point);
  }

  private static List<Double> fingerprint(double[] point) {
    return Arrays.stream(point).boxed().toList();
  }
}
