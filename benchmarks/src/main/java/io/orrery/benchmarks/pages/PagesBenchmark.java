package io.orrery.benchmarks.pages;

import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the processor time of the server, and the time to the last byte, of what the page asks
 * for, when an experiment has very many trials.
 */
public final class PagesBenchmark {
  private static final int WARM_UP = 15;

  private static final Map<String, String> REQUESTS = new LinkedHashMap<>();

  static {
    REQUESTS.put("list of experiments", "/experiments");
    REQUESTS.put("one experiment", "/experiments/%s");
    REQUESTS.put("charts (2,000 points)", "/experiments/%s/points?maxPoints=2000");
    REQUESTS.put("table, newest", "/experiments/%s/trials?sort=-sequenceId&limit=100");
    REQUESTS.put("table, best", "/experiments/%s/trials?sort=-metric&limit=100");
    REQUESTS.put("table, by a parameter", "/experiments/%s/trials?sort=parameters.lr&limit=100");
    REQUESTS.put("table, far end", "/experiments/%s/trials?sort=-sequenceId&limit=500&offset=%d");
    REQUESTS.put(
        "table, far end by metric", "/experiments/%s/trials?sort=-metric&limit=500&offset=%d");
    REQUESTS.put(
        "table, far end by duration", "/experiments/%s/trials?sort=duration&limit=500&offset=%d");
    REQUESTS.put(
        "table, narrowed and counted",
        "/experiments/%s/trials?limit=100&total&where=parameters.lr%%3C0.01&where=metric%%3E0.6");
    REQUESTS.put("table, failed ones", "/experiments/%s/trials?status=FAILED&limit=100");
    REQUESTS.put("table, searched", "/experiments/%s/trials?q=t4242&limit=100");
  }

  private final int rounds;
  private final int[] sizes;

  /**
   * @param rounds how often each request is made
   * @param sizes numbers of trials
   */
  public PagesBenchmark(int rounds, int... sizes) {
    this.rounds = rounds;
    this.sizes = sizes.clone();
  }

  /** Runs it and prints the table; the keys of each JSON line. */
  public List<Map<String, Object>> run() throws IOException, InterruptedException {
    List<Map<String, Object>> lines = new ArrayList<>();
    ResultTable table =
        new ResultTable("request", "trials", "processor time, ms", "p50, ms", "p99, ms", "KB");
    for (int size : sizes) {
      try (Scratch scratch = Scratch.create()) {
        measure(scratch.path(), size, lines, table);
      }
    }
    System.out.println(table);
    return lines;
  }

  private void measure(Path place, int size, List<Map<String, Object>> lines, ResultTable table)
      throws IOException, InterruptedException {
    Path home = place.resolve("home");
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id =
          server
              .post(
                  "/experiments",
                  """
                  experimentName: long past
                  trialCommand: 'true'
                  trialCodeDirectory: %s
                  trialConcurrency: 1
                  maxTrialNumber: 1
                  searchSpace:
                    lr: {_type: uniform, _value: [0, 1]}
                    momentum: {_type: uniform, _value: [0, 1]}
                    layers: {_type: choice, _value: [1, 2, 3, 4, 5]}
                    act: {_type: choice, _value: [relu, tanh, gelu]}
                  tuner: {name: Random, classArgs: {optimize_mode: maximize}}
                  trainingService: {platform: local}
                  """
                      .formatted(place))
              .get("id")
              .textValue();
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED");
    }
    FinishedTrials.write(home, id, size);
    try (ServerProcess server = ServerProcess.start(home)) {
      for (Map.Entry<String, String> request : REQUESTS.entrySet()) {
        Map<String, Object> line = ask(server, request.getValue().formatted(id, size - 500));
        table.row(
            request.getKey(),
            String.format(Locale.ROOT, "%,d", size),
            String.valueOf(line.get("cpuMs")),
            String.valueOf(line.get("p50Ms")),
            String.valueOf(line.get("p99Ms")),
            String.valueOf(line.get("kilobytes")));
        line.put("request", request.getKey());
        line.put("trials", size);
        lines.add(line);
      }
    }
  }

  private Map<String, Object> ask(ServerProcess server, String path)
      throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UP; i++) {
      get(server, path);
    }
    double[] times = new double[rounds];
    int bytes = 0;
    Duration before = server.processorTime();
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      bytes = get(server, path);
      times[i] = (System.nanoTime() - start) / 1e6;
    }
    double cpu = server.processorTime().minus(before).toNanos() / 1e6 / rounds;
    Quantiles quantiles = new Quantiles(times);
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("cpuMs", round(cpu));
    line.put("p50Ms", round(quantiles.at(0.5)));
    line.put("p99Ms", round(quantiles.at(0.99)));
    line.put("kilobytes", bytes / 1024);
    return line;
  }

  private static int get(ServerProcess server, String path)
      throws IOException, InterruptedException {
    HttpResponse<String> response = server.send("GET", path, BodyPublishers.noBody());
    if (response.statusCode() != 200) {
      throw new IOException(path + ": " + response.body());
    }
    return response.body().length();
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.1f", value));
  }
}
