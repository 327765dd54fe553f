package io.orrery.tuner.search.pbt;

import io.orrery.core.trial.Parameters;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A round of a population: which member trains with what, and how it went. */
final class Step {
  private final Map<Integer, Parameters> trained = new HashMap<>();

  /** Of those that have ended; not finite for what failed. */
  private final Map<Integer, Double> losses = new TreeMap<>();

  void begin(int member, Parameters parameters) {
    trained.put(member, parameters);
  }

  void end(int member, double loss) {
    losses.put(member, loss);
  }

  boolean has(int member) {
    return trained.containsKey(member);
  }

  boolean isOver(int population) {
    return trained.size() >= population && losses.size() >= population;
  }

  @Nullable Parameters parameters(int member) {
    return trained.get(member);
  }

  /** The members that did not fail, best first. */
  List<Integer> best() {
    return losses.keySet().stream()
        .filter(member -> !failed(member))
        .sorted(Comparator.comparingDouble(losses::get))
        .toList();
  }

  /** Whether a member is among so many that did worst, or failed. */
  boolean isBehind(int member, int count) {
    List<Integer> order = best();
    int failures = losses.size() - order.size();
    int spared = Math.max(0, count - failures);
    return failed(member)
        || order.subList(Math.max(0, order.size() - spared), order.size()).contains(member);
  }

  private boolean failed(int member) {
    return !Double.isFinite(losses.getOrDefault(member, Double.NaN));
  }

  /** The first member of a population that has not begun; -1 when all have. */
  int missing(int population) {
    return IntStream.range(0, population).filter(member -> !has(member)).findFirst().orElse(-1);
  }
}
