package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.WaitingTrials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Measures what a usual day costs: how soon a viewer sees a report, thousands of trials that are
 * connected and report once a second, and a chart of a hundred long series.
 */
public final class ViewBenchmark {
  private static final int REPORTS = 100;
  private static final int CONNECTED = 4_000;
  private static final int TRIALS = 16;

  /** Points a second of each connection while the server warms up. */
  private static final int WARMING = 15;

  private static final Duration SETTLING = Duration.ofSeconds(3);
  private static final int SERIES = 100;
  private static final int POINTS = 10_000;
  private static final int SHOWN = 1_000;

  /** Behind all that was there before. */
  private static final long FAR = 1L << 50;

  /** An answer has at most 20,000 points. */
  private static final int SERIES_A_QUESTION = 20;

  /** The views that can be measured. */
  public enum View {
    /** From a report to who looks on. */
    LATENCY,
    /** Thousands of trials that are connected. */
    CONNECTED,
    /** Many long series. */
    CHART;

    /** As it is asked for. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final List<View> views;
  private final Duration warmUp;
  private final Duration window;

  /**
   * @param warmUp load before anything is counted: the server compiles meanwhile
   * @param window how long is counted
   */
  public ViewBenchmark(List<View> views, Duration warmUp, Duration window) {
    this.views = List.copyOf(views);
    this.warmUp = warmUp;
    this.window = window;
  }

  /** Runs it and prints the table; the keys of each JSON line. */
  public List<Map<String, Object>> run() throws Exception {
    List<Map<String, Object>> lines = new ArrayList<>();
    ResultTable table = new ResultTable("what", "measured", "goal");
    for (View view : views) {
      lines.add(
          switch (view) {
            case LATENCY -> latency(table);
            case CONNECTED -> connected(table);
            case CHART -> chart(table);
          });
    }
    System.out.println(table);
    return lines;
  }

  private static Map<String, Object> latency(ResultTable table) throws Exception {
    try (Scratch scratch = Scratch.create();
        ServerProcess server = ServerProcess.start(scratch.path().resolve("home"))) {
      String trial = WaitingTrials.start(server, scratch.path().resolve("code"), 1).getFirst();
      BlockingQueue<Long> heard = listen(server, trial.split("/")[0]);
      double[] millis = new double[REPORTS];
      for (int i = -REPORTS / 4; i < REPORTS; i++) {
        // Reports come at other moments than updates.
        Thread.sleep(130 + Math.floorMod(i * 37, 90));
        long start = System.nanoTime();
        server.send(
            "POST",
            "/metrics",
            BodyPublishers.ofString(WaitingTrials.line(trial, "seen", REPORTS + i)));
        Long at = heard.poll(10, TimeUnit.SECONDS);
        if (at == null) {
          throw new IOException("a report was never shown");
        }
        if (i >= 0) {
          millis[i] = (at - start) / 1e6;
        }
      }
      Quantiles quantiles = new Quantiles(millis);
      double p50 = rounded(quantiles.at(0.5));
      double p99 = rounded(quantiles.at(0.99));
      table.row("from report to viewer, p50 and p99", p50 + ", " + p99 + " ms", "50 ms");
      return line("p50Ms", p50, "p99Ms", p99);
    }
  }

  /** Reads the stream of an experiment; when each point came. */
  private static BlockingQueue<Long> listen(ServerProcess server, String experiment)
      throws IOException, InterruptedException {
    Pattern point = Pattern.compile("\"sequence\":\\d+,");
    BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(
                                URI.create(
                                    server.url() + "/api/v1/experiments/" + experiment + "/events"))
                            .build(),
                        BodyHandlers.ofInputStream())
                    .body(),
                StandardCharsets.UTF_8));
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              long now = System.nanoTime();
              Matcher points = point.matcher(line);
              while (points.find()) {
                heard.add(now);
              }
            }
          } catch (IOException e) {
            heard.clear(); // the server is being stopped
          }
        });
    return heard;
  }

  private Map<String, Object> connected(ResultTable table) throws Exception {
    try (Scratch scratch = Scratch.create();
        ServerProcess server = ServerProcess.start(scratch.path().resolve("home"))) {
      List<String> trials = WaitingTrials.start(server, scratch.path().resolve("code"), TRIALS);
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
      IngestTally tally = new IngestTally();
      List<SocketSender> senders = new ArrayList<>();
      for (int i = 0; i < CONNECTED; i++) {
        LineBatch own = new LineBatch(trials.get(i % TRIALS), "c" + i, 1);
        senders.add(new SocketSender(address, own, tally));
      }
      // At one a second the server would be at it for minutes before it is compiled.
      try (PacedLoad load = new PacedLoad(senders, WARMING, tally)) {
        load.run(warmUp);
        load.pace(1);
        load.run(SETTLING);
        Duration before = server.processorTime();
        tally.count(true);
        load.run(window);
        tally.count(false);
        double cpu = server.processorTime().minus(before).toNanos();
        load.finish();
        double percent = rounded(100 * cpu / window.toNanos());
        table.row(
            CONNECTED + " connections, each a point a second", percent + " % of a core", "5 %");
        return line("corePercent", percent, "pointsPerSecond", perSecond(tally));
      }
    }
  }

  private double perSecond(IngestTally tally) {
    return tally.points() / (window.toNanos() / 1e9);
  }

  private Map<String, Object> chart(ResultTable table) throws Exception {
    try (Scratch scratch = Scratch.create();
        ServerProcess server = ServerProcess.start(scratch.path().resolve("home"))) {
      List<String> trials = WaitingTrials.start(server, scratch.path().resolve("code"), SERIES);
      for (String trial : trials) {
        LineBatch lines = new LineBatch(trial, "filled", POINTS);
        server.send("POST", "/metrics", BodyPublishers.ofByteArray(lines.next()));
      }
      showFor(warmUp, server, trials, true);
      double again = millisOfShow(server, trials, false);
      double grown = millisOfShow(server, trials, true);
      String what = "chart of %d x %d, %d each".formatted(SERIES, POINTS, SHOWN);
      table.row(what, again + " ms of processor time", "20 ms");
      table.row(what + ", all have grown", grown + " ms of processor time", "");
      return line("cpuMs", again, "cpuMsGrown", grown);
    }
  }

  private double millisOfShow(ServerProcess server, List<String> trials, boolean growing)
      throws IOException, InterruptedException {
    Duration before = server.processorTime();
    int charts = showFor(window, server, trials, growing);
    return rounded(server.processorTime().minus(before).toNanos() / 1e6 / charts);
  }

  /**
   * Asks again and again; how many times.
   *
   * @param growing whether each series has a point more each time
   */
  private static int showFor(
      Duration time, ServerProcess server, List<String> trials, boolean growing)
      throws IOException, InterruptedException {
    String experiment = trials.getFirst().split("/")[0];
    long end = System.nanoTime() + time.toNanos();
    int rounds = 0;
    while (System.nanoTime() < end) {
      if (growing) {
        long sequence = FAR + System.nanoTime();
        String points =
            trials.stream()
                .map(trial -> WaitingTrials.line(trial, "grown", sequence))
                .collect(Collectors.joining("\n"));
        server.send("POST", "/metrics", BodyPublishers.ofString(points));
      }
      show(server, experiment, trials);
      rounds++;
    }
    return rounds;
  }

  private static void show(ServerProcess server, String experiment, List<String> trials)
      throws IOException, InterruptedException {
    for (int from = 0; from < trials.size(); from += SERIES_A_QUESTION) {
      String names =
          trials.subList(from, from + SERIES_A_QUESTION).stream()
              .map(trial -> trial.split("/")[1])
              .collect(Collectors.joining(","));
      server.text(
          "/api/v1/experiments/" + experiment + "/metrics?trials=" + names + "&maxPoints=" + SHOWN);
    }
  }

  private static Map<String, Object> line(String one, double value, String other, double second) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put(one, rounded(value));
    line.put(other, rounded(second));
    return line;
  }

  private static double rounded(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.2f", value));
  }
}
