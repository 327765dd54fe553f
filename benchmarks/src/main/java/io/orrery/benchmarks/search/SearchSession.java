package io.orrery.benchmarks.search;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Tuner;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A session of one tuner on one problem with one seed: passes suggestions and results on, takes the
 * time, and keeps the incumbent, the configuration with the best value that the tuner was told, of
 * which the value without noise is scored.
 */
final class SearchSession {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final SearchProblem problem;
  private final Tuner tuner;
  private final long seed;
  private final List<Integer> checkpoints;
  private final Map<String, Double> regrets = new LinkedHashMap<>();
  private double best = Double.POSITIVE_INFINITY;
  private double incumbent = Double.POSITIVE_INFINITY;
  private boolean exhausted;
  private int asked;
  private int told;
  private long nanos;

  SearchSession(SearchProblem problem, Tuner tuner, long seed, List<Integer> checkpoints) {
    this.problem = problem;
    this.tuner = tuner;
    this.seed = seed;
    this.checkpoints = checkpoints;
  }

  long seed() {
    return seed;
  }

  /** How many results are in. */
  int results() {
    return told;
  }

  /** Whether the tuner said that nothing will follow. */
  boolean exhausted() {
    return exhausted;
  }

  /** The next suggestion; none when the tuner has none, now or for ever. */
  Optional<Suggestion> ask() {
    long start = THREADS.getCurrentThreadCpuTime();
    Suggestions next = tuner.suggest(1, asked);
    nanos += THREADS.getCurrentThreadCpuTime() - start;
    exhausted = next.exhausted();
    asked += next.items().size();
    return next.items().stream().findFirst();
  }

  /** Evaluates a suggestion and tells the tuner. */
  void tell(Suggestion suggestion) {
    double value = problem.value(suggestion.parameters());
    Rng chance = Rng.keyed(seed, told).split(2);
    double seen = value + problem.noise() * Gaussian.quantile(chance.nextOpen());
    told++;
    if (seen < best) {
      best = seen;
      incumbent = value;
    }
    if (checkpoints.contains(told)) {
      regrets.put(Integer.toString(told), problem.regret(incumbent));
    }
    Result result = new Result(suggestion.parameterId(), suggestion.parameters(), seen);
    long start = THREADS.getCurrentThreadCpuTime();
    tuner.learn(result);
    nanos += THREADS.getCurrentThreadCpuTime() - start;
  }

  /** Normalised regret by checkpoint; one that was not reached has the last incumbent's. */
  Map<String, Double> regrets() {
    checkpoints.forEach(k -> regrets.putIfAbsent(Integer.toString(k), problem.regret(incumbent)));
    return regrets;
  }

  double cpuMsPerSuggestion() {
    return nanos / 1e6 / Math.max(1, asked);
  }
}
