package io.orrery.benchmarks.soak;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A server under a {@link SoakLoad} for some minutes. The second quarter of the time is compared
 * with the last one, by the least of the looks in each: the heap after a collection, threads and
 * open files must not have grown beyond what a look varies by, and nothing may be lost.
 */
public final class SoakBenchmark {
  private static final int LOOKS = 32;
  private static final int QUARTER = LOOKS / 4;

  /** The growth that is allowed until the end: a share, and an amount for short runs. */
  private static final double SHARE = 0.10;

  private static final double HEAP_MB = 6;
  private static final double RESIDENT_MB = 40;
  private static final double THREADS = 4;
  private static final double FILES = 12;

  private final Duration time;
  private boolean passed = true;

  public SoakBenchmark(Duration time) {
    this.time = time;
  }

  /** Whether nothing grew and nothing was lost. */
  public boolean passed() {
    return passed;
  }

  /** Runs it and prints the tables; the keys of the JSON line. */
  public Map<String, Object> run() throws Exception {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("minutes", time.toSeconds() / 60.0);
    try (Scratch scratch = Scratch.create()) {
      int router = MeasuredProcess.freePort();
      Path home = scratch.path().resolve("home");
      try (ServerProcess server =
          ServerProcess.begin(
                  home, List.of("--port", "0", "--router-port", Integer.toString(router)), Map.of())
              .ready()) {
        SoakLoad load = new SoakLoad(server, scratch.path(), router);
        List<ServerFootprint> looks = new ArrayList<>();
        try (load) {
          load.start();
          long start = System.nanoTime();
          for (int i = 1; i <= LOOKS; i++) {
            long due = start + time.toNanos() * i / LOOKS;
            Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
            looks.add(ServerFootprint.of(server.pid()));
          }
        }
        compare(looks, line);
        work(load, line);
        for (String experiment : experiments(server)) {
          server.send("POST", "/experiments/" + experiment + "/stop", BodyPublishers.noBody());
          server.awaitStatus(experiment, Duration.ofMinutes(1), "STOPPED", "DONE", "FAILED");
        }
      }
    }
    line.put("passed", passed);
    return line;
  }

  private static List<String> experiments(ServerProcess server) throws Exception {
    List<String> running = new ArrayList<>();
    server
        .get("/experiments")
        .path("items")
        .forEach(each -> {
          if (each.path("status").asText().equals("RUNNING")) {
            running.add(each.path("id").asText());
          }
        });
    return running;
  }

  private void compare(List<ServerFootprint> looks, Map<String, Object> line) {
    List<ServerFootprint> early = looks.subList(QUARTER, 2 * QUARTER);
    List<ServerFootprint> late = looks.subList(LOOKS - QUARTER, LOOKS);
    ResultTable table =
        new ResultTable("of the server", "second quarter", "last quarter", "may be", "");
    row(table, line, "heapMb", early, late, ServerFootprint::heapMb, HEAP_MB);
    row(table, line, "residentMb", early, late, ServerFootprint::residentMb, RESIDENT_MB);
    row(table, line, "threads", early, late, ServerFootprint::threads, THREADS);
    row(table, line, "files", early, late, ServerFootprint::files, FILES);
    System.out.println(table);
  }

  private void row(
      ResultTable table,
      Map<String, Object> line,
      String name,
      List<ServerFootprint> early,
      List<ServerFootprint> late,
      ToDoubleFunction<ServerFootprint> number,
      double more) {
    double before = ServerFootprint.least(early, number);
    double after = ServerFootprint.least(late, number);
    double bound = before * (1 + SHARE) + more;
    passed &= after <= bound;
    line.put(name + "Early", before);
    line.put(name + "Late", after);
    table.row(name, number(before), number(after), number(bound), after <= bound ? "" : "GREW");
  }

  private void work(SoakLoad load, Map<String, Object> line) {
    ResultTable table = new ResultTable("work", "done");
    load.done()
        .forEach((name, count) -> {
          line.put(name, count.get());
          passed &= count.get() > 0;
          table.row(name, String.format(Locale.ROOT, "%,d", count.get()));
        });
    List<String> lost = load.lost();
    line.put("lost", lost.size());
    passed &= lost.isEmpty();
    table.row("lost", Integer.toString(lost.size()));
    System.out.println(table);
    lost.stream().limit(20).forEach(each -> System.out.println("lost: " + each));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
