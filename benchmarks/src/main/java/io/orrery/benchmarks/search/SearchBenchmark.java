package io.orrery.benchmarks.search;

import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.search.cost.CostBenchmark;
import io.orrery.benchmarks.search.cost.CostReport;
import io.orrery.benchmarks.search.crash.CrashBenchmark;
import io.orrery.benchmarks.search.crash.CrashReport;
import io.orrery.benchmarks.search.curve.CurveMode;
import io.orrery.benchmarks.search.curve.CurveReport;
import io.orrery.benchmarks.search.noise.NoiseBenchmark;
import io.orrery.benchmarks.search.noise.NoiseReport;
import io.orrery.benchmarks.search.problem.ProblemSet;
import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.benchmarks.search.transfer.TransferBenchmark;
import io.orrery.benchmarks.search.transfer.TransferReport;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Lets tuners search for known optima. Random search always plays too: the others are measured by
 * it.
 */
public final class SearchBenchmark {
  private final SearchOptions options;
  private final Protocol protocol;
  private final List<SearchContender> contenders;

  /**
   * @throws IllegalArgumentException when the mode or a tuner is unknown, or an argument is wrong
   */
  public SearchBenchmark(SearchOptions options) {
    this.options = options;
    this.protocol = options.protocol();
    this.contenders = options.contenders();
  }

  /**
   * Runs everything.
   *
   * @throws IllegalStateException when the problems cannot be evaluated as their folder says
   */
  public SearchReport run() throws IOException, InterruptedException {
    List<SearchProblem> problems = problems(options);
    List<SearchContender> playing = new ArrayList<>(contenders);
    if (contenders.stream().noneMatch(c -> c.label().equals(SearchContender.RANDOM))) {
      playing.add(SearchContender.named(SearchContender.RANDOM, Parameters.EMPTY));
    }
    Runs runs = new Runs(play(playing, problems));
    Peers peers = Peers.read(options.folder(), protocol.name());
    SearchReport report = new SearchReport(runs, problems, contenders, protocol, peers);
    return options.record() == null
        ? report.compared(Records.standard())
        : report.recorded(Records.standard(), options.record());
  }

  /**
   * Runs a mode on learning curves instead.
   *
   * @throws IllegalArgumentException when a tuner or an assessor is unknown
   */
  public static CurveReport run(SearchOptions options, CurveMode mode)
      throws IOException, InterruptedException {
    return CurveReport.of(
        mode,
        options.tuners(),
        problems(options),
        options.seeds(),
        options.threads(),
        options.folder());
  }

  /**
   * Runs a mode in which something else is measured than a search for a known optimum.
   *
   * @return null when the mode is none of them
   * @throws IllegalArgumentException when a tuner is unknown
   */
  public static @Nullable PrintedReport special(SearchOptions options)
      throws IOException, InterruptedException {
    if (options.transfers()) {
      return transfer(options);
    }
    if (options.crashes()) {
      return crash(options);
    }
    if (options.noises()) {
      return noise(options);
    }
    return options.costs() ? cost(options) : null;
  }

  /** Measures how much a search gains from earlier ones. */
  private static TransferReport transfer(SearchOptions options)
      throws IOException, InterruptedException {
    return TransferBenchmark.run(
        ProblemSet.read(options.folder()).problems(),
        problems(options),
        options.seeds(),
        options.threads());
  }

  /**
   * Measures how well tuners do when trials fail.
   *
   * @throws IllegalArgumentException when a tuner is unknown
   */
  private static CrashReport crash(SearchOptions options) throws IOException, InterruptedException {
    return CrashBenchmark.run(
        options.contenders().stream().map(SearchContender::factory).toList(),
        problems(options),
        options.seeds(),
        options.threads());
  }

  /**
   * Measures how well tuners spend where trials differ in cost.
   *
   * @throws IllegalArgumentException when a tuner is unknown
   */
  private static CostReport cost(SearchOptions options) throws IOException, InterruptedException {
    return CostBenchmark.run(
        options.contenders().stream().map(SearchContender::factory).toList(),
        problems(options),
        options.seeds(),
        options.threads());
  }

  /**
   * Measures how good incumbents are where results are noisy.
   *
   * @throws IllegalArgumentException when a tuner is unknown
   */
  private static NoiseReport noise(SearchOptions options) throws IOException, InterruptedException {
    return NoiseBenchmark.run(
        options.contenders().stream().map(SearchContender::factory).toList(),
        problems(options),
        options.seeds(),
        options.threads());
  }

  private static List<SearchProblem> problems(SearchOptions options) throws IOException {
    ProblemSet set = ProblemSet.read(options.folder());
    set.skipped().forEach((name, why) -> System.err.println("skipped " + name + ": " + why));
    List<String> known = set.problems().stream().map(SearchProblem::name).toList();
    for (String name : options.only()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException("there is no problem '" + name + "' among " + known);
      }
    }
    return set.problems().stream()
        .filter(p -> options.only().isEmpty() || options.only().contains(p.name()))
        .toList();
  }

  private List<Run> play(List<SearchContender> playing, List<SearchProblem> problems)
      throws InterruptedException {
    try (ExecutorService pool = Executors.newFixedThreadPool(options.threads())) {
      List<Future<Run>> pending = new ArrayList<>();
      for (SearchContender contender : playing) {
        for (SearchProblem problem : problems) {
          for (int seed = 0; seed < options.seeds(); seed++) {
            long own = seed;
            pending.add(pool.submit(() -> play(contender, problem, own)));
          }
        }
      }
      List<Run> runs = new ArrayList<>();
      for (Future<Run> run : pending) {
        runs.add(run.get());
      }
      return runs;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Run play(SearchContender contender, SearchProblem problem, long seed) {
    double cpu = 0;
    String error = null;
    Map<String, Double> regret = Map.of();
    try {
      SearchSession session =
          new SearchSession(problem, contender.open(problem, seed), seed, protocol.checkpoints());
      protocol.play(session);
      cpu = session.cpuMsPerSuggestion();
      regret = session.regrets();
    } catch (RuntimeException e) {
      error = e.toString();
    }
    return new Run(contender.label(), problem.name(), seed, protocol.name(), cpu, error, regret);
  }
}
