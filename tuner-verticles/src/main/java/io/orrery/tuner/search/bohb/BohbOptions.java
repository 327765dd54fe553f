package io.orrery.tuner.search.bohb;

import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * NNI's arguments of BOHB. Those of the kernel densities have NNI's defaults, and setting one of
 * them selects the kernel densities.
 *
 * @param kernels whether the model is that of the paper
 */
record BohbOptions(
    long minBudget,
    long maxBudget,
    int eta,
    double randomFraction,
    OptionalInt minPoints,
    int topPercent,
    int samples,
    double bandwidthFactor,
    double minBandwidth,
    boolean kernels) {

  private static final Option<Long> MIN_BUDGET =
      Option.of(
          "min_budget",
          new Shape.Whole(1, 1_000_000_000),
          1L,
          "The least budget that a trial gets, as TRIAL_BUDGET.");
  private static final Option<Long> MAX_BUDGET =
      Option.of(
          "max_budget",
          new Shape.Whole(1, 1_000_000_000),
          3L,
          "The most budget that a trial gets.");
  private static final Option<Long> ETA =
      Option.of("eta", new Shape.Whole(2, 1_000), 3L, "Of so many trials one goes on.");
  private static final Option<Double> RANDOM_FRACTION =
      Option.of(
          "random_fraction",
          new Shape.Real(0, 1),
          1 / 3.0,
          "Which part of the configurations is drawn without the model.");
  private static final Option<Long> MIN_POINTS =
      Option.of(
          "min_points_in_model",
          new Shape.Whole(1, 1_000_000),
          "How many results a density needs; at least, and without it, one more than there are"
              + " parameters.");
  private static final Option<Long> TOP =
      Option.of("top_n_percent", new Shape.Whole(1, 99), 15L, "Which part of the results is good.");
  private static final Option<Long> SAMPLES =
      Option.of(
          "num_samples", new Shape.Whole(1, 100_000), 64L, "How many candidates are compared.");
  private static final Option<Double> FACTOR =
      Option.of(
          "bandwidth_factor",
          new Shape.Real(1e-6, 1e6),
          3.0,
          "By how much wider than the density candidates are drawn.");
  private static final Option<Double> MIN_BANDWIDTH =
      Option.of("min_bandwidth", new Shape.Real(1e-9, 1), 1e-3, "The least width of a kernel.");

  /** All of them. */
  static final List<Option<?>> ALL =
      List.of(
          Options.OPTIMIZE_MODE,
          Options.SEED,
          MIN_BUDGET,
          MAX_BUDGET,
          ETA,
          RANDOM_FRACTION,
          MIN_POINTS,
          TOP,
          SAMPLES,
          FACTOR,
          MIN_BANDWIDTH,
          Options.COMPATIBILITY);

  static BohbOptions of(Arguments arguments) {
    boolean asked =
        Stream.of(MIN_POINTS, TOP, SAMPLES, FACTOR, MIN_BANDWIDTH)
            .anyMatch(option -> arguments.find(option).isPresent());
    return new BohbOptions(
        arguments.get(MIN_BUDGET),
        arguments.get(MAX_BUDGET),
        arguments.get(ETA).intValue(),
        arguments.get(RANDOM_FRACTION),
        arguments.find(MIN_POINTS).stream().mapToInt(Long::intValue).findFirst(),
        arguments.get(TOP).intValue(),
        arguments.get(SAMPLES).intValue(),
        arguments.get(FACTOR),
        arguments.get(MIN_BANDWIDTH),
        asked || arguments.find(Options.COMPATIBILITY).isPresent());
  }
}
