package io.orrery.tuner.encode;

import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.math.Rng;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * A check whether anything in a space meets its constraints, in bounded time: all points are gone
 * through where there are few, otherwise points are drawn. The second way proves nothing, but where
 * it finds none the search would not find any either.
 */
public final class Feasibility {
  private static final int MOST_COUNTED = 100_000;
  private static final int DRAWS = 20_000;

  private Feasibility() {}

  /** Why trials cannot be found; empty when they can. */
  public static Optional<String> problem(SearchSpace space) {
    if (space.constraints().isEmpty()) {
      return Optional.empty();
    }
    // Draws are to be counted here, and not to be repeated until they fit.
    Axes axes = Axes.of(space.under(List.of()));
    Axes constrained = Axes.of(space);
    Ranking ranking = Ranking.of(axes).orElse(null);
    if (ranking != null && ranking.size().compareTo(BigInteger.valueOf(MOST_COUNTED)) <= 0) {
      int size = ranking.size().intValueExact();
      for (int rank = 0; rank < size; rank++) {
        if (constrained.allows(ranking.point(BigInteger.valueOf(rank)))) {
          return Optional.empty();
        }
      }
      return Optional.of(
          "none of the %d points of the search space meets the constraints".formatted(size));
    }
    Rng chance = Rng.keyed(0, 0);
    for (int draw = 0; draw < DRAWS; draw++) {
      if (constrained.allows(axes.sample(chance))) {
        return Optional.empty();
      }
    }
    return Optional.of(
        ("of %,d points drawn from the search space none meets the constraints: they contradict each"
                + " other, or leave so little that it cannot be searched")
            .formatted(DRAWS));
  }
}
