package io.orrery.tuner.search.anneal;

import io.orrery.core.space.Dimension.Numeric;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Prior;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import java.util.stream.Stream;

/**
 * Anneals as NNI does, that is as hyperopt 0.3 does: the first trial is drawn from the space, every
 * other one about an earlier one; a normal parameter keeps its shape and loses its width; integers
 * are categories. Of what the earlier trial does not have, another one's value is taken. A
 * parameter set that was used is replaced by one random draw.
 */
final class Hyperopt {
  private static final double MEAN_RANK = 2;

  private final Axes axes;

  Hyperopt(Axes axes) {
    this.axes = axes;
  }

  Stream<double[]> next(History known, long number, Rng rng) {
    Best best = Best.of(known);
    if (best.isEmpty()) {
      return Stream.generate(() -> axes.sample(rng));
    }
    return Stream.of(about(best, rng), axes.sample(rng.split(1)));
  }

  private double[] about(Best best, Rng rng) {
    double[] anchor = best.draw(MEAN_RANK, rng);
    return axes.point(axis -> {
      double[] from =
          Double.isNaN(anchor[axis.index()]) ? best.drawWith(axis, MEAN_RANK, rng) : anchor;
      return from == null
          ? Axes.sample(axis, rng)
          : near(axis, from[axis.index()], best.width(axis), rng);
    });
  }

  private static double near(Axis axis, double at, double width, Rng rng) {
    if (axis.categories() > 0) {
      return rng.nextDouble() < width ? rng.nextLong(axis.categories()) : at;
    }
    return switch (Prior.of((Numeric) axis.dimension())) {
      case Prior.Flat(double low, double high) -> {
        double window = width * (high - low);
        double start = Math.clamp(at - window / 2, low, high - window);
        yield start + window * rng.nextDouble();
      }
      case Prior.Bell(double mean, double deviation) ->
          at + deviation * width * Gaussian.quantile(rng.nextOpen());
    };
  }
}
