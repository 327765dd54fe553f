package io.orrery.benchmarks.startup;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.Resident;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.core.id.ExperimentId;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a server needs that has much to take up: experiments that are running, with
 * very many trials behind them. The past is written by the server's own code while none runs
 * ({@link LongPast}); then the packaged server goes on from there, is killed in the middle of its
 * work and started again, again and again. Trials are simulated. Every answer has to be right: one
 * that is not ends the benchmark.
 */
public final class BusyHome {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int IN_FLIGHT = 1_000;

  private final int trials;
  private final int running;
  private final String tuner;
  private final int rounds;
  private final @Nullable Path kept;

  /**
   * @param trials how many are over before it counts, of all experiments
   * @param running how many experiments
   * @param tuner of each of them
   * @param rounds how often the server is killed
   * @param kept where the home stays, and is taken from when it is there; null for nowhere
   */
  public BusyHome(int trials, int running, String tuner, int rounds, @Nullable Path kept) {
    this.trials = trials;
    this.running = running;
    this.tuner = tuner;
    this.rounds = rounds;
    this.kept = kept;
  }

  /**
   * The figures of a start, from the command on.
   *
   * @param readyMs until {@code /health/ready} said so
   * @param cpuMs processor time until then
   * @param listedMs until the list of all experiments was there
   * @param takenUpMs until each of them had taken a command: what ran of it is adopted then
   * @param tunedMs until each had a suggestion that its tuner gave since
   * @param goneOnMs until another trial of each had succeeded
   * @param slowestListMs the list, while tuners read their past
   * @param residentMb then
   */
  private record Restart(
      double readyMs,
      double cpuMs,
      double listedMs,
      double takenUpMs,
      double tunedMs,
      double goneOnMs,
      double cpuGoneOnMs,
      double slowestListMs,
      double residentMb) {}

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path home = kept == null ? scratch.path().resolve("home") : kept;
      if (!Files.exists(home.resolve("orrery.db"))) {
        prepare(home);
      }
      List<Restart> restarts = new ArrayList<>();
      ServerProcess server = ServerProcess.begin(home).ready(PATIENCE);
      try {
        awaitMore(server, experiments(server), BusyHome::succeeded);
        for (int round = 0; round < rounds; round++) {
          server.kill();
          long begin = System.nanoTime();
          server = ServerProcess.begin(home);
          restarts.add(restart(server.ready(PATIENCE), begin));
        }
      } finally {
        server.kill();
      }
      return report(restarts);
    }
  }

  private void prepare(Path home) throws IOException, InterruptedException {
    List<ExperimentId> ids = new ArrayList<>();
    ServerProcess server = ServerProcess.begin(home).ready(PATIENCE);
    try {
      for (int i = 0; i < running; i++) {
        JsonNode created = server.post("/experiments", config(home));
        ids.add(new ExperimentId(created.get("id").textValue()));
      }
      awaitMore(server, experiments(server), BusyHome::succeeded);
    } finally {
      server.kill();
    }
    LongPast.write(home, ids, trials / running);
  }

  private Restart restart(ServerProcess server, long begin)
      throws IOException, InterruptedException {
    server.text("/health/ready");
    double ready = millis(begin);
    double cpu = server.processorTime().toNanos() / 1e6;
    Map<String, JsonNode> before = experiments(server);
    double listed = millis(begin);
    command(server, before.keySet());
    double takenUp = millis(begin);
    double slowest = awaitMore(server, before, BusyHome::created);
    double tuned = millis(begin);
    slowest = Math.max(slowest, awaitMore(server, before, BusyHome::succeeded));
    return new Restart(
        ready,
        cpu,
        listed,
        takenUp,
        tuned,
        millis(begin),
        server.processorTime().toNanos() / 1e6,
        slowest,
        Resident.megabytes(server.pid()));
  }

  /** Asks something of the owner of each of them, all at once. */
  private void command(ServerProcess server, Set<String> ids)
      throws IOException, InterruptedException {
    String same = "{\"trialConcurrency\": " + slots() + "}";
    List<Future<JsonNode>> answers = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String id : ids) {
        answers.add(callers.submit(() -> server.patch("/experiments/" + id, same)));
      }
      for (Future<JsonNode> answer : answers) {
        answer.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a command was not taken", e);
    }
  }

  private static double millis(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  /** Completes when every experiment has more of something; the slowest answer meanwhile, in ms. */
  private static double awaitMore(
      ServerProcess server, Map<String, JsonNode> before, ToLongFunction<JsonNode> count)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    double slowest = 0;
    while (true) {
      long asked = System.nanoTime();
      Map<String, JsonNode> now = experiments(server);
      slowest = Math.max(slowest, millis(asked));
      if (before.keySet().stream()
          .allMatch(id -> count.applyAsLong(now.get(id)) > count.applyAsLong(before.get(id)))) {
        return slowest;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("not every experiment goes on: " + server.log());
      }
      // Looking costs the server time as well.
      Thread.sleep(50);
    }
  }

  /** All of them, by id; each has to be running. */
  private static Map<String, JsonNode> experiments(ServerProcess server)
      throws IOException, InterruptedException {
    Map<String, JsonNode> all = new TreeMap<>();
    for (JsonNode experiment : server.get("/experiments?limit=1000").get("items")) {
      if (!experiment.get("status").textValue().equals("RUNNING")) {
        throw new IOException("an experiment does not run: " + experiment);
      }
      all.put(experiment.get("id").textValue(), experiment);
    }
    return all;
  }

  private static long succeeded(JsonNode experiment) {
    return experiment.get("trialCounts").path("SUCCEEDED").asLong();
  }

  private static long created(JsonNode experiment) {
    long sum = 0;
    for (JsonNode count : experiment.get("trialCounts")) {
      sum += count.asLong();
    }
    return sum;
  }

  private int slots() {
    return Math.max(1, IN_FLIGHT / running);
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
    tuner: {name: %s, classArgs: {optimize_mode: minimize}}
    trainingService:
      platform: simulated
      objective: (log(lr) + 5) ** 2 / 10 + momentum
      duration: uniform(1s, 5s)
      reports: 1
      speed: 2
    """
        .formatted(place, slots(), tuner);
  }

  private Map<String, Object> report(List<Restart> restarts) {
    ResultTable table =
        new ResultTable("killed and started again: median (lowest to highest)", "Orrery", "goal")
            .row("trials that are over", String.format(Locale.ROOT, "%,d", trials), "1,000,000")
            .row("running experiments, tuner", running + ", " + tuner, "50");
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("trials", trials);
    line.put("running", running);
    line.put("tuner", tuner);
    line.put("rounds", rounds);
    row(table, line, restarts, "ready, ms", "5,000", "busyReadyMs", Restart::readyMs);
    row(table, line, restarts, "processor time until then, ms", "", "busyCpuMs", Restart::cpuMs);
    row(table, line, restarts, "experiments listed, ms", "5,000", "listedMs", Restart::listedMs);
    row(
        table,
        line,
        restarts,
        "every experiment has taken a command, ms",
        "5,000",
        "takenUpMs",
        Restart::takenUpMs);
    row(table, line, restarts, "every tuner has suggested, ms", "", "tunedMs", Restart::tunedMs);
    row(
        table,
        line,
        restarts,
        "another trial of each has succeeded, ms",
        "",
        "busyGoneOnMs",
        Restart::goneOnMs);
    row(
        table,
        line,
        restarts,
        "processor time until then, ms",
        "",
        "goneOnCpuMs",
        Restart::cpuGoneOnMs);
    row(
        table,
        line,
        restarts,
        "slowest list meanwhile, ms",
        "",
        "slowestListMs",
        Restart::slowestListMs);
    row(table, line, restarts, "resident then, MB", "1,024", "rssMb", Restart::residentMb);
    System.out.println(table);
    return line;
  }

  private static void row(
      ResultTable table,
      Map<String, Object> line,
      List<Restart> restarts,
      String name,
      String goal,
      String key,
      ToDoubleFunction<Restart> value) {
    Quantiles quantiles = new Quantiles(restarts.stream().mapToDouble(value).toArray());
    line.put(key, Math.round(quantiles.at(0.5)));
    table.row(
        name,
        String.format(
            Locale.ROOT,
            "%.0f (%.0f to %.0f)",
            quantiles.at(0.5),
            quantiles.at(0),
            quantiles.at(1)),
        goal);
  }
}
