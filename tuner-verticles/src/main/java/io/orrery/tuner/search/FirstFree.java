package io.orrery.tuner.search;

import io.orrery.tuner.math.Rng;
import java.util.List;
import java.util.function.Predicate;

/**
 * A proposer that takes the first of a few points of an idea that may be suggested, else the first.
 */
record FirstFree(PointTuner.Idea idea, History history) implements Proposer {
  private static final int TRIES = 32;

  @Override
  public double[] propose(long number, Predicate<double[]> free, Rng rng) {
    List<double[]> points = idea.next(history, number, rng).limit(TRIES).toList();
    return points.stream().filter(free).findFirst().orElseGet(points::getFirst);
  }

  @Override
  public void begin(String parameterId, double[] point) {
    history.begin(parameterId, point);
  }

  @Override
  public void end(Result result, double[] point) {
    history.end(result, point);
  }
}
