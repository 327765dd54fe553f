package io.orrery.benchmarks.startup;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.Resident;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Starts the packaged server again and again, as its launcher does, and asks it until it answers
 * 200 to {@code /health/ready}. With the start-up cache, with it and the serving router, without
 * it, and a bare server, in turns: whatever the machine does meanwhile, it does to all four.
 */
public final class StartupBenchmark {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** When an idle server has come to rest. */
  private static final Duration REST = Duration.ofSeconds(3);

  private final Path distribution;
  private final int rounds;
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * @param distribution the folder with bin/orrery
   * @param rounds how many starts of each kind
   */
  public StartupBenchmark(Path distribution, int rounds) {
    this.distribution = distribution;
    this.rounds = rounds;
  }

  private record Start(double readyMs, double cpuMs, double restMb) {}

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    List<Start> cached = new ArrayList<>();
    List<Start> routing = new ArrayList<>();
    List<Start> plain = new ArrayList<>();
    List<Start> bare = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      cached.add(orrery("", "off"));
      routing.add(orrery("", "0"));
      plain.add(orrery("-XX:AOTMode=off", "off"));
      bare.add(bare());
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("rounds", rounds);
    put(result, "", cached);
    put(result, "Router", routing);
    put(result, "NoCache", plain);
    put(result, "Bare", bare);
    System.out.println(table(List.of(cached, routing, plain, bare)));
    return result;
  }

  private Start orrery(String options, String routerPort) throws IOException, InterruptedException {
    try (Scratch home = Scratch.create()) {
      ProcessBuilder builder =
          new ProcessBuilder(
              distribution.resolve("bin/orrery").toString(),
              "up",
              "--home",
              home.path().toString(),
              "--port",
              "0",
              "--router-port",
              routerPort);
      builder.environment().put("ORRERY_JAVA_OPTS", options);
      return start(builder, home.path(), home.path().resolve("server.json"));
    }
  }

  private Start bare() throws IOException, InterruptedException {
    try (Scratch home = Scratch.create()) {
      Path announcement = home.path().resolve("bare.json");
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              // The launcher's own flags, or the comparison would flatter us.
              "-XX:+UseSerialGC",
              "-Xms32m",
              "-XX:TieredStopAtLevel=1",
              "-XX:-UsePerfData",
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              System.getProperty("java.class.path"),
              BareServer.class.getName(),
              announcement.toString());
      return start(builder, home.path(), announcement);
    }
  }

  private Start start(ProcessBuilder builder, Path home, Path announcement)
      throws IOException, InterruptedException {
    builder.redirectErrorStream(true).redirectOutput(home.resolve("out").toFile());
    long begin = System.nanoTime();
    Process process = builder.start();
    try {
      while (!ready(announcement)) {
        if (!process.isAlive() || System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new IOException("no server: " + Files.readString(home.resolve("out")));
        }
        Thread.sleep(2);
      }
      double ready = (System.nanoTime() - begin) / 1e6;
      double cpu = process.info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
      Thread.sleep(REST);
      return new Start(ready, cpu, Resident.megabytes(process.pid()));
    } finally {
      process.destroy();
      process.onExit().join();
    }
  }

  private boolean ready(Path announcement) throws IOException, InterruptedException {
    if (!Files.exists(announcement)) {
      return false;
    }
    try {
      URI url = URI.create(Json.parse(Files.readString(announcement)).get("url").textValue());
      HttpRequest request = HttpRequest.newBuilder(url.resolve("/health/ready")).build();
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (ConnectException
        | JsonProcessingException
        | ProblemException
        | UncheckedIOException early) {
      return false;
    }
  }

  private static void put(Map<String, Object> result, String suffix, List<Start> starts) {
    result.put("readyMs" + suffix, Math.round(quantiles(starts, Start::readyMs).at(0.5)));
    result.put("cpuMs" + suffix, Math.round(quantiles(starts, Start::cpuMs).at(0.5)));
    result.put("rssMb" + suffix, Math.round(quantiles(starts, Start::restMb).at(0.5)));
  }

  private static ResultTable table(List<List<Start>> kinds) {
    ResultTable table =
        new ResultTable(
            "median (lowest to highest)",
            "Orrery",
            "with router",
            "without cache",
            "bare Vert.x",
            "goal");
    row(table, "command to ready, ms", Start::readyMs, "600", kinds);
    row(table, "processor time until then, ms", Start::cpuMs, "", kinds);
    row(table, "resident at rest, MB", Start::restMb, "120", kinds);
    return table;
  }

  private static void row(
      ResultTable table,
      String name,
      ToDoubleFunction<Start> value,
      String goal,
      List<List<Start>> kinds) {
    table.row(
        Stream.of(
                Stream.of(name), kinds.stream().map(starts -> text(starts, value)), Stream.of(goal))
            .flatMap(cells -> cells)
            .toArray(String[]::new));
  }

  private static String text(List<Start> starts, ToDoubleFunction<Start> value) {
    Quantiles quantiles = quantiles(starts, value);
    return String.format(
        Locale.ROOT, "%.0f (%.0f to %.0f)", quantiles.at(0.5), quantiles.at(0), quantiles.at(1));
  }

  private static Quantiles quantiles(List<Start> starts, ToDoubleFunction<Start> value) {
    return new Quantiles(starts.stream().mapToDouble(value).toArray());
  }
}
