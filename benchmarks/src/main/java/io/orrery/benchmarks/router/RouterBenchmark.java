package io.orrery.benchmarks.router;

import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.router.ProxyProcesses.Entrant;
import io.orrery.benchmarks.router.RouterScenario.Trait;
import io.orrery.benchmarks.router.load.Apart;
import io.orrery.benchmarks.router.load.Asking;
import io.orrery.benchmarks.router.load.LoadOutcome;
import io.orrery.benchmarks.router.load.RouterLoad;
import io.orrery.benchmarks.router.load.Task;
import io.orrery.benchmarks.router.peer.Proxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The serving router beside its peers. All proxies of a scenario run at the same time and are asked
 * in turns, in another order each round; a proxy has one core, clients and endpoints the other. The
 * first round does not count.
 */
public final class RouterBenchmark {
  private final Path distribution;
  private final Path root;
  private final List<RouterScenario> scenarios;
  private final int rounds;
  private final int millis;
  private final boolean quick;

  /**
   * @param distribution the folder with bin/orrery
   * @param root the folder {@code benchmarks}
   * @param scenarios names; empty for all
   * @param rounds how often each proxy is measured
   * @param millis how long each time; three times that where requests come at a rate
   * @param quick two rounds at most, less warm-up, and no peers on the JVM
   */
  public RouterBenchmark(
      Path distribution, Path root, List<String> scenarios, int rounds, int millis, boolean quick) {
    this.distribution = distribution;
    this.root = root;
    this.scenarios =
        scenarios.isEmpty()
            ? RouterScenario.all()
            : scenarios.stream().map(RouterScenario::named).toList();
    this.rounds = quick ? Math.min(2, rounds) : rounds;
    this.millis = quick ? Math.min(1_000, millis) : millis;
    this.quick = quick;
  }

  private record Run(double cpuMicros, LoadOutcome outcome) {}

  /** Runs it and prints the table; a JSON line for each proxy of each scenario. */
  public List<Map<String, Object>> run() throws IOException, InterruptedException {
    List<Map<String, Object>> lines = new ArrayList<>();
    ResultTable table =
        new ResultTable(
            "scenario",
            "proxy",
            "µs/request (lowest to highest)",
            "ours to it",
            "requests/s",
            "p50 ms",
            "p99 ms",
            "p99.9 ms",
            "slowest",
            "failed",
            "to each endpoint");
    try (Scratch scratch = Scratch.create();
        RouterLoad load = RouterLoad.start(ProxyProcesses.LOAD_CORE);
        SpokenClients spoken = new SpokenClients(scratch.path(), load);
        ProxyProcesses fleet =
            new ProxyProcesses(scratch.path(), distribution, root, load, spoken, quick)) {
      for (RouterScenario scenario : scenarios) {
        if (!spoken.canAsk(scenario.protocols())) {
          System.err.println(
              "benchmarks: "
                  + scenario.name()
                  + " is left out, h2load is not installed (Debian: nghttp2-client)");
          continue;
        }
        long begin = System.nanoTime();
        List<Entrant> entrants = fleet.entrants(scenario);
        Map<String, List<Run>> runs =
            scenario.is(Trait.LOOPS)
                ? runsApart(scenario, entrants, load)
                : runs(scenario, entrants, spoken.clients(scenario.protocols()));
        fleet.retire(scenario);
        List<Run> own = runs.getOrDefault(entrants.getFirst().label(), List.of());
        double ours = median(own, Run::cpuMicros);
        for (Entrant entrant : entrants) {
          List<Run> all = runs.getOrDefault(entrant.label(), List.of());
          table.row(row(scenario, entrant.label(), all, ours));
          lines.add(line(scenario, entrant.label(), all));
        }
        System.err.printf(
            Locale.ROOT, "%s: %.0f s%n", scenario.name(), (System.nanoTime() - begin) / 1e9);
      }
    }
    System.out.println(table);
    return lines;
  }

  /** Runs them without ties to a core. */
  private Map<String, List<Run>> runsApart(
      RouterScenario scenario, List<Entrant> entrants, RouterLoad endpoints)
      throws IOException, InterruptedException {
    endpoints.tie(ProxyProcesses.BOTH);
    try (RouterLoad clients = RouterLoad.start(ProxyProcesses.BOTH)) {
      return runs(scenario, entrants, new Apart(endpoints, clients));
    } finally {
      endpoints.tie(ProxyProcesses.LOAD_CORE);
    }
  }

  private Map<String, List<Run>> runs(
      RouterScenario scenario, List<Entrant> entrants, Asking clients)
      throws IOException, InterruptedException {
    Map<String, List<Run>> runs = new HashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (int i = 0; i < entrants.size(); i++) {
        Entrant entrant = entrants.get((round + i) % entrants.size());
        Run run = run(scenario, entrant, clients);
        if (round > 0) {
          runs.computeIfAbsent(entrant.label(), label -> new ArrayList<>()).add(run);
        }
      }
    }
    return runs;
  }

  private Run run(RouterScenario scenario, Entrant entrant, Asking clients)
      throws IOException, InterruptedException {
    int time = scenario.rate() > 0 ? 3 * millis : millis;
    Proxy proxy = entrant.proxy();
    Task task =
        entrant.plain() ? scenario.plain(proxy.port(), time) : scenario.task(proxy.port(), time);
    double[] before = {0};
    Thread beside = new Thread(() -> administer(scenario, proxy));
    LoadOutcome outcome =
        clients.run(
            task,
            () -> {
              before[0] = proxy.cpuMicros();
              if (!entrant.plain()) {
                beside.start();
              }
            });
    double cpu = proxy.cpuMicros() - before[0];
    beside.interrupt();
    beside.join();
    return new Run(cpu / Math.max(1, outcome.done()), outcome);
  }

  private static void administer(RouterScenario scenario, Proxy proxy) {
    try {
      if (scenario.is(Trait.CHANGES)) {
        proxy.keepChanging();
      } else if (scenario.is(Trait.GATES)) {
        proxy.keepLooking();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(proxy.name() + " could not be administered", e);
    }
  }

  private static String[] row(RouterScenario scenario, String name, List<Run> runs, double ours) {
    Quantiles cpu = new Quantiles(runs.stream().mapToDouble(Run::cpuMicros).toArray());
    double median = median(runs, Run::cpuMicros);
    return new String[] {
      scenario.name(),
      name,
      String.format(Locale.ROOT, "%.1f (%.1f to %.1f)", median, cpu.at(0), cpu.at(1)),
      String.format(Locale.ROOT, "%.2f", ours / median),
      String.format(Locale.ROOT, "%,.0f", median(runs, run -> run.outcome().perSecond())),
      milliseconds(runs, LoadOutcome::p50),
      milliseconds(runs, LoadOutcome::p99),
      milliseconds(runs, LoadOutcome::p999),
      String.format(
          Locale.ROOT,
          "%.1f",
          runs.stream().mapToDouble(r -> r.outcome().slowest()).max().orElse(0)),
      Integer.toString(lost(runs)),
      Arrays.toString(served(runs))
    };
  }

  private static String milliseconds(List<Run> runs, ToDoubleFunction<LoadOutcome> value) {
    return String.format(
        Locale.ROOT, "%.2f", median(runs, run -> value.applyAsDouble(run.outcome())));
  }

  private static int lost(List<Run> runs) {
    return runs.stream().mapToInt(run -> run.outcome().failed() + run.outcome().unserved()).sum();
  }

  private static long[] served(List<Run> runs) {
    long[] sum = new long[runs.getFirst().outcome().served().length];
    for (Run run : runs) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += run.outcome().served()[i];
      }
    }
    return sum;
  }

  private static Map<String, Object> line(RouterScenario scenario, String name, List<Run> runs) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("scenario", scenario.name());
    line.put("proxy", name);
    line.put("cpuMicrosPerRequest", median(runs, Run::cpuMicros));
    line.put("requestsPerSecond", median(runs, run -> run.outcome().perSecond()));
    line.put("p50Ms", median(runs, run -> run.outcome().p50()));
    line.put("p99Ms", median(runs, run -> run.outcome().p99()));
    line.put("p999Ms", median(runs, run -> run.outcome().p999()));
    line.put("failed", lost(runs));
    line.put("served", served(runs));
    return line;
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> value) {
    return new Quantiles(runs.stream().mapToDouble(value).toArray()).at(0.5);
  }
}
