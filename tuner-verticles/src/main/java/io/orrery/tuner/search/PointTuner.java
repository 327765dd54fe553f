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
 * A tuner whose whole idea is where the next point lies, given the history: everything else that
 * {@link Tuner} asks for is here.
 *
 * <p>In a countable space no parameter set is suggested twice: when all of the first few points
 * that the idea names were used, the next unused one in row-major order is taken.
 */
public final class PointTuner implements Tuner {
  private static final int TRIES = 32;

  /** Where the next point lies; a function of its arguments alone. */
  @FunctionalInterface
  public interface Idea {
    /**
     * Points of the space, of which the first that was not used yet is suggested.
     *
     * @param known what has ended and what runs
     * @param number of the suggestion
     * @param rng the only source of chance
     */
    Stream<double[]> next(History known, long number, Rng rng);
  }

  private final Axes axes;
  private final long seed;
  private final Idea idea;
  private final Distinct distinct;
  private final History history;

  /**
   * @param axes those of the setting's space
   */
  public PointTuner(Axes axes, Setting setting, Idea idea) {
    this.axes = axes;
    this.seed = setting.effectiveSeed();
    this.idea = idea;
    this.distinct = Distinct.in(axes);
    this.history = new History(axes, setting.direction());
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; number < firstNumber + count; number++) {
      double[] point = unused(number);
      if (point == null) {
        return new Suggestions(items, true);
      }
      Suggestion suggestion = new Suggestion(Long.toString(number), axes.decode(point));
      history.begin(suggestion);
      items.add(suggestion);
    }
    return new Suggestions(items, false);
  }

  private double @Nullable [] unused(long number) {
    List<double[]> points =
        idea.next(history, number, Rng.keyed(seed, number)).limit(TRIES).toList();
    return distinct.claim(
        points.stream().filter(distinct::isFree).findFirst().orElseGet(points::getFirst));
  }

  @Override
  public void remember(Suggestion suggestion) {
    use(suggestion.parameters());
    history.begin(suggestion);
  }

  @Override
  public void learn(Result result) {
    use(result.parameters());
    history.end(result);
  }

  private void use(Parameters parameters) {
    double[] point = axes.encode(parameters);
    if (point != null) {
      distinct.use(point);
    }
  }

  @Override
  public boolean fits(Parameters parameters) {
    return axes.fits(parameters);
  }
}
