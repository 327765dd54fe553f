package io.orrery.tuner.search.grid;

import io.orrery.core.space.Dimension.Numeric;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Prior;
import java.util.ArrayList;
import java.util.List;

/**
 * The grid along one axis: all categories from the start, or ever more quantiles of a distribution.
 *
 * <p>Quantiles are found by halving. An interval of probability is divided at its middle; the
 * middle becomes a tick when its value differs from those of both ends, and each half lives on
 * while a value that has no tick may lie in it. The ends 0 and 1 have no ticks themselves (they may
 * be infinite), so an outermost half lives on until its inner end has the same value as the outer
 * one, or, for multiples without bounds, until it is improbable.
 */
final class GridTicks {
  private final Axis axis;
  private final List<Double> quantiles = new ArrayList<>();
  private List<Interval> intervals = new ArrayList<>();
  private long fresh;

  private record Interval(double low, double high) {
    double middle() {
      return (low + high) / 2;
    }
  }

  GridTicks(Axis axis) {
    this.axis = axis;
    if (!categorical()) {
      quantiles.add(0.5);
      keep(new Interval(0, 0.5), intervals);
      keep(new Interval(0.5, 1), intervals);
    }
  }

  private boolean categorical() {
    return axis.categories() > 0;
  }

  long size() {
    return categorical() ? axis.categories() : quantiles.size();
  }

  /** Whether a tick came with the last division. */
  boolean isFresh(long tick) {
    return tick >= fresh;
  }

  /** The coordinate of a tick on its axis. */
  double coordinate(long tick) {
    return axis.dimension() instanceof Numeric numeric && !categorical()
        ? Prior.of(numeric).quantile(quantiles.get((int) tick))
        : tick;
  }

  /** Whether another division may bring more ticks, if not at once. */
  boolean divisible() {
    return !intervals.isEmpty();
  }

  /** Halves every interval. */
  void divide() {
    fresh = size();
    List<Interval> halves = new ArrayList<>();
    for (Interval interval : intervals) {
      double middle = interval.middle();
      if ((interval.low() == 0 || differ(interval.low(), middle))
          && (interval.high() == 1 || differ(middle, interval.high()))) {
        quantiles.add(middle);
      }
      keep(new Interval(interval.low(), middle), halves);
      keep(new Interval(middle, interval.high()), halves);
    }
    intervals = halves;
  }

  private void keep(Interval interval, List<Interval> kept) {
    double middle = interval.middle();
    if (interval.low() < middle
        && middle < interval.high()
        && !improbable(interval)
        && differ(interval.low(), interval.high())) {
      kept.add(interval);
    }
  }

  /**
   * Whether it lies so far out on an unbounded scale of multiples that its values are not tried.
   */
  private boolean improbable(Interval interval) {
    return axis.rounded()
        && axis.dimension() instanceof Numeric numeric
        && Prior.of(numeric) instanceof Prior.Bell
        && (interval.high() <= Axis.IMPROBABLE || interval.low() >= 1 - Axis.IMPROBABLE);
  }

  private boolean differ(double p, double q) {
    return value(p) != value(q);
  }

  private double value(double p) {
    return axis.dimension() instanceof Numeric numeric
        ? numeric.value(Prior.of(numeric).quantile(p)).doubleValue()
        : p;
  }
}
