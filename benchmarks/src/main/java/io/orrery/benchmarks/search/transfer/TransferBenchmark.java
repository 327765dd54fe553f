package io.orrery.benchmarks.search.transfer;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.SourceTask;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.auto.Auto;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Searches problems with and without earlier searches of related and of unrelated ones. */
public final class TransferBenchmark {
  private static final int EARLIER_TRIALS = 50;
  private static final int TRIALS = 80;

  private TransferBenchmark() {}

  /**
   * Runs every relation on every problem.
   *
   * @param known all problems, among which others on other data sets are found
   * @param problems those that are searched
   */
  public static TransferReport run(
      List<SearchProblem> known, List<SearchProblem> problems, int seeds, int threads)
      throws InterruptedException {
    List<TransferReport.Family> lines = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (SearchProblem problem : problems) {
        List<Future<double[]>> plain = new ArrayList<>();
        for (int seed = 0; seed < seeds; seed++) {
          long own = seed;
          plain.add(pool.submit(() -> search(problem, own, List.of())));
        }
        for (Relation relation : Relation.values()) {
          if (applies(relation, problem, known)) {
            List<Future<double[]>> transfer = new ArrayList<>();
            for (int seed = 0; seed < seeds; seed++) {
              long own = seed;
              transfer.add(
                  pool.submit(() -> search(problem, own, sources(relation, problem, known, own))));
            }
            lines.add(
                new TransferReport.Family(problem.name(), relation, all(plain), all(transfer)));
          }
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return new TransferReport(lines);
  }

  /** A table has no values beside its points, so that nothing can be shifted. */
  private static boolean applies(
      Relation relation, SearchProblem problem, List<SearchProblem> known) {
    boolean shifts = relation == Relation.SHIFT || relation == Relation.NOISE;
    return !(shifts && problem.tags().contains("table"))
        && !relation.earlier(problem, known, Rng.keyed(0, 0)).isEmpty();
  }

  private static List<double[]> all(List<Future<double[]>> pending)
      throws InterruptedException, ExecutionException {
    List<double[]> all = new ArrayList<>();
    for (Future<double[]> one : pending) {
      all.add(one.get());
    }
    return all;
  }

  private static List<SourceTask> sources(
      Relation relation, SearchProblem problem, List<SearchProblem> known, long seed) {
    List<SourceTask> sources = new ArrayList<>();
    for (Earlier earlier : relation.earlier(problem, known, Rng.keyed(seed, 77))) {
      long own = 1_000 * (seed + 1) + sources.size();
      sources.add(earlier.searched("earlier" + sources.size(), own, EARLIER_TRIALS));
    }
    return sources;
  }

  /** The regret after each evaluation. */
  private static double[] search(SearchProblem problem, long seed, List<SourceTask> sources) {
    Tuner tuner =
        Auto.FACTORY.open(
            new Setting(
                problem.space(),
                Arguments.NONE,
                Objectives.of(Direction.MINIMIZE),
                seed,
                ".",
                sources));
    double[] regrets = new double[TRIALS];
    double best = Double.POSITIVE_INFINITY;
    double incumbent = Double.POSITIVE_INFINITY;
    for (int i = 0; i < TRIALS; i++) {
      List<Suggestion> next = tuner.suggest(1, i).items();
      if (next.isEmpty()) {
        Arrays.fill(regrets, i, TRIALS, problem.regret(incumbent));
        break;
      }
      Suggestion suggestion = next.getFirst();
      double value = problem.value(suggestion.parameters());
      double chance = Gaussian.quantile(Rng.keyed(seed, i).split(2).nextOpen());
      double seen = value + problem.noise() * chance;
      if (seen < best) {
        best = seen;
        incumbent = value;
      }
      regrets[i] = problem.regret(incumbent);
      tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), seen));
    }
    return regrets;
  }
}
