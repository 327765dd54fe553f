package io.orrery.benchmarks.search;

import io.orrery.benchmarks.search.Records.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The sessions of a benchmark. */
record Runs(List<Run> all) {
  Runs {
    all = all.stream().sorted(Comparator.comparingLong(Run::seed)).toList();
  }

  /** Those of one tuner on one problem, by seed. */
  List<Run> of(String tuner, String problem) {
    return all.stream()
        .filter(r -> r.tuner().equals(tuner) && r.problem().equals(problem))
        .toList();
  }

  /** The mean regret; NaN when a session failed. */
  double mean(String tuner, String problem, int results) {
    List<Run> runs = of(tuner, problem);
    return runs.stream().anyMatch(run -> run.error() != null)
        ? Double.NaN
        : average(runs, run -> run.at(results));
  }

  /** Processor time in milliseconds over some problems. */
  double cpuMsPerSuggestion(String tuner, List<String> problems) {
    return average(
        all.stream()
            .filter(r -> r.tuner().equals(tuner) && problems.contains(r.problem()))
            .toList(),
        Run::cpuMsPerSuggestion);
  }

  /**
   * How likely it is that a tuner is not worse than another on a problem, seed by seed, given what
   * was seen.
   */
  double chanceThatNotWorse(String tuner, String other, String problem, int results) {
    List<Run> ours = of(tuner, problem);
    List<Run> theirs = of(other, problem);
    double[] differences = new double[Math.min(ours.size(), theirs.size())];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = ours.get(i).at(results) - theirs.get(i).at(results);
    }
    return Wilcoxon.chanceThatNotGreater(differences);
  }

  /** The figure by which a tuner is compared with itself at another time. */
  Entry entry(String tuner, List<String> problems, int results, ToDoubleFunction<String> random) {
    Map<Long, List<Double>> bySeed = new TreeMap<>();
    for (String problem : problems) {
      double base = Math.log(random.applyAsDouble(problem) + Scores.EPSILON);
      for (Run run : of(tuner, problem)) {
        bySeed
            .computeIfAbsent(run.seed(), seed -> new ArrayList<>())
            .add(Math.log(run.at(results) + Scores.EPSILON) - base);
      }
    }
    List<Double> means =
        bySeed.values().stream().map(logs -> average(logs, Double::doubleValue)).toList();
    double mean = average(means, Double::doubleValue);
    double variance = average(means, m -> (m - mean) * (m - mean));
    double spread = Math.sqrt(variance * means.size() / Math.max(1, means.size() - 1));
    return new Entry(problems, means.size(), mean, spread);
  }

  private static <T> double average(List<T> items, ToDoubleFunction<T> value) {
    return items.stream().mapToDouble(value).average().orElse(Double.NaN);
  }
}
