package io.orrery.benchmarks.search.noise;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.surrogate.Surrogate;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Searches problems with noise, one trial after the other, with repeats and without. */
public final class NoiseBenchmark {
  /** Standard deviations of the noise, in distances of a random configuration from the optimum. */
  private static final double[] LEVELS = {0, 0.03, 0.1, 0.3};

  private NoiseBenchmark() {}

  /**
   * Runs every problem with every noise.
   *
   * @param tuners that take {@code repeats}
   */
  public static NoiseReport run(
      List<TunerFactory> tuners, List<SearchProblem> problems, int seeds, int threads)
      throws InterruptedException {
    List<NoiseReport.NoisePlay> lines = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<NoiseReport.NoisePlay>> pending = new ArrayList<>();
      for (SearchProblem problem : problems) {
        for (double level : levels(problem)) {
          for (TunerFactory tuner : tuners) {
            for (boolean repeats : new boolean[] {false, true}) {
              for (int seed = 0; seed < seeds; seed++) {
                long own = seed;
                pending.add(pool.submit(() -> search(tuner, problem, level, repeats, own)));
              }
            }
          }
        }
      }
      for (Future<NoiseReport.NoisePlay> line : pending) {
        lines.add(line.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return new NoiseReport(lines);
  }

  /** Those of its own, where a problem has some. */
  private static double[] levels(SearchProblem problem) {
    return problem.noise() > 0 ? new double[] {problem.noise() / problem.unit()} : LEVELS;
  }

  private static NoiseReport.NoisePlay search(
      TunerFactory factory, SearchProblem problem, double level, boolean repeats, long seed) {
    Arguments arguments =
        Arguments.read(
            factory.description().options(),
            Map.of(Options.REPEATS.name(), repeats),
            "",
            new ArrayList<>());
    Tuner tuner = factory.open(new Setting(problem.space(), arguments, Direction.MINIMIZE, seed));
    Results results = new Results(problem);
    double noise = level * problem.unit();
    int last = NoiseReport.MARKS[NoiseReport.MARKS.length - 1];
    double[] luckiest = new double[NoiseReport.MARKS.length];
    double[] expected = new double[NoiseReport.MARKS.length];
    int mark = 0;
    for (int tried = 0; tried < last; tried++) {
      List<Suggestion> next = tuner.suggest(1, tried).items();
      if (!next.isEmpty()) {
        Suggestion suggestion = next.getFirst();
        double value = problem.value(suggestion.parameters());
        Rng chance = Rng.keyed(seed, tried).split(2);
        double seen = value + noise * Gaussian.quantile(chance.nextOpen());
        results.add(suggestion.parameters(), value, seen);
        tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), seen));
      }
      if (tried + 1 == NoiseReport.MARKS[mark]) {
        luckiest[mark] = results.regretOfLuckiest();
        expected[mark++] = results.regretOfExpected();
      }
    }
    return new NoiseReport.NoisePlay(
        factory.description().name(),
        problem.name(),
        level,
        repeats,
        seed,
        luckiest,
        expected,
        results.repeated());
  }

  /** The results of one search, and two ways to choose the best of them. */
  private static final class Results {
    private final SearchProblem problem;
    private final Axes axes;
    private final UnitCube cube;
    private final List<Observation> observations = new ArrayList<>();
    private final Map<Observation, Double> regrets = new HashMap<>();
    private final Map<Parameters, Integer> tried = new HashMap<>();
    private double least = Double.POSITIVE_INFINITY;
    private double luckiest = 1;

    Results(SearchProblem problem) {
      this.problem = problem;
      axes = Axes.of(problem.space());
      cube = new UnitCube(axes);
    }

    void add(Parameters parameters, double value, double seen) {
      double[] point = axes.encode(parameters);
      if (point == null) {
        throw new IllegalStateException(parameters.toJson() + " does not lie in the space");
      }
      Observation observation = new Observation(cube.place(point), seen);
      observations.add(observation);
      regrets.put(observation, problem.regret(value));
      tried.merge(parameters, 1, Integer::sum);
      if (seen < least) {
        least = seen;
        luckiest = problem.regret(value);
      }
    }

    double regretOfLuckiest() {
      return luckiest;
    }

    double regretOfExpected() {
      return regrets.getOrDefault(Surrogate.incumbent(cube, observations), 1.0);
    }

    /** How many trials had been tried before. */
    int repeated() {
      return observations.size() - tried.size();
    }
  }
}
