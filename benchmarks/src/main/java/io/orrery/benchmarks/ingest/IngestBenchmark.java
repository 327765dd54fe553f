package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.report.Table;
import io.orrery.core.sql.PostgresServer;
import io.orrery.gateway.journey.KafkaBroker;
import io.orrery.gateway.journey.ServerProcess;
import io.orrery.gateway.journey.WaitingTrials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Points a second that are durable when they are acknowledged, and the server's processor time for
 * each. Closed loop: every connection sends again as soon as it has its answer.
 */
public final class IngestBenchmark {
  private static final int TRIALS = 16;

  /** How points travel. */
  public enum Transport {
    HTTP,
    WS,
    KAFKA;

    /** As a command line spells it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where they are kept. */
  public enum Keeping {
    EMBEDDED,
    POSTGRESQL;

    /** As a command line spells it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final List<Transport> transports;
  private final List<Keeping> stores;
  private final List<Integer> batches;
  private final Duration warmUp;
  private final Duration window;

  /**
   * @param batches points that are sent together, such as one, a second's worth of a busy trial, a
   *     backlog
   * @param warmUp load before anything is counted: the server compiles meanwhile
   * @param window how long is counted
   */
  public IngestBenchmark(
      List<Transport> transports,
      List<Keeping> stores,
      List<Integer> batches,
      Duration warmUp,
      Duration window) {
    this.transports = List.copyOf(transports);
    this.stores = List.copyOf(stores);
    this.batches = List.copyOf(batches);
    this.warmUp = warmUp;
    this.window = window;
  }

  /** Runs it and prints the table; the keys of each JSON line. */
  public List<Map<String, Object>> run() throws Exception {
    List<Map<String, Object>> lines = new ArrayList<>();
    Table table =
        new Table(
            "transport",
            "store",
            "batch",
            "points/s",
            "CPU µs/point",
            "p50 ms",
            "p99 ms",
            "lost",
            "goal");
    for (Keeping store : stores) {
      for (Transport transport : transports) {
        for (int batch : batches) {
          Map<String, Object> line = measure(transport, store, batch);
          lines.add(line);
          table.row(
              transport.word(),
              store.word(),
              Integer.toString(batch),
              String.format(Locale.ROOT, "%,d", (Long) line.get("pointsPerSecond")),
              String.valueOf(line.get("cpuMicrosPerPoint")),
              String.valueOf(line.get("p50Ms")),
              String.valueOf(line.get("p99Ms")),
              String.valueOf(line.get("lost")),
              goal(transport, store, batch));
        }
      }
    }
    System.out.println(table);
    return lines;
  }

  /** A new server for each row, and what it needs beside it. */
  private Map<String, Object> measure(Transport transport, Keeping store, int batch)
      throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Path home = Files.createDirectories(scratch.path().resolve("home"));
      KafkaBroker broker =
          transport == Transport.KAFKA ? KafkaBroker.start(scratch.path().resolve("broker")) : null;
      try {
        StringBuilder configuration = new StringBuilder();
        if (broker != null) {
          configuration.append("kafka: {bootstrapServers: '" + broker.address() + "'}\n");
        }
        if (store == Keeping.POSTGRESQL) {
          configuration.append("store: {url: '" + PostgresServer.newDatabase() + "'}\n");
        }
        Files.writeString(home.resolve("orrery.yml"), configuration);
        try (ServerProcess server = ServerProcess.start(home)) {
          List<String> trials = WaitingTrials.start(server, scratch.path().resolve("code"), TRIALS);
          Tally tally = new Tally();
          try (Load load = load(server, broker, trials, transport, batch, tally)) {
            return measure(server, load, tally, trials, transport, store, batch);
          }
        }
      } finally {
        if (broker != null) {
          broker.close();
        }
      }
    }
  }

  private static Load load(
      ServerProcess server,
      @Nullable KafkaBroker broker,
      List<String> trials,
      Transport transport,
      int batch,
      Tally tally)
      throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
    List<Lines> lines = new ArrayList<>();
    for (int i = 0; i < connections(transport, batch); i++) {
      lines.add(new Lines(trials.get(i % trials.size()), "c" + i, batch));
    }
    if (broker != null) {
      return new KafkaLoad(broker, lines, tally);
    }
    List<Sender> senders = new ArrayList<>();
    for (Lines own : lines) {
      senders.add(
          transport == Transport.HTTP
              ? new HttpSender(address, own, tally)
              : new SocketSender(address, own, tally));
    }
    return new SocketLoad(senders, tally);
  }

  private Map<String, Object> measure(
      ServerProcess server,
      Load load,
      Tally tally,
      List<String> trials,
      Transport transport,
      Keeping store,
      int batch)
      throws IOException, InterruptedException {
    load.run(warmUp);
    Duration before = server.processorTime();
    long start = System.nanoTime();
    tally.count(true);
    load.run(window);
    tally.count(false);
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpu = server.processorTime().minus(before).toNanos() / 1e3;
    load.finish();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("transport", transport.word());
    line.put("store", store.word());
    line.put("batch", batch);
    line.put("pointsPerSecond", Math.round(tally.points() / seconds));
    line.put("cpuMicrosPerPoint", round(cpu / tally.points()));
    Quantiles quantiles = new Quantiles(tally.millis());
    line.put("p50Ms", round(quantiles.at(0.5)));
    line.put("p99Ms", round(quantiles.at(0.99)));
    line.put("lost", load.sent() - stored(server, trials));
    return line;
  }

  private static int connections(Transport transport, int batch) {
    return switch (transport) {
      case HTTP -> batch == 1 ? 512 : batch == 100 ? 64 : 16;
      case WS, KAFKA -> 16;
    };
  }

  private static long stored(ServerProcess server, List<String> trials)
      throws IOException, InterruptedException {
    long stored = 0;
    for (String trial : trials) {
      stored += WaitingTrials.points(server, trial);
    }
    String experiment = trials.getFirst().split("/")[0];
    server.post("/experiments/" + experiment + "/stop", "");
    server.awaitStatus(experiment, Duration.ofSeconds(60), "STOPPED", "DONE", "FAILED");
    return stored;
  }

  private static String goal(Transport transport, Keeping store, int batch) {
    if (store == Keeping.POSTGRESQL) {
      return "100,000/s";
    }
    return switch (transport) {
      case HTTP ->
          switch (batch) {
            case 1 -> "12 µs, 40,000/s";
            case 100 -> "0.6 µs, 600,000/s";
            default -> "0.40 µs, 1,200,000/s";
          };
      case WS -> batch == 1 ? "0.5 µs" : "";
      case KAFKA -> "200,000/s";
    };
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3f", value));
  }
}
