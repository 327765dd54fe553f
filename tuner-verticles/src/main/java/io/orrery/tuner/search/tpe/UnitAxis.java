package io.orrery.tuner.search.tpe;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Prior;
import io.orrery.tuner.math.Rng;

/**
 * An axis on a scale that is alike for all parameters: from 0 to 1 between the bounds, or where a
 * normal distribution has nearly all of its mass; the index of the option for a choice. Integers
 * are steps of equal width, each represented by its middle.
 */
sealed interface UnitAxis {
  /** What a standard deviation is on the unit scale when there are no bounds. */
  double BELL = 1.0 / 6;

  Axis axis();

  /** The coordinate of a point on this scale. */
  double unit(double coordinate);

  /** Back from this scale. */
  double coordinate(double unit);

  /** Drawn from the space's own distribution. */
  double draw(Rng rng);

  /** The options of a choice, none better than its neighbours. */
  record Options(Axis axis, int count) implements UnitAxis {
    @Override
    public double unit(double coordinate) {
      return coordinate;
    }

    @Override
    public double coordinate(double unit) {
      return unit;
    }

    @Override
    public double draw(Rng rng) {
      return rng.nextInt(count);
    }
  }

  /** Numbers in an order. */
  sealed interface Scale extends UnitAxis {
    /** The nearest place that stands for a value which a trial can see. */
    double snapped(double unit);

    /** The distance between two values; 0 when they are dense or not evenly spaced. */
    double grain();

    /** Whether values lie between 0 and 1. */
    boolean bounded();

    /** The logarithm of the density of the space's own distribution. */
    double logPrior(double unit);
  }

  /** The integers of a randint. */
  record Steps(Axis axis, long count) implements Scale {
    @Override
    public double unit(double coordinate) {
      return (coordinate + 0.5) / count;
    }

    @Override
    public double coordinate(double unit) {
      return Math.clamp(Math.floor(unit * count), 0, count - 1.0);
    }

    @Override
    public double snapped(double unit) {
      return unit(coordinate(unit));
    }

    @Override
    public boolean bounded() {
      return true;
    }

    @Override
    public double grain() {
      return 1.0 / count;
    }

    @Override
    public double logPrior(double unit) {
      return 0;
    }

    @Override
    public double draw(Rng rng) {
      return snapped(rng.nextDouble());
    }
  }

  /**
   * An interval, on the logarithmic scale if the type is logarithmic.
   *
   * @param rounded whether values are multiples of something
   */
  record Interval(Axis axis, double low, double high, boolean rounded) implements Scale {
    @Override
    public double unit(double coordinate) {
      return high > low ? (coordinate - low) / (high - low) : 0.5;
    }

    @Override
    public double coordinate(double unit) {
      return low + unit * (high - low);
    }

    @Override
    public double snapped(double unit) {
      return rounded ? Math.clamp(unit(axis.snapped(coordinate(unit))), 0, 1) : unit;
    }

    @Override
    public boolean bounded() {
      return true;
    }

    @Override
    public double grain() {
      return 0;
    }

    @Override
    public double logPrior(double unit) {
      return 0;
    }

    @Override
    public double draw(Rng rng) {
      return snapped(rng.nextDouble());
    }
  }

  /**
   * An axis of all numbers, normally distributed; on the logarithmic scale if the type is
   * logarithmic.
   *
   * @param rounded whether values are multiples of something
   */
  record Linear(Axis axis, double mean, double deviation, boolean rounded) implements Scale {
    private static final double LOG_HEIGHT = -Math.log(BELL * Math.sqrt(2 * Math.PI));

    @Override
    public double unit(double coordinate) {
      return 0.5 + (coordinate - mean) / deviation * BELL;
    }

    @Override
    public double coordinate(double unit) {
      return mean + (unit - 0.5) / BELL * deviation;
    }

    @Override
    public double snapped(double unit) {
      return rounded ? unit(axis.snapped(coordinate(unit))) : unit;
    }

    @Override
    public boolean bounded() {
      return false;
    }

    @Override
    public double grain() {
      return 0;
    }

    @Override
    public double logPrior(double unit) {
      double z = (unit - 0.5) / BELL;
      return LOG_HEIGHT - 0.5 * z * z;
    }

    @Override
    public double draw(Rng rng) {
      return snapped(0.5 + BELL * rng.nextGaussian());
    }
  }

  /** The scale of an axis. */
  static UnitAxis of(Axis axis) {
    return switch (axis.dimension()) {
      case Choice(var options) -> new Options(axis, options.size());
      case RandInt randint -> new Steps(axis, randint.size());
      case Numeric numeric ->
          switch (Prior.of(numeric)) {
            case Prior.Flat(double low, double high) ->
                new Interval(axis, low, high, axis.rounded());
            case Prior.Bell(double mean, double deviation) ->
                new Linear(axis, mean, deviation, axis.rounded());
          };
    };
  }
}
