package io.orrery.benchmarks.router;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.report.Table;
import io.orrery.core.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The serving router beside nginx and HAProxy. The proxies of a scenario all run at the same time
 * and are asked in turns, in another order each round; a proxy has one core, clients and endpoints
 * the other.
 */
public final class RouterBenchmark {
  private static final int WARM_SECONDS = 12;

  private final Path distribution;
  private final List<Scenario> scenarios;
  private final int rounds;
  private final int seconds;

  /**
   * @param distribution the folder with bin/orrery
   * @param scenarios names; empty for all
   * @param rounds how often each proxy is measured
   * @param seconds how long each time
   */
  public RouterBenchmark(Path distribution, List<String> scenarios, int rounds, int seconds) {
    this.distribution = distribution;
    this.scenarios =
        scenarios.isEmpty() ? Scenario.all() : scenarios.stream().map(Scenario::named).toList();
    this.rounds = rounds;
    this.seconds = seconds;
  }

  private record Run(
      double cpuMicros, double perSecond, double p50, double p99, int failed, JsonNode served) {}

  /** Runs it and prints the table; a JSON line for each proxy of each scenario. */
  public List<Map<String, Object>> run() throws IOException, InterruptedException {
    List<Map<String, Object>> lines = new ArrayList<>();
    Table table =
        new Table(
            "scenario",
            "proxy",
            "µs/request (lowest to highest)",
            "to ours",
            "requests/s",
            "p50 ms",
            "p99 ms",
            "failed",
            "to each endpoint");
    try (Scratch scratch = Scratch.create();
        Load load = Load.start()) {
      for (Scenario scenario : scenarios) {
        run(scenario, new Peers(scratch.path(), distribution, load.endpoints), load, table, lines);
      }
    }
    System.out.println(table);
    return lines;
  }

  private void run(
      Scenario scenario, Peers peers, Load load, Table table, List<Map<String, Object>> lines)
      throws IOException, InterruptedException {
    List<Proxy> proxies = peers.start(scenario);
    try {
      Map<String, List<Run>> runs = new LinkedHashMap<>();
      load.run(proxies.getFirst(), scenario, WARM_SECONDS);
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < proxies.size(); i++) {
          Proxy proxy = proxies.get((round + i) % proxies.size());
          runs.computeIfAbsent(proxy.name(), name -> new ArrayList<>())
              .add(load.run(proxy, scenario, seconds));
        }
      }
      double ours = median(runs.getOrDefault("orrery", List.of()), Run::cpuMicros);
      runs.forEach((name, all) -> {
        table.row(row(scenario, name, all, ours));
        lines.add(line(scenario, name, all));
      });
    } finally {
      for (Proxy proxy : proxies) {
        proxy.close();
      }
    }
  }

  private static String[] row(Scenario scenario, String name, List<Run> runs, double ours) {
    Quantiles cpu = new Quantiles(runs.stream().mapToDouble(Run::cpuMicros).toArray());
    double median = median(runs, Run::cpuMicros);
    return new String[] {
      scenario.name(),
      name,
      String.format(Locale.ROOT, "%.1f (%.1f to %.1f)", median, cpu.at(0), cpu.at(1)),
      String.format(Locale.ROOT, "%.2f", ours / median),
      String.format(Locale.ROOT, "%,.0f", median(runs, Run::perSecond)),
      String.format(Locale.ROOT, "%.2f", median(runs, Run::p50)),
      String.format(Locale.ROOT, "%.2f", median(runs, Run::p99)),
      String.format(Locale.ROOT, "%d", runs.stream().mapToInt(Run::failed).sum()),
      runs.getLast().served().toString()
    };
  }

  private static Map<String, Object> line(Scenario scenario, String name, List<Run> runs) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("scenario", scenario.name());
    line.put("proxy", name);
    line.put("cpuMicrosPerRequest", median(runs, Run::cpuMicros));
    line.put("requestsPerSecond", median(runs, Run::perSecond));
    line.put("p50Ms", median(runs, Run::p50));
    line.put("p99Ms", median(runs, Run::p99));
    line.put("failed", runs.stream().mapToInt(Run::failed).sum());
    return line;
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> value) {
    return new Quantiles(runs.stream().mapToDouble(value).toArray()).at(0.5);
  }

  /** The process of clients and endpoints. */
  private static final class Load implements AutoCloseable {
    private static final String CORE = "1";

    private final Process process;
    private final BufferedReader answers;
    private final int[] endpoints;

    private Load(Process process) throws IOException {
      this.process = process;
      this.answers = process.inputReader(StandardCharsets.UTF_8);
      String[] ports = line().split(" ");
      this.endpoints = new int[ports.length - 1];
      for (int i = 0; i < endpoints.length; i++) {
        endpoints[i] = Integer.parseInt(ports[i + 1]);
      }
    }

    static Load start() throws IOException {
      return new Load(
          new ProcessBuilder(
                  "taskset",
                  "-c",
                  CORE,
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LoadProgram.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    }

    Run run(Proxy proxy, Scenario scenario, int seconds) throws IOException {
      String command =
          proxy.port()
              + " "
              + scenario.host()
              + " "
              + scenario.connections()
              + " "
              + scenario.request()
              + " "
              + seconds
              + "\n";
      process.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().flush();
      line();
      double before = proxy.cpuMicros();
      JsonNode result = Json.parse(line());
      double cpu = proxy.cpuMicros() - before;
      int done = Math.max(1, result.path("done").asInt());
      return new Run(
          cpu / done,
          result.path("requestsPerSecond").asDouble(),
          result.path("p50Ms").asDouble(),
          result.path("p99Ms").asDouble(),
          result.path("failed").asInt(),
          result.path("served"));
    }

    private String line() throws IOException {
      String line = answers.readLine();
      if (line == null) {
        throw new IOException("the load program ended");
      }
      return line;
    }

    @Override
    public void close() {
      process.destroy();
    }
  }
}
