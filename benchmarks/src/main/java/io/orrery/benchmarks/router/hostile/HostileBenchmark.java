package io.orrery.benchmarks.router.hostile;

import io.orrery.benchmarks.child.CoreAffinity;
import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.router.hostile.WellBehavedClients.Fare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs hostile clients, one kind after the other, against a process {@code orrery route}; beside
 * each kind, well-behaved clients ask at a fixed rate. Told of each are the most memory that the
 * process had, what of its heap was alive at the end, and how the well-behaved fared before, while
 * the same clients attacked a second router, and meanwhile. The second router is the control:
 * hostile clients take processor time from everything on the machine, which is no fault of the
 * router. The routers have the last core of the machine for themselves, as they would where clients
 * and endpoints are elsewhere. A router that ended, or answers no client any more, is started anew
 * for the next kind.
 */
public final class HostileBenchmark {
  /**
   * The bound of its resident memory, in megabytes: the heap, 512, full of garbage at the worst,
   * and some 190 beside it.
   */
  public static final int MOST_MEGABYTES = 704;

  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private static final int WARM_UP_MILLIS = 10_000;

  private final Path distribution;
  private final List<HostileKind> kinds;
  private final int millis;

  /**
   * @param distribution the folder with bin/orrery
   * @param only names, or beginnings of them; empty for all
   * @param seconds of each kind, half as much of it before the attack, and for the control
   * @throws IllegalArgumentException for a name that none has
   */
  public HostileBenchmark(Path distribution, List<String> only, double seconds) {
    this.distribution = distribution;
    this.kinds =
        all().stream()
            .filter(kind -> only.isEmpty() || only.stream().anyMatch(kind.name()::startsWith))
            .toList();
    this.millis = (int) (seconds * 1_000);
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no kind "
              + only
              + "; there are "
              + all().stream().map(HostileKind::name).toList());
    }
  }

  private static List<HostileKind> all() {
    return Stream.concat(Http1Kinds.all().stream(), Http2Kinds.all().stream()).toList();
  }

  /** Runs it and prints the table; a JSON line for each kind. */
  public List<Map<String, Object>> run() throws IOException, InterruptedException {
    List<HostileFinding> findings = new ArrayList<>();
    ResultTable table =
        new ResultTable(
            "kind", "rss MB", "heap MB", "p99 before", "p99 beside", "p99 ms", "failed", "alive");
    if (CORES > 1) {
      CoreAffinity.tie(ProcessHandle.current().pid(), "0-" + (CORES - 2));
    }
    try (Scratch scratch = Scratch.create();
        Endpoints endpoints = new Endpoints()) {
      MeasuredProcess router = start(scratch.path(), endpoints);
      MeasuredProcess control =
          start(Files.createDirectory(scratch.path().resolve("control")), endpoints);
      try {
        for (HostileKind kind : kinds) {
          HostileFinding finding = find(kind, router, control);
          findings.add(finding);
          table.row(finding.cells());
          System.err.println(String.join("  ", finding.cells()));
          if (!finding.alive()) {
            System.err.println(Files.readString(log(scratch.path())));
            router.close();
            router = start(scratch.path(), endpoints);
          }
          if (!control.process().isAlive()) {
            control = start(scratch.path().resolve("control"), endpoints);
          }
        }
      } finally {
        router.close();
        control.close();
      }
    }
    System.out.println(table);
    summarize(findings);
    return findings.stream().map(HostileFinding::line).toList();
  }

  private static Path log(Path folder) {
    return folder.resolve("route.log");
  }

  private MeasuredProcess start(Path folder, Endpoints endpoints)
      throws IOException, InterruptedException {
    int port = MeasuredProcess.freePort();
    Path file = folder.resolve("routes.yml");
    String one = ", endpoints: [\"127.0.0.1:%d\"]";
    Files.writeString(
        file,
        ("listen: {port: %d, loops: 1}%nadmin: {port: %d}%nservices:%n"
                + "  - {name: a"
                + one
                + ", ejection: {consecutive: 10000, for: 1s, atMost: 1%%}}%n"
                + "  - {name: m"
                + one
                + ", mirror: \"shadow:100%%\"}%n"
                + "  - {name: shadow"
                + one
                + "}%n")
            .formatted(
                port,
                MeasuredProcess.freePort(),
                endpoints.answering(),
                endpoints.answering(),
                endpoints.silent()));
    MeasuredProcess router =
        MeasuredProcess.start(
            "orrery",
            log(folder),
            port,
            List.of(
                distribution.resolve("bin/orrery").toString(),
                "route",
                "--config",
                file.toString()),
            Map.of());
    if (CORES > 1) {
      CoreAffinity.tie(router.process().pid(), Integer.toString(CORES - 1));
    }
    WarmUp.run(port, WARM_UP_MILLIS);
    return router;
  }

  private HostileFinding find(HostileKind kind, MeasuredProcess router, MeasuredProcess control)
      throws IOException, InterruptedException {
    WellBehavedClients clients = new WellBehavedClients(router.port());
    long pid = router.process().pid();
    Fare before = clients.run(millis / 2);
    Fare beside;
    try (Attack _ = Attack.begin(control.port(), kind)) {
      beside = clients.run(millis / 2);
    }
    Footprint footprint = new Footprint(pid);
    footprint.reset();
    Fare during;
    double heap;
    double peak;
    try (Attack _ = Attack.begin(router.port(), kind)) {
      during = clients.run(millis);
      peak = footprint.peakMegabytes();
      heap = footprint.liveHeapMegabytes();
    }
    boolean alive = router.process().isAlive() && clients.areServed();
    return new HostileFinding(
        kind.name(),
        peak,
        heap,
        before.p99Millis(),
        beside.p99Millis(),
        during.p99Millis(),
        during.failed(),
        alive);
  }

  private static void summarize(List<HostileFinding> all) {
    System.out.printf(
        Locale.ROOT,
        "%d kinds: %d over %d MB, %d with failed requests, %d with more than twice the p99,"
            + " %d after which the router did not answer%n",
        all.size(),
        all.stream().filter(finding -> finding.rssMb() > MOST_MEGABYTES).count(),
        MOST_MEGABYTES,
        all.stream().filter(finding -> finding.failed() > 0).count(),
        all.stream().filter(finding -> finding.isSlow()).count(),
        all.stream().filter(finding -> !finding.alive()).count());
  }
}
