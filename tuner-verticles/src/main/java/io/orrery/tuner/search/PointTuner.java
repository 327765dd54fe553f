package io.orrery.tuner.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Distinct;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tuner whose whole idea is where the next point lies: everything else that {@link Tuner} asks
 * for is here.
 *
 * <p>What breaks a constraint is not suggested, and in a countable space no parameter set is
 * suggested twice: of a point that is not free {@link Distinct#claim another} takes the place.
 * Except where the idea wants something {@link Proposer#again again}.
 */
public final class PointTuner implements Tuner {
  /** An idea where the next point lies, given the history. */
  @FunctionalInterface
  public interface Idea {
    /**
     * Points of the space, of which the first that may be suggested is taken, if it is among the
     * first few.
     *
     * @param known what has ended and what runs
     * @param number of the suggestion
     * @param rng the only source of chance
     */
    Stream<double[]> next(History known, long number, Rng rng);
  }

  private final Axes axes;
  private final long seed;
  private final Proposer proposer;
  private final Distinct distinct;

  /**
   * @param axes those of the setting's space
   */
  public PointTuner(Axes axes, Setting setting, Proposer proposer) {
    this.axes = axes;
    this.seed = setting.effectiveSeed();
    this.proposer = proposer;
    this.distinct = Distinct.in(axes);
  }

  /** One whose points follow from the history alone. */
  public static PointTuner of(Axes axes, Setting setting, Idea idea) {
    return new PointTuner(axes, setting, new FirstFree(idea, new History(setting.objectives())));
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; number < firstNumber + count; number++) {
      Parameters next = next(number);
      if (next == null) {
        return new Suggestions(items, true);
      }
      Suggestion suggestion = new Suggestion(Long.toString(number), next);
      remember(suggestion);
      items.add(suggestion);
    }
    return new Suggestions(items, false);
  }

  private @Nullable Parameters next(long number) {
    Parameters again = proposer.again(number, distinct::isFree, Rng.keyed(seed, number));
    if (again != null) {
      return again;
    }
    double[] point =
        distinct.claim(proposer.propose(number, distinct::isFree, Rng.keyed(seed, number)));
    return point == null ? null : axes.decode(point);
  }

  @Override
  public void remember(Suggestion suggestion) {
    double[] point = used(suggestion.parameters());
    if (point != null) {
      proposer.begin(suggestion.parameterId(), point);
    }
  }

  @Override
  public void learn(Result result) {
    double[] point = used(result.parameters());
    if (point != null) {
      proposer.end(result, point);
    }
  }

  private double @Nullable [] used(Parameters parameters) {
    double[] point = axes.encode(parameters);
    if (point != null) {
      distinct.use(point);
    }
    return point;
  }

  @Override
  public boolean fits(Parameters parameters) {
    return axes.fits(parameters);
  }
}
