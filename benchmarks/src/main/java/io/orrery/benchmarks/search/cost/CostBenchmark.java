package io.orrery.benchmarks.search.cost;

import io.orrery.benchmarks.search.cost.CostReport.CostPlay;
import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.auto.Auto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Searches problems whose trials differ in cost, one after the other on a clock that goes by what
 * they cost, until a budget is spent. Auto plays once more with {@code cost: duration}.
 */
public final class CostBenchmark {
  /** The shares of the budget after which the incumbent is scored. */
  static final double[] MARKS = {0.25, 0.5, 1};

  /** The budget, in trials of a random configuration. */
  private static final int TRIALS = 50;

  /** More trials than this a search does not make, however cheap they are. */
  private static final int MOST = 400;

  /** The deviation of the logarithm of costs that no parameter explains. */
  private static final double CHANCE = 0.1;

  private static final int SAMPLE = 500;
  private static final int OPTIMUM = 100;
  private static final long ELSEWHERE = 12_345;

  private CostBenchmark() {}

  /** Runs every kind of prices on every problem. */
  public static CostReport run(
      List<TunerFactory> tuners, List<SearchProblem> problems, int seeds, int threads)
      throws InterruptedException {
    List<CostPlay> plays = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<CostPlay>> pending = new ArrayList<>();
      for (SearchProblem problem : problems) {
        Parameters optimum = optimum(problem);
        for (Prices prices : Prices.values()) {
          for (int seed = 0; seed < seeds; seed++) {
            Bill bill = Bill.of(problem, prices, optimum, seed);
            for (TunerFactory tuner : tuners) {
              pending.add(pool.submit(() -> search(tuner, false, bill)));
            }
            pending.add(pool.submit(() -> search(Auto.FACTORY, true, bill)));
          }
        }
      }
      for (Future<CostPlay> play : pending) {
        plays.add(play.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return new CostReport(plays);
  }

  /** A problem with a seed, and what a trial of it costs. */
  private record Bill(
      SearchProblem problem, Prices prices, Prices.Price price, double budget, long seed) {
    static Bill of(SearchProblem problem, Prices prices, Parameters optimum, long seed) {
      Prices.Price price = prices.of(problem, optimum, Rng.keyed(seed, 37));
      Axes axes = Axes.of(problem.space());
      Rng rng = Rng.keyed(problem.name().hashCode(), 5);
      double usual =
          IntStream.range(0, SAMPLE)
              .mapToDouble(i -> price.of(axes.decode(axes.sample(rng))))
              .average()
              .orElseThrow();
      return new Bill(problem, prices, price, TRIALS * usual, seed);
    }

    double cost(Parameters parameters, int number) {
      Rng chance = Rng.keyed(seed, number).split(3);
      return price.of(parameters) * Math.exp(CHANCE * Gaussian.quantile(chance.nextOpen()));
    }

    double seen(double value, int number) {
      Rng chance = Rng.keyed(seed, number).split(2);
      return value + problem.noise() * Gaussian.quantile(chance.nextOpen());
    }
  }

  /** About where a problem is least: the best of a search of it without noise. */
  private static Parameters optimum(SearchProblem problem) {
    Tuner tuner = Auto.FACTORY.open(setting(problem, ELSEWHERE, null));
    double least = Double.POSITIVE_INFINITY;
    Parameters best = Parameters.EMPTY;
    for (int i = 0; i < OPTIMUM; i++) {
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

  private static Setting setting(SearchProblem problem, long seed, @Nullable TrialCost cost) {
    Objectives objectives = Objectives.of(Direction.MINIMIZE);
    return new Setting(problem.space(), Arguments.NONE, objectives, seed, ".", List.of(), cost);
  }

  private static CostPlay search(TunerFactory factory, boolean aware, Bill bill) {
    SearchProblem problem = bill.problem();
    Duration budget = Duration.ofMillis((long) (1e3 * bill.budget()));
    TrialCost measure = aware ? new TrialCost(null, null, budget) : null;
    Tuner tuner = factory.open(setting(problem, bill.seed(), measure));
    double[] regrets = new double[MARKS.length];
    double best = Double.POSITIVE_INFINITY;
    // Until a trial has ended there is nothing better than a typical one.
    double regret = 1;
    double spent = 0;
    int mark = 0;
    int tried = 0;
    while (mark < MARKS.length) {
      List<Suggestion> next = tried < MOST ? tuner.suggest(1, tried).items() : List.of();
      Parameters parameters = next.isEmpty() ? Parameters.EMPTY : next.getFirst().parameters();
      double cost = next.isEmpty() ? Double.POSITIVE_INFINITY : bill.cost(parameters, tried);
      spent += cost;
      // The incumbent at a mark is that of the trials which have ended before it.
      while (mark < MARKS.length && spent > MARKS[mark] * bill.budget()) {
        regrets[mark++] = regret;
      }
      if (mark == MARKS.length) {
        break;
      }
      double value = problem.value(parameters);
      double seen = bill.seen(value, tried);
      if (seen < best) {
        best = seen;
        regret = problem.regret(value);
      }
      tuner.learn(
          new Result(next.getFirst().parameterId(), parameters, List.of(seen), false, cost));
      tried++;
    }
    String name = factory.description().name() + (aware ? " with cost" : "");
    return new CostPlay(name, problem.name(), bill.prices(), bill.seed(), regrets, tried);
  }
}
