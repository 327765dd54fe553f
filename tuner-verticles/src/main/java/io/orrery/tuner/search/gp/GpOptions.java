package io.orrery.tuner.search.gp;

import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.surrogate.Acquisition;
import io.orrery.tuner.surrogate.Surrogate;
import java.util.List;

/** NNI's arguments of GPTuner. */
final class GpOptions {
  private static final Option<String> UTILITY =
      Option.of(
          "utility",
          new Shape.Word(List.of("ei", "ucb", "poi")),
          "ei",
          "What a place is worth: the expected improvement, the confidence bound, or the"
              + " probability of an improvement.");
  private static final Option<Double> KAPPA =
      Option.of(
          "kappa",
          new Shape.Real(0, 1e6),
          5.0,
          "How many deviations better than its mean a place is taken to be, for ucb.");
  private static final Option<Double> XI =
      Option.of(
          "xi",
          new Shape.Real(0, 1e6),
          0.0,
          "By how many deviations of all results the best must be surpassed to count, for ei and"
              + " poi.");
  private static final Option<Double> NU =
      Option.of(
          "nu",
          new Shape.Real(0, 1e6),
          2.5,
          "Accepted as NNI has it; the kernel is Matérn with 2.5 in any case.");
  private static final Option<Double> ALPHA =
      Option.of(
          "alpha",
          new Shape.Real(0, 1e6),
          1e-6,
          "Accepted as NNI has it; the noise is learnt from the results.");
  private static final Option<Long> COLD_START =
      Option.of(
          "cold_start_num",
          new Shape.Whole(1, 10_000),
          10L,
          "How many results there must be before the model is used.");
  private static final Option<Long> WARM_UP =
      Option.of(
          "selection_num_warm_up",
          new Shape.Whole(1, 100_000_000),
          "Accepted as NNI has it; candidates are drawn until it does not pay any more.");
  private static final Option<Long> STARTS =
      Option.of(
          "selection_num_starting_points",
          new Shape.Whole(1, 100_000_000),
          "Accepted as NNI has it.");

  static final List<Option<?>> ALL =
      List.of(
          Options.OPTIMIZE_MODE,
          Options.SEED,
          Options.REPEATS,
          UTILITY,
          KAPPA,
          XI,
          NU,
          ALPHA,
          COLD_START,
          WARM_UP,
          STARTS);

  private GpOptions() {}

  static int coldStart(Arguments arguments) {
    return arguments.get(COLD_START).intValue();
  }

  static Surrogate.Aim aim(Arguments arguments) {
    double xi = arguments.get(XI);
    double kappa = arguments.get(KAPPA);
    return switch (arguments.get(UTILITY)) {
      case "ei" -> least -> new Acquisition.ExpectedImprovement(least - xi);
      case "poi" -> least -> new Acquisition.ProbabilityOfImprovement(least - xi);
      case "ucb" -> least -> new Acquisition.ConfidenceBound(kappa);
      default -> throw new IllegalArgumentException(arguments.get(UTILITY));
    };
  }
}
