package io.orrery.tuner.encode;

import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.RandInt;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bijection between the points of a countable space and the integers below its size.
 *
 * <p>Points are counted in row-major order, the last parameter fastest. A list of parameters counts
 * as the product of its members; a nested choice as the sum of its branches, each of which is such
 * a list. Options that are equal count once, and so do draws that round to the same multiple of q.
 * Sizes are exact integers of any length: products of ordinary spaces overflow a long easily.
 */
public final class Ranking {
  private final Axes axes;
  private final Map<Axis, Multiples> multiples;

  /**
   * For each choice, by the index of its axis, how many points its first options have together: of
   * none, one, and so on up to all. Counted once, or a rank would cost as much as there are
   * options.
   */
  private final BigInteger[][] before;

  private Ranking(Axes axes, Map<Axis, Multiples> multiples) {
    this.axes = axes;
    this.multiples = multiples;
    this.before = new BigInteger[axes.all().size()][];
    // Those below a choice have higher indices, and their sizes are needed for its own.
    for (int i = axes.all().size() - 1; i >= 0; i--) {
      Axis axis = axes.all().get(i);
      before[i] =
          axis.dimension() instanceof Choice choice ? before(axis, choice) : new BigInteger[0];
    }
  }

  /** The ranking of a space, empty when a parameter of it is continuous. */
  public static Optional<Ranking> of(Axes axes) {
    Map<Axis, Multiples> multiples = new HashMap<>();
    for (Axis axis : axes.all()) {
      if (axis.categories() == 0) {
        Multiples found =
            axis.dimension() instanceof Numeric numeric ? Multiples.of(numeric) : null;
        if (found == null) {
          return Optional.empty();
        }
        multiples.put(axis, found);
      }
    }
    return Optional.of(new Ranking(axes, multiples));
  }

  /** How many different points there are, 1 or more. */
  public BigInteger size() {
    return size(axes.top());
  }

  /** The number of a point, null for one so far out that it is not counted. */
  public @Nullable BigInteger rank(double[] point) {
    return rank(axes.top(), point);
  }

  /**
   * The point of a number.
   *
   * @param rank from 0, below {@link #size}
   */
  public double[] point(BigInteger rank) {
    double[] point = new double[axes.all().size()];
    Arrays.fill(point, Double.NaN);
    place(axes.top(), rank, point);
    return point;
  }

  private BigInteger size(List<Axis> level) {
    BigInteger size = BigInteger.ONE;
    for (Axis axis : level) {
      size = size.multiply(size(axis));
    }
    return size;
  }

  private BigInteger size(Axis axis) {
    return switch (axis.dimension()) {
      case RandInt randint -> BigInteger.valueOf(randint.size());
      case Choice choice -> before[axis.index()][choice.options().size()];
      case Numeric numeric -> BigInteger.valueOf(of(axis).count());
    };
  }

  private BigInteger[] before(Axis axis, Choice choice) {
    BigInteger[] sums = new BigInteger[choice.options().size() + 1];
    sums[0] = BigInteger.ZERO;
    for (int i = 0; i < choice.options().size(); i++) {
      sums[i + 1] = sums[i].add(size(axis, choice, i));
    }
    return sums;
  }

  private BigInteger size(Axis axis, Choice choice, int option) {
    return first(axis, choice, option) == option ? size(axis.under(option)) : BigInteger.ZERO;
  }

  /** The option that stands for all that are equal to this one. */
  private static int first(Axis axis, Choice choice, int option) {
    return switch (choice.options().get(option)) {
      case Literal(var value) -> Objects.requireNonNullElse(axis.literal(value), option);
      case Branch branch -> option;
    };
  }

  private @Nullable BigInteger rank(List<Axis> level, double[] point) {
    BigInteger rank = BigInteger.ZERO;
    for (Axis axis : level) {
      BigInteger digit = rank(axis, point);
      if (digit == null) {
        return null;
      }
      rank = rank.multiply(size(axis)).add(digit);
    }
    return rank;
  }

  private @Nullable BigInteger rank(Axis axis, double[] point) {
    double coordinate = point[axis.index()];
    return switch (axis.dimension()) {
      case RandInt randint -> BigInteger.valueOf((long) coordinate);
      case Choice choice -> {
        BigInteger within = rank(axis.under(coordinate), point);
        int option = first(axis, choice, (int) coordinate);
        yield within == null ? null : before[axis.index()][option].add(within);
      }
      case Numeric numeric -> {
        long place = of(axis).rank(coordinate);
        yield place < 0 ? null : BigInteger.valueOf(place);
      }
    };
  }

  private void place(List<Axis> level, BigInteger rank, double[] point) {
    BigInteger rest = rank;
    for (int i = level.size() - 1; i >= 0; i--) {
      BigInteger[] split = rest.divideAndRemainder(size(level.get(i)));
      place(level.get(i), split[1], point);
      rest = split[0];
    }
  }

  private void place(Axis axis, BigInteger digit, double[] point) {
    switch (axis.dimension()) {
      case RandInt randint -> point[axis.index()] = digit.longValueExact();
      case Numeric numeric -> point[axis.index()] = of(axis).coordinate(digit.longValueExact());
      case Choice choice -> {
        BigInteger[] sums = before[axis.index()];
        // The last option before which there are no more points than this.
        int option = Arrays.binarySearch(sums, digit);
        option = option < 0 ? -option - 2 : option;
        while (sums[option + 1].equals(sums[option])) {
          option++;
        }
        BigInteger rest = digit.subtract(sums[option]);
        point[axis.index()] = option;
        place(axis.under(option), rest, point);
      }
    }
  }

  private Multiples of(Axis axis) {
    Multiples found = multiples.get(axis);
    if (found == null) {
      throw new IllegalStateException(axis.name() + " is not an axis of multiples");
    }
    return found;
  }
}
