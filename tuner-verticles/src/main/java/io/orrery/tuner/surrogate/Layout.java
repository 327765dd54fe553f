package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import java.util.stream.IntStream;

/**
 * The layout of the hyper-parameters, and what is presumed of each: the logarithms of each axis's
 * length scale, of the weights of the kernel's parts, and of the noise's variance.
 *
 * <p>All have normal priors, in logarithms. Where everything depends on everything, length scales
 * are presumed to grow with the root of the number of axes, so that a model of many parameters is
 * no more complex than one of few (Hvarfner, Hellsten, Nardi: "Vanilla Bayesian optimization
 * performs great in high dimensions", ICML 2024); where effects add up there is no need for that.
 * Noise is presumed to be small, one per cent of the losses' deviation, and is soon learnt where it
 * is not.
 *
 * @param choice which axes are choices
 * @param additive whether axes may add up, or only act together
 * @param usualNoise the variance of noise that is presumed
 */
record Layout(boolean[] choice, boolean additive, double usualNoise) {
  /** The variance of noise that is always presumed, so that matrices can be factored. */
  private static final double LEAST_NOISE = 1e-6;

  private static final double USUAL_NOISE = 1e-4;
  private static final double NOISE_OF_LABELS = 0.1;
  private static final double NOISE_OF_COSTS = 0.01;

  Layout(boolean[] choice, boolean additive) {
    this(choice, additive, USUAL_NOISE);
  }

  static Layout of(UnitCube cube, boolean additive) {
    return new Layout(choices(cube), additive && cube.size() > 2);
  }

  /** Of values that are 0 or 1, where a good part is presumed to be chance. */
  static Layout ofLabels(UnitCube cube) {
    return new Layout(choices(cube), false, NOISE_OF_LABELS);
  }

  /** Of the logarithms of costs, which are seldom twice the same. */
  static Layout ofCosts(UnitCube cube) {
    return new Layout(choices(cube), false, NOISE_OF_COSTS);
  }

  private static boolean[] choices(UnitCube cube) {
    boolean[] choice = new boolean[cube.size()];
    IntStream.range(0, choice.length).forEach(axis -> choice[axis] = cube.isChoice(axis));
    return choice;
  }

  int axes() {
    return choice.length;
  }

  int single() {
    return choice.length;
  }

  int paired() {
    return choice.length + 1;
  }

  int joint() {
    return choice.length + (additive ? 2 : 0);
  }

  int noise() {
    return joint() + 1;
  }

  int size() {
    return noise() + 1;
  }

  double mean(int at) {
    if (at < axes()) {
      return choice[at] ? 0 : Math.log(additive ? 0.7 : 0.35 * Math.sqrt(axes()));
    }
    if (at == noise()) {
      return Math.log(usualNoise);
    }
    return additive ? Math.log(1 / 3.0) : 0;
  }

  double deviation(int at) {
    if (at < axes()) {
      return 1;
    }
    return at == noise() ? 2 : 1;
  }

  double low(int at) {
    if (at < axes()) {
      return Math.log(choice[at] ? 0.2 : 0.01);
    }
    return at == noise() ? Math.log(LEAST_NOISE) : Math.log(1e-4);
  }

  double high(int at) {
    if (at < axes()) {
      return Math.log(50);
    }
    return at == noise() ? 0 : Math.log(20);
  }
}
