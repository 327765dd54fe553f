package io.orrery.tuner.search.pbt;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.QLogNormal;
import io.orrery.core.space.Dimension.QLogUniform;
import io.orrery.core.space.Dimension.QNormal;
import io.orrery.core.space.Dimension.QUniform;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Prior;
import io.orrery.tuner.math.Rng;

/**
 * Changes every parameter of a point a little, or draws it anew: the neighbouring option or
 * integer, one q up or down, a share of the range (of its logarithm for log types) or of the
 * standard deviation; never out of the bounds.
 *
 * @param factor the share of the range
 * @param resample how probable it is that a parameter is drawn anew
 */
record Explore(Axes axes, double factor, double resample) {
  double[] from(double[] point, Rng rng) {
    return axes.point(axis -> {
      Rng own = rng.split(axis.index());
      double now = point[axis.index()];
      boolean anew = Double.isNaN(now) || own.nextDouble() < resample;
      return anew ? Axes.sample(axis, own) : moved(axis, now, own.nextBoolean() ? 1 : -1);
    });
  }

  private double moved(Axis axis, double now, int way) {
    return switch (axis.dimension()) {
      case Choice choice -> Math.clamp(now + way, 0, choice.options().size() - 1.0);
      case RandInt range -> Math.clamp(now + way, 0, range.size() - 1.0);
      case QUniform(double low, double high, double q) -> Math.clamp(now + way * q, low, high);
      case QLogUniform(double low, double high, double q) ->
          Math.log(Math.clamp(Math.exp(now) + way * q, low, high));
      case QNormal(double mu, double sigma, double q) -> now + way * q;
      case QLogNormal(double mu, double sigma, double q) ->
          Math.log(Math.max(q / 4, Math.exp(now) + way * q));
      case Numeric numeric ->
          switch (Prior.of(numeric)) {
            case Prior.Flat(double low, double high) ->
                Math.clamp(now + way * factor * (high - low), low, high);
            case Prior.Bell(double mean, double deviation) -> now + way * factor * deviation;
          };
    };
  }
}
