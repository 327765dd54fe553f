package io.orrery.benchmarks.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.report.Table;
import io.orrery.gateway.journey.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Points a second that are durable when they are acknowledged, and the server's processor time for
 * each. Closed loop: every connection sends again as soon as it has its answer.
 */
public final class IngestBenchmark {
  private static final int TRIALS = 16;

  /** The batches: one point, a second's worth of a busy trial, a backlog. */
  private static final int[] BATCHES = {1, 100, 1_000};

  /** How points travel. */
  public enum Transport {
    HTTP,
    WS;

    /** As a command line spells it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final List<Transport> transports;
  private final Duration warmUp;
  private final Duration window;

  /**
   * @param warmUp load before anything is counted: the server compiles meanwhile
   * @param window how long is counted
   */
  public IngestBenchmark(List<Transport> transports, Duration warmUp, Duration window) {
    this.transports = List.copyOf(transports);
    this.warmUp = warmUp;
    this.window = window;
  }

  /** Runs it and prints the table; the keys of each JSON line. */
  public List<Map<String, Object>> run() throws IOException, InterruptedException {
    List<Map<String, Object>> lines = new ArrayList<>();
    Table table =
        new Table(
            "transport", "batch", "points/s", "CPU µs/point", "p50 ms", "p99 ms", "lost", "goal");
    for (Transport transport : transports) {
      for (int batch : BATCHES) {
        try (Scratch scratch = Scratch.create();
            ServerProcess server = ServerProcess.start(scratch.path().resolve("home"))) {
          Map<String, Object> line = measure(server, scratch.path(), transport, batch);
          lines.add(line);
          table.row(
              transport.word(),
              Integer.toString(batch),
              String.format(Locale.ROOT, "%,d", (Long) line.get("pointsPerSecond")),
              String.valueOf(line.get("cpuMicrosPerPoint")),
              String.valueOf(line.get("p50Ms")),
              String.valueOf(line.get("p99Ms")),
              String.valueOf(line.get("lost")),
              goal(transport, batch));
        }
      }
    }
    System.out.println(table);
    return lines;
  }

  private Map<String, Object> measure(
      ServerProcess server, Path place, Transport transport, int batch)
      throws IOException, InterruptedException {
    List<String> trials = trials(server, place);
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
    Tally tally = new Tally();
    List<Sender> senders = new ArrayList<>();
    for (int i = 0; i < connections(transport, batch); i++) {
      Lines lines = new Lines(trials.get(i % trials.size()), "c" + i, batch);
      senders.add(
          switch (transport) {
            case HTTP -> new HttpSender(address, lines, tally);
            case WS -> new SocketSender(address, lines, tally);
          });
    }
    try (Selector selector = Selector.open()) {
      for (Sender sender : senders) {
        sender.start(selector);
      }
      pump(selector, warmUp);
      Duration before = server.processorTime();
      long start = System.nanoTime();
      tally.count(true);
      pump(selector, window);
      tally.count(false);
      double seconds = (System.nanoTime() - start) / 1e9;
      double cpu = server.processorTime().minus(before).toNanos() / 1e3;
      tally.end();
      while (senders.stream().anyMatch(Sender::waits)) {
        pump(selector, Duration.ofMillis(20));
      }
      long acknowledged = senders.stream().mapToLong(Sender::durable).sum();
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("transport", transport.word());
      line.put("store", "embedded");
      line.put("batch", batch);
      line.put("pointsPerSecond", Math.round(tally.points() / seconds));
      line.put("cpuMicrosPerPoint", round(cpu / tally.points()));
      Quantiles quantiles = new Quantiles(tally.millis());
      line.put("p50Ms", round(quantiles.at(0.5)));
      line.put("p99Ms", round(quantiles.at(0.99)));
      line.put("lost", acknowledged - stored(server, trials));
      return line;
    } finally {
      for (Sender sender : senders) {
        sender.channel.close();
      }
    }
  }

  private static int connections(Transport transport, int batch) {
    return switch (transport) {
      case HTTP -> batch == 1 ? 512 : batch == 100 ? 64 : 16;
      case WS -> 16;
    };
  }

  private static void pump(Selector selector, Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      selector.select(Math.max(1, left / 1_000_000));
      for (SelectionKey key : selector.selectedKeys()) {
        ((Sender) key.attachment()).ready(key);
      }
      selector.selectedKeys().clear();
    }
  }

  /** Trials that wait, so that whatever the server does is done for their points. */
  private static List<String> trials(ServerProcess server, Path place)
      throws IOException, InterruptedException {
    Path code = Files.createDirectories(place.resolve("code"));
    String id =
        server
            .post(
                "/experiments",
                """
                experimentName: ingest
                trialCommand: exec sleep 3600
                trialCodeDirectory: %s
                trialConcurrency: %d
                maxTrialNumber: %d
                searchSpace: {x: {_type: uniform, _value: [0, 1]}}
                tuner: {name: Random, classArgs: {optimize_mode: maximize}}
                trainingService: {platform: local}
                """
                    .formatted(code, TRIALS, TRIALS))
            .get("id")
            .textValue();
    List<String> running = new ArrayList<>();
    while (running.size() < TRIALS) {
      Thread.sleep(50);
      running.clear();
      for (JsonNode trial : server.trials(id)) {
        if (trial.get("status").textValue().equals("RUNNING")) {
          running.add(id + "/" + trial.get("id").textValue());
        }
      }
    }
    return running;
  }

  private static long stored(ServerProcess server, List<String> trials)
      throws IOException, InterruptedException {
    long stored = 0;
    String experiment = trials.getFirst().split("/")[0];
    for (String trial : trials) {
      stored +=
          server
              .get("/experiments/" + trial.replace("/", "/trials/") + "/metrics?maxPoints=2")
              .get("total")
              .longValue();
    }
    server.post("/experiments/" + experiment + "/stop", "");
    server.awaitStatus(experiment, Duration.ofSeconds(60), "STOPPED", "DONE", "FAILED");
    return stored;
  }

  private static String goal(Transport transport, int batch) {
    return switch (transport) {
      case HTTP ->
          switch (batch) {
            case 1 -> "12 µs, 40,000/s";
            case 100 -> "0.6 µs, 600,000/s";
            default -> "0.40 µs, 1,200,000/s";
          };
      case WS -> batch == 1 ? "0.5 µs" : "";
    };
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3f", value));
  }
}
