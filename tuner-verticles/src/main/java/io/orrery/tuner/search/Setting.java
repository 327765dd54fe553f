package io.orrery.tuner.search;

import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;

/**
 * Everything but history that a tuner is a function of.
 *
 * @param direction decided already from all that may say it; a tuner does not look at its own
 *     {@code optimize_mode}
 * @param seed of the experiment; an algorithm with a {@code seed} argument prefers that one
 * @param directory of the experiment on this machine, only to be named to trials; it need not exist
 */
public record Setting(
    SearchSpace space, Arguments arguments, Direction direction, long seed, String directory) {
  /** For those who tell trials of no directory. */
  public Setting(SearchSpace space, Arguments arguments, Direction direction, long seed) {
    this(space, arguments, direction, seed, ".");
  }

  /** The seed of the arguments when it was given, else the experiment's. */
  public long effectiveSeed() {
    return arguments.find(Options.SEED).orElse(seed);
  }
}
