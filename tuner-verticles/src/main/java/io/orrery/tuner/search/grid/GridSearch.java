package io.orrery.tuner.search.grid;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks a grid, then a finer one, for as long as it is let.
 *
 * <p>NNI 3 gave the old idea this form, so that it takes every type of parameter. In the first
 * <em>epoch</em> each categorical parameter has all its values and each numeric one only its
 * median. An epoch visits the product of these ticks in row-major order, the last parameter
 * fastest; under a nested choice only the parameters of the chosen branch take part. Then {@link
 * Ticks} halves the intervals of probability between the ticks, and the next epoch visits every
 * combination that has a new tick in it. A combination whose values history holds already is passed
 * over.
 *
 * <p>It ends when no parameter can be divided any more; with a continuous one it never does. In one
 * point we go further than NNI: there the search ends after a division that brought no new tick,
 * although a value that no middle has hit yet may lie in an interval; here such intervals are
 * halved on.
 *
 * <p>The whole state is a position, which {@link #suggest} finds again by walking from the start
 * over what was visited. So a suggestion costs O(1) when amortised over the grid.
 */
public final class GridSearch implements Tuner {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "GridSearch",
              List.of(),
              "Walks a grid over the space, then ever finer ones.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE),
              Description.ANY);
        }

        @Override
        public Tuner open(Setting setting) {
          return new GridSearch(setting);
        }
      };

  private final Axes axes;
  private final List<GridTicks> grid;
  private final Set<String> visited = new HashSet<>();

  /** The tick on each axis; null before the first combination of an epoch. */
  private long @Nullable [] position;

  private boolean first = true;
  private boolean exhausted;

  private GridSearch(Setting setting) {
    axes = Axes.of(setting.space());
    grid = axes.all().stream().map(GridTicks::new).toList();
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    while (items.size() < count && !exhausted) {
      Parameters next = next();
      if (next != null) {
        items.add(new Suggestion(Long.toString(firstNumber + items.size()), next));
      }
    }
    return new Suggestions(items, exhausted);
  }

  /** Goes one combination on; null when that one is not to be tried. */
  private @Nullable Parameters next() {
    position = position == null ? new long[grid.size()] : successor(position);
    if (position == null) {
      refine();
      return null;
    }
    double[] point = point(position);
    if (!first && !hasFreshTick(position, point)) {
      return null;
    }
    if (!axes.allows(point)) {
      return null;
    }
    Parameters parameters = axes.decode(point);
    return visited.add(parameters.canonical()) ? parameters : null;
  }

  private double[] point(long[] ticks) {
    return axes.point(axis -> grid.get(axis.index()).coordinate(ticks[axis.index()]));
  }

  private long @Nullable [] successor(long[] ticks) {
    double[] point = point(ticks);
    long[] next = ticks.clone();
    for (int i = next.length - 1; i >= 0; i--) {
      if (exists(axes.all().get(i), point) && ticks[i] + 1 < grid.get(i).size()) {
        next[i]++;
        return next;
      }
      next[i] = 0;
    }
    return null;
  }

  private boolean hasFreshTick(long[] ticks, double[] point) {
    return axes.all().stream()
        .anyMatch(
            axis -> exists(axis, point) && grid.get(axis.index()).isFresh(ticks[axis.index()]));
  }

  private static boolean exists(Axis axis, double[] point) {
    return !Double.isNaN(point[axis.index()]);
  }

  /**
   * Divides until a tick comes of it, which ends: intervals of probability get no finer for ever.
   */
  private void refine() {
    first = false;
    boolean fresh = false;
    while (!fresh && grid.stream().anyMatch(GridTicks::divisible)) {
      grid.forEach(GridTicks::divide);
      fresh = grid.stream().anyMatch(ticks -> ticks.isFresh(ticks.size() - 1));
    }
    exhausted = !fresh;
  }

  @Override
  public void remember(Suggestion suggestion) {
    visited.add(axes.canonical(suggestion.parameters()));
  }

  @Override
  public void learn(Result result) {
    visited.add(axes.canonical(result.parameters()));
  }

  @Override
  public boolean fits(Parameters parameters) {
    return axes.fits(parameters);
  }
}
