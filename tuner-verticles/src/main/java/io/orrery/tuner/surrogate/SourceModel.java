package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A model of the loss in an earlier experiment, over the axes that this search has in common with
 * it. Its scale is that of warped losses: mean 0, variance 1. Immutable after it was made.
 */
final class SourceModel {
  private static final int MOST_FITTED = 100;
  private static final int EVALUATIONS = 30;

  private final int[] axes;
  private final GaussianProcess process;
  private final List<double[]> byMean;

  /**
   * Fits the model; takes some tens of milliseconds.
   *
   * @param cube of the common axes
   * @param axes for each axis of it, the index in the space of this search
   * @param observations one or more
   */
  SourceModel(UnitCube cube, int[] axes, List<Observation> observations) {
    this.axes = axes.clone();
    List<Observation> used = Surrogate.some(observations, MOST_FITTED);
    List<double[]> places = used.stream().map(Observation::place).toList();
    double[] values = Warp.warp(used.stream().mapToDouble(Observation::loss).toArray());
    process = likelier(cube, places, values);
    double[] means = process.means();
    byMean =
        IntStream.range(0, means.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> means[i]))
            .map(places::get)
            .toList();
  }

  private static GaussianProcess likelier(UnitCube cube, List<double[]> places, double[] values) {
    Explained joint = Explained.of(Layout.of(cube, false), places, values);
    Layout layout = Layout.of(cube, true);
    Explained likelier = joint;
    if (layout.additive()) {
      Explained additive = Explained.of(layout, places, values);
      likelier = additive.loss() < joint.loss() ? additive : joint;
    }
    return new GaussianProcess(new Kernel(likelier.layout(), likelier.hyper()), places, values);
  }

  /** The likeliest hyper-parameters of a layout, and how badly they explain the values. */
  private record Explained(Layout layout, double[] hyper, double loss) {
    static Explained of(Layout layout, List<double[]> places, double[] values) {
      LogEvidence evidence = new LogEvidence(layout, places, values);
      double[] hyper = evidence.fit(EVALUATIONS);
      return new Explained(layout, hyper, evidence.at(hyper, new double[hyper.length]));
    }
  }

  /** What the earlier experiment says of a place of this search. */
  double mean(double[] place) {
    return process.mean(part(place));
  }

  /** The same; adds the derivatives by the numbers of the place, times a factor. */
  double mean(double[] place, double factor, double[] slope) {
    double[] own = new double[axes.length];
    double mean = process.mean(part(place), own);
    for (int i = 0; i < axes.length; i++) {
      slope[axes[i]] += factor * own[i];
    }
    return mean;
  }

  /**
   * Its places in the space of this search, the best first.
   *
   * @param other what the axes have that it does not know
   */
  List<double[]> places(double[] other, int most) {
    return byMean.stream()
        .limit(most)
        .map(own -> {
          double[] place = other.clone();
          for (int i = 0; i < axes.length; i++) {
            place[axes[i]] = own[i];
          }
          return place;
        })
        .toList();
  }

  private double[] part(double[] place) {
    return Arrays.stream(axes).mapToDouble(axis -> place[axis]).toArray();
  }
}
