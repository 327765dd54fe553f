package io.orrery.tuner.search.tpe;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import java.util.List;

/**
 * NNI's {@code tpe_args}, and which model they are for.
 *
 * @param joint whether parameters are modelled together
 * @param liar what running trials are presumed to end with: {@code best}, {@code worst} or {@code
 *     mean} of the losses so far, or {@code none} to leave them out
 * @param startup how many observations there must be before anything is modelled; of each axis when
 *     parameters are modelled by themselves
 * @param candidates how many draws of the good density are compared
 * @param memory the most observations that are good; by themselves also how many of the worst of a
 *     group count in full
 * @param priorWeight how many observations the prior is worth
 * @param gamma how fast the number of good observations grows: gamma times the root of all
 */
record TpeOptions(
    boolean joint,
    String liar,
    int startup,
    int candidates,
    int memory,
    double priorWeight,
    double gamma) {

  /** NNI's defaults, for parameters that are modelled by themselves. */
  private static final TpeOptions NNI = new TpeOptions(false, "best", 20, 24, 25, 1.0, 0.25);

  /** Ours, measured as {@link Joint} says. */
  private static final TpeOptions OURS = new TpeOptions(true, "worst", 10, 64, 25, 1.0, 1.0);

  private static final Option<Boolean> MULTIVARIATE =
      Option.of(
          "multivariate",
          new Shape.Flag(),
          true,
          "Whether parameters are modelled together; false is the same as compatibility: nni.");

  private static final Option<String> LIAR =
      Option.of(
          "constant_liar_type",
          new Shape.Word(List.of("best", "worst", "mean", "none"), "none"),
          OURS.liar(),
          "What loss a running trial is presumed to have, so that others keep away from it or"
              + " crowd around it; null is none.");
  private static final Option<Long> STARTUP =
      Option.of(
          "n_startup_jobs",
          new Shape.Whole(0, 1_000_000),
          (long) OURS.startup(),
          "How many trials are spread over the space before the model is used.");
  private static final Option<Long> CANDIDATES =
      Option.of(
          "n_ei_candidates",
          new Shape.Whole(1, 100_000),
          (long) OURS.candidates(),
          "How many candidates are compared.");
  private static final Option<Long> MEMORY =
      Option.of(
          "linear_forgetting",
          new Shape.Whole(1, 1_000_000),
          (long) OURS.memory(),
          "The most trials that count as good. In NNI's model also how many of the worst trials of a"
              + " group count in full; better ones count less and less.");
  private static final Option<Double> PRIOR_WEIGHT =
      Option.of(
          "prior_weight",
          new Shape.Real(0, 1e6),
          OURS.priorWeight(),
          "How many trials the search space's own distribution is worth.");
  private static final Option<Double> GAMMA =
      Option.of(
          "gamma",
          new Shape.Real(1e-6, 1e6),
          OURS.gamma(),
          "The number of trials that count as good is gamma times the root of their number.");

  /** NNI's switch of its releases up to 2.5, beside which {@code tpe_args} was not known. */
  private static final Option<Boolean> PARALLEL =
      Option.of(
          "parallel_optimize",
          new Shape.Flag(),
          "As in NNI up to 2.5: with true running trials are presumed to have the loss that"
              + " constant_liar_type names, with false they are left out. tpe_args goes first.");

  private static final Option<String> PARALLEL_LIAR =
      Option.of(
          "constant_liar_type",
          new Shape.Word(List.of("min", "max", "mean")),
          "As in NNI up to 2.5, with parallel_optimize: the least, the largest or the mean of the"
              + " results so far; min when it is not given.");

  /** The group as it stands in {@code classArgs}. */
  private static final Option<Arguments> TPE_ARGS =
      Option.of(
          "tpe_args",
          new Shape.Group(List.of(LIAR, STARTUP, CANDIDATES, MEMORY, PRIOR_WEIGHT, GAMMA)),
          Arguments.NONE,
          "Settings of the model.");

  /** All of {@code classArgs}. */
  static final List<Option<?>> ALL =
      List.of(
          Options.OPTIMIZE_MODE,
          Options.SEED,
          MULTIVARIATE,
          Options.COMPATIBILITY,
          PARALLEL,
          PARALLEL_LIAR,
          TPE_ARGS);

  static TpeOptions of(Arguments arguments, Direction direction) {
    boolean joint = arguments.get(MULTIVARIATE) && arguments.find(Options.COMPATIBILITY).isEmpty();
    TpeOptions standard = joint ? OURS : NNI;
    Arguments given = arguments.get(TPE_ARGS);
    return new TpeOptions(
        joint,
        given.find(LIAR).orElseGet(() -> liar(arguments, direction, standard.liar())),
        given.find(STARTUP).map(Long::intValue).orElse(standard.startup()),
        given.find(CANDIDATES).map(Long::intValue).orElse(standard.candidates()),
        given.find(MEMORY).map(Long::intValue).orElse(standard.memory()),
        given.find(PRIOR_WEIGHT).orElse(standard.priorWeight()),
        given.find(GAMMA).orElse(standard.gamma()));
  }

  /** The liar that NNI's older arguments name; theirs speak of results, ours of losses. */
  private static String liar(Arguments arguments, Direction direction, String standard) {
    return arguments
        .find(PARALLEL)
        .map(parallel ->
            parallel ? presumed(arguments.find(PARALLEL_LIAR).orElse("min"), direction) : "none")
        .orElse(standard);
  }

  private static String presumed(String result, Direction direction) {
    boolean minimizes = direction == Direction.MINIMIZE;
    return switch (result) {
      case "max" -> minimizes ? "worst" : "best";
      case "mean" -> "mean";
      default -> minimizes ? "best" : "worst";
    };
  }
}
