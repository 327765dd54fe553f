package io.orrery.benchmarks.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/**
 * Ranks and ratios of several searches by their mean regrets.
 *
 * <p>A search's rank on a problem is its place by the mean regret, ties sharing the mean place, a
 * failure being last. Its ratio is the geometric mean over problems of its regret to that of random
 * search, each enlarged by {@link #EPSILON} so that an optimum that was hit counts for something; a
 * failure counts as a regret of 1.
 */
final class Scores {
  static final double EPSILON = 1e-4;

  private final List<String> problems;
  private final Map<String, ToDoubleBiFunction<String, Integer>> searches = new LinkedHashMap<>();
  private final ToDoubleBiFunction<String, Integer> random;

  /**
   * @param random the mean regret of random search by problem and number of results
   */
  Scores(List<String> problems, ToDoubleBiFunction<String, Integer> random) {
    this.problems = List.copyOf(problems);
    this.random = random;
  }

  /**
   * Adds a search.
   *
   * @param mean its mean regret by problem and number of results; NaN when it failed
   */
  Scores with(String name, ToDoubleBiFunction<String, Integer> mean) {
    Scores more = new Scores(problems, random);
    more.searches.putAll(searches);
    more.searches.put(name, mean);
    return more;
  }

  /** The rank of a search, averaged over the problems; 1 is best. */
  double rank(String name, int results) {
    double sum = 0;
    for (String problem : problems) {
      List<Double> others = new ArrayList<>();
      searches.values().forEach(mean -> others.add(orLast(mean.applyAsDouble(problem, results))));
      double own = orLast(mean(name).applyAsDouble(problem, results));
      long better = others.stream().filter(other -> other < own).count();
      long equal = others.stream().filter(other -> other == own).count();
      sum += better + (equal + 1) / 2.0;
    }
    return sum / problems.size();
  }

  private static double orLast(double regret) {
    return Double.isNaN(regret) ? Double.POSITIVE_INFINITY : regret;
  }

  /** The ratio of a search to random search; 1 is as good, less is better. */
  double ratio(String name, int results) {
    double sum = 0;
    for (String problem : problems) {
      double own = mean(name).applyAsDouble(problem, results);
      sum +=
          Math.log((Double.isNaN(own) ? 1 : own) + EPSILON)
              - Math.log(random.applyAsDouble(problem, results) + EPSILON);
    }
    return Math.exp(sum / problems.size());
  }

  private ToDoubleBiFunction<String, Integer> mean(String name) {
    ToDoubleBiFunction<String, Integer> mean = searches.get(name);
    if (mean == null) {
      throw new IllegalArgumentException("no search is called " + name);
    }
    return mean;
  }
}
