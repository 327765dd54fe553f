package io.orrery.tuner.search;

import io.orrery.core.experiment.TrialCost;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The setting of a tuner: everything but history that it is a function of.
 *
 * @param objectives decided already from all that may say it; a tuner does not look at its own
 *     {@code optimize_mode}. Several only for one that says it takes them
 * @param seed of the experiment; an algorithm with a {@code seed} argument prefers that one
 * @param directory of the experiment on this machine, only to be named to trials; it need not exist
 * @param sources earlier experiments to learn from; an algorithm that cannot does not look at them
 * @param cost the measure of what trials cost, for an algorithm that prefers cheap ones; null for
 *     none
 */
public record Setting(
    SearchSpace space,
    Arguments arguments,
    Objectives objectives,
    long seed,
    String directory,
    List<SourceTask> sources,
    @Nullable TrialCost cost) {
  public Setting {
    sources = List.copyOf(sources);
  }

  /** Without a measure of costs. */
  public Setting(
      SearchSpace space,
      Arguments arguments,
      Objectives objectives,
      long seed,
      String directory,
      List<SourceTask> sources) {
    this(space, arguments, objectives, seed, directory, sources, null);
  }

  /** Without earlier experiments. */
  public Setting(
      SearchSpace space, Arguments arguments, Objectives objectives, long seed, String directory) {
    this(space, arguments, objectives, seed, directory, List.of());
  }

  /** With one objective, and for those who tell trials of no directory. */
  public Setting(SearchSpace space, Arguments arguments, Direction direction, long seed) {
    this(space, arguments, Objectives.of(direction), seed, ".");
  }

  /** Whether more or less of the first objective is better. */
  public Direction direction() {
    return objectives.direction();
  }

  /** The seed of the arguments when it was given, else the experiment's. */
  public long effectiveSeed() {
    return arguments.find(Options.SEED).orElse(seed);
  }
}
