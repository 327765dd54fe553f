package io.orrery.benchmarks.startup;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.report.Table;
import io.orrery.gateway.journey.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long a server needs that has much to take up: experiments that are running, with very many
 * trials behind them. It is killed in the middle of its work and started again, again and again;
 * ready is when {@code /health/ready} says so, and gone on is when every experiment has finished
 * another trial. Trials are simulated; the server runs without its start-up cache.
 */
public final class BusyHome {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int IN_FLIGHT = 1_000;

  private final int trials;
  private final int running;
  private final int rounds;

  /**
   * @param trials how many are over before it counts, of all experiments
   * @param running how many experiments
   * @param rounds how often the server is killed
   */
  public BusyHome(int trials, int running, int rounds) {
    this.trials = trials;
    this.running = running;
    this.rounds = rounds;
  }

  /**
   * What a start took.
   *
   * @param cpuMs processor time until it was ready
   */
  private record Restart(double readyMs, double cpuMs, double goneOnMs) {}

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path home = scratch.path().resolve("home");
      List<Restart> restarts = new ArrayList<>();
      ServerProcess server = ServerProcess.start(home);
      try {
        for (int i = 0; i < running; i++) {
          server.post("/experiments", config(scratch.path()));
        }
        while (over(server).values().stream().mapToLong(Long::longValue).sum() < trials) {
          // Looking costs the server time as well.
          Thread.sleep(1_000);
        }
        for (int round = 0; round < rounds; round++) {
          server.kill();
          long begin = System.nanoTime();
          server = ServerProcess.begin(home).ready(PATIENCE);
          server.text("/health/ready");
          double ready = (System.nanoTime() - begin) / 1e6;
          double cpu = server.processorTime().toNanos() / 1e6;
          awaitMore(server, over(server));
          restarts.add(new Restart(ready, cpu, (System.nanoTime() - begin) / 1e6));
        }
      } finally {
        server.kill();
      }
      return report(restarts);
    }
  }

  private static void awaitMore(ServerProcess server, Map<String, Long> before)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!allBeyond(over(server), before)) {
      if (System.nanoTime() > deadline) {
        throw new IOException("not every experiment goes on: " + server.log());
      }
      Thread.sleep(10);
    }
  }

  private static boolean allBeyond(Map<String, Long> now, Map<String, Long> before) {
    return before.entrySet().stream()
        .allMatch(one -> now.getOrDefault(one.getKey(), 0L) > one.getValue());
  }

  /** How many trials of each experiment have succeeded. */
  private static Map<String, Long> over(ServerProcess server)
      throws IOException, InterruptedException {
    Map<String, Long> over = new TreeMap<>();
    for (JsonNode experiment : server.get("/experiments?limit=1000").get("items")) {
      if (!experiment.get("status").textValue().equals("RUNNING")) {
        throw new IOException("an experiment does not run: " + experiment);
      }
      over.put(
          experiment.get("id").textValue(),
          experiment.get("trialCounts").path("SUCCEEDED").asLong());
    }
    return over;
  }

  private String config(Path place) {
    return """
    experimentName: busy
    trialCommand: nothing is run
    trialCodeDirectory: %s
    trialConcurrency: %d
    maxTrialNumber: 100000000
    searchSpace:
      lr: {_type: loguniform, _value: [0.0001, 0.1]}
      momentum: {_type: uniform, _value: [0, 1]}
    tuner: {name: Random, classArgs: {optimize_mode: minimize}}
    trainingService:
      platform: simulated
      objective: (log(lr) + 5) ** 2 / 10 + momentum
      duration: uniform(1s, 5s)
      reports: 1
      speed: 20
    """
        .formatted(place, Math.max(1, IN_FLIGHT / running));
  }

  private Map<String, Object> report(List<Restart> restarts) {
    Quantiles ready = new Quantiles(restarts.stream().mapToDouble(Restart::readyMs).toArray());
    Quantiles cpu = new Quantiles(restarts.stream().mapToDouble(Restart::cpuMs).toArray());
    Quantiles goneOn = new Quantiles(restarts.stream().mapToDouble(Restart::goneOnMs).toArray());
    System.out.println(
        new Table("killed and started again: median (lowest to highest)", "Orrery", "goal")
            .row("trials that are over", String.format(Locale.ROOT, "%,d", trials), "1,000,000")
            .row("running experiments", Integer.toString(running), "50")
            .row("command to ready, ms", text(ready), "5,000")
            .row("processor time until then, ms", text(cpu), "")
            .row("until every experiment has finished another trial, ms", text(goneOn), ""));
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("trials", trials);
    line.put("running", running);
    line.put("rounds", rounds);
    line.put("busyReadyMs", Math.round(ready.at(0.5)));
    line.put("busyCpuMs", Math.round(cpu.at(0.5)));
    line.put("busyGoneOnMs", Math.round(goneOn.at(0.5)));
    return line;
  }

  private static String text(Quantiles quantiles) {
    return String.format(
        Locale.ROOT, "%.0f (%.0f to %.0f)", quantiles.at(0.5), quantiles.at(0), quantiles.at(1));
  }
}
