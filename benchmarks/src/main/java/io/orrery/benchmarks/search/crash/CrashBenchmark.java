package io.orrery.benchmarks.search.crash;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.auto.Auto;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Searches problems of which trials fail, one after the other. */
public final class CrashBenchmark {
  private static final int TRIALS = 100;
  private static final long ELSEWHERE = 12_345;

  private CrashBenchmark() {}

  /** Runs every kind of crash on every problem. */
  public static CrashReport run(
      List<TunerFactory> tuners, List<SearchProblem> problems, int seeds, int threads)
      throws InterruptedException {
    List<CrashReport.CrashPlay> lines = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<CrashReport.CrashPlay>> pending = new ArrayList<>();
      for (SearchProblem problem : problems) {
        Parameters optimum = optimum(problem);
        for (Crashes crashes : Crashes.values()) {
          for (TunerFactory tuner : tuners) {
            for (int seed = 0; seed < seeds; seed++) {
              long own = seed;
              pending.add(pool.submit(() -> search(tuner, problem, crashes, optimum, own)));
            }
          }
        }
      }
      for (Future<CrashReport.CrashPlay> line : pending) {
        lines.add(line.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return new CrashReport(lines);
  }

  /** About where a problem is least: the best of a search of it without noise. */
  private static Parameters optimum(SearchProblem problem) {
    Tuner tuner = open(Auto.FACTORY, problem, ELSEWHERE);
    double least = Double.POSITIVE_INFINITY;
    Parameters best = Parameters.EMPTY;
    for (int i = 0; i < TRIALS; i++) {
      List<Suggestion> next = tuner.suggest(1, i).items();
      if (next.isEmpty()) {
        break;
      }
      Suggestion suggestion = next.getFirst();
      double value = problem.value(suggestion.parameters());
      if (value < least) {
        least = value;
        best = suggestion.parameters();
      }
      tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), value));
    }
    return best;
  }

  private static Tuner open(TunerFactory factory, SearchProblem problem, long seed) {
    return factory.open(new Setting(problem.space(), Arguments.NONE, Direction.MINIMIZE, seed));
  }

  private static CrashReport.CrashPlay search(
      TunerFactory factory, SearchProblem problem, Crashes crashes, Parameters optimum, long seed) {
    Crashes.Rule rule = crashes.rule(problem, optimum, Rng.keyed(seed, 31));
    Tuner tuner = open(factory, problem, seed);
    double[] regrets = new double[TRIALS];
    double best = Double.POSITIVE_INFINITY;
    // Until a trial has succeeded there is nothing better than a typical one.
    double regret = 1;
    int failed = 0;
    int tried = 0;
    for (; tried < TRIALS; tried++) {
      List<Suggestion> next = tuner.suggest(1, tried).items();
      if (next.isEmpty()) {
        Arrays.fill(regrets, tried, TRIALS, regret);
        break;
      }
      Suggestion suggestion = next.getFirst();
      double seen = Double.NaN;
      if (rule.fails(suggestion.parameters(), tried)) {
        failed++;
      } else {
        double value = problem.value(suggestion.parameters());
        Rng chance = Rng.keyed(seed, tried).split(2);
        seen = value + problem.noise() * Gaussian.quantile(chance.nextOpen());
        if (seen < best) {
          best = seen;
          regret = problem.regret(value);
        }
      }
      regrets[tried] = regret;
      tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), seen));
    }
    String name = factory.description().name();
    double share = failed / (double) Math.max(1, tried);
    return new CrashReport.CrashPlay(name, problem.name(), crashes, seed, regrets, share);
  }
}
