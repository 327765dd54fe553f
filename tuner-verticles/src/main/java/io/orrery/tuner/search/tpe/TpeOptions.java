package io.orrery.tuner.search.tpe;

import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Shape;
import java.util.List;

/**
 * NNI's {@code tpe_args}.
 *
 * @param liar what running trials are presumed to end with: {@code best}, {@code worst} or {@code
 *     mean} of the losses so far, or {@code none} to leave them out
 * @param startup how many observations an axis needs before it is modelled
 * @param candidates how many draws of the good density are compared
 * @param memory how many of the worst observations of a group count in full, and the most that are
 *     good
 * @param priorWeight how many observations the prior is worth
 * @param gamma how fast the number of good observations grows: gamma times the root of all
 */
record TpeOptions(
    String liar, int startup, int candidates, int memory, double priorWeight, double gamma) {
  private static final Option<String> LIAR =
      Option.of(
          "constant_liar_type",
          new Shape.Word(List.of("best", "worst", "mean", "none"), "none"),
          "best",
          "What loss a running trial is presumed to have, so that others keep away from it or"
              + " crowd around it; null is none.");
  private static final Option<Long> STARTUP =
      Option.of(
          "n_startup_jobs",
          new Shape.Whole(0, 1_000_000),
          20L,
          "How many trials are drawn at random before the model is used.");
  private static final Option<Long> CANDIDATES =
      Option.of(
          "n_ei_candidates",
          new Shape.Whole(1, 100_000),
          24L,
          "How many candidates are compared for each parameter.");
  private static final Option<Long> MEMORY =
      Option.of(
          "linear_forgetting",
          new Shape.Whole(1, 1_000_000),
          25L,
          "How many of the worst trials of a group count in full; better ones count less and less."
              + " Also the most trials that count as good.");
  private static final Option<Double> PRIOR_WEIGHT =
      Option.of(
          "prior_weight",
          new Shape.Real(0, 1e6),
          1.0,
          "How many trials the search space's own distribution is worth.");
  private static final Option<Double> GAMMA =
      Option.of(
          "gamma",
          new Shape.Real(1e-6, 1e6),
          0.25,
          "The number of trials that count as good is gamma times the root of their number.");

  /** The group as it stands in {@code classArgs}. */
  static final Option<Arguments> TPE_ARGS =
      Option.of(
          "tpe_args",
          new Shape.Group(List.of(LIAR, STARTUP, CANDIDATES, MEMORY, PRIOR_WEIGHT, GAMMA)),
          Arguments.NONE,
          "Settings of the model.");

  static TpeOptions of(Arguments arguments) {
    Arguments given = arguments.get(TPE_ARGS);
    return new TpeOptions(
        given.get(LIAR),
        given.get(STARTUP).intValue(),
        given.get(CANDIDATES).intValue(),
        given.get(MEMORY).intValue(),
        given.get(PRIOR_WEIGHT),
        given.get(GAMMA));
  }
}
