package io.orrery.tuner.search;

import io.orrery.core.metric.Direction;
import java.util.Arrays;
import java.util.List;

/** The options that several algorithms share. */
public final class Options {
  /** NNI's direction; every built-in takes it. */
  public static final Option<String> OPTIMIZE_MODE =
      Option.of(
          "optimize_mode",
          new Shape.Word(Arrays.stream(Direction.values()).map(Direction::text).toList()),
          "Whether a higher metric is better or a lower one.");

  public static final Option<Long> SEED =
      Option.of(
          "seed",
          new Shape.Whole(Long.MIN_VALUE, Long.MAX_VALUE),
          "Makes the search repeatable; without it the experiment's own seed is used.");

  /** For users who want what NNI did rather than what finds better. */
  public static final Option<String> COMPATIBILITY =
      Option.of(
          "compatibility",
          new Shape.Word(List.of("nni")),
          "Searches as NNI's algorithm of this name does, where ours differs from it.");

  /** For searches whose model learns the noise. */
  public static final Option<Boolean> REPEATS =
      Option.of(
          "repeats",
          new Shape.Flag(),
          false,
          "Whether the best configuration is tried again where results are so noisy that this is"
              + " worth more than a new one.");

  private Options() {}
}
