package io.orrery.benchmarks;

import io.orrery.benchmarks.ingest.IngestBenchmark;
import io.orrery.benchmarks.ingest.IngestBenchmark.Beside;
import io.orrery.benchmarks.ingest.IngestBenchmark.Keeping;
import io.orrery.benchmarks.ingest.IngestBenchmark.Transport;
import io.orrery.benchmarks.ingest.ViewBenchmark;
import io.orrery.benchmarks.ingest.ViewBenchmark.View;
import io.orrery.benchmarks.kubernetes.KubernetesBenchmark;
import io.orrery.benchmarks.micro.MicroBenchmarks;
import io.orrery.benchmarks.pages.PagesBenchmark;
import io.orrery.benchmarks.pages.ProjectListBenchmark;
import io.orrery.benchmarks.pipelines.PipelinesBenchmark;
import io.orrery.benchmarks.pipelines.RunListBenchmark;
import io.orrery.benchmarks.report.PrintedReport;
import io.orrery.benchmarks.router.RouterBenchmark;
import io.orrery.benchmarks.router.hostile.HostileBenchmark;
import io.orrery.benchmarks.router.part.PartsBenchmark;
import io.orrery.benchmarks.scale.ScaleBenchmark;
import io.orrery.benchmarks.scaling.ScalingBenchmark;
import io.orrery.benchmarks.schedules.SchedulesBenchmark;
import io.orrery.benchmarks.search.SearchBenchmark;
import io.orrery.benchmarks.search.SearchOptions;
import io.orrery.benchmarks.search.SearchReport;
import io.orrery.benchmarks.search.curve.CurveMode;
import io.orrery.benchmarks.startup.BusyHome;
import io.orrery.benchmarks.startup.StartupBenchmark;
import io.orrery.benchmarks.trials.TrialsBenchmark;
import io.orrery.benchmarks.tunerspeed.TunerSpeedBenchmark;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs a benchmark by its name. The file is longer than 400 lines, because each benchmark has its
 * options here.
 */
@Command(
    name = "benchmarks/run",
    subcommands = SoakCommand.class,
    mixinStandardHelpOptions = true,
    description = "Measures what the documentation claims, beside its peers.")
public final class Benchmarks {
  @Option(
      names = "--out",
      scope = CommandLine.ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "append JSON lines to this file")
  private @Nullable Path out;

  private Benchmarks() {}

  public static void main(String[] arguments) {
    CommandLine line = new CommandLine(new Benchmarks());
    // What follows this name is JMH's command line.
    Objects.requireNonNull(line.getSubcommands().get("jmh"))
        .setUnmatchedOptionsArePositionalParams(true);
    System.exit(line.execute(arguments));
  }

  @Command(description = "Numbers of replicas under loads by virtual clock, beside Knative's.")
  int scaling(
      @Option(
              names = "--start",
              defaultValue = "5",
              description = "seconds until a replica is ready")
          int start) {
    ScalingBenchmark.run(start);
    return 0;
  }

  @Command(description = "Real trials: processor time per trial, turn of a slot, losses.")
  int trials(
      @Option(names = "--trials", defaultValue = "500") int trials,
      @Option(names = "--concurrency", defaultValue = "8") int concurrency,
      @Option(
              names = "--platform",
              defaultValue = "local",
              description = "local, or remote: eight machines reached by SSH")
          String platform,
      @Option(
              names = "--reuse",
              description = "with remote: each machine's processes serve one trial after another")
          boolean reuse,
      @Option(
              names = "--work",
              defaultValue = "0",
              description = "Milliseconds that each trial waits before its result.")
          int work)
      throws IOException, InterruptedException {
    boolean remote = platform.equals("remote");
    if (!remote && !platform.equals("local")) {
      System.err.println("benchmarks: the platform is local or remote, not '" + platform + "'");
      return 2;
    }
    if (reuse && !remote) {
      System.err.println("benchmarks: --reuse goes with --platform remote");
      return 2;
    }
    write(new TrialsBenchmark(trials, concurrency, remote, reuse, Duration.ofMillis(work)).run());
    return 0;
  }

  @Command(description = "Steps that do nothing: processor time of the server per step.")
  int pipelines(
      @Option(names = "--steps", defaultValue = "10000", description = "of one run") int steps,
      @Option(names = "--wide", defaultValue = "100", description = "at once") int wide,
      @Option(names = "--simulated", description = "on no machine; else local") boolean simulated)
      throws IOException, InterruptedException {
    write(new PipelinesBenchmark(steps, wide, simulated).run());
    return 0;
  }

  @Command(description = "Schedules: how long after its time each due run is submitted.")
  int schedules(
      @Option(names = "--schedules", defaultValue = "1000", description = "due in the same second")
          int schedules,
      @Option(
              names = "--minutes",
              defaultValue = "0",
              description = "one schedule that is due each minute, for so many, instead")
          int minutes)
      throws IOException, InterruptedException {
    write(new SchedulesBenchmark(schedules, minutes).run());
    return 0;
  }

  @Command(name = "run-list", description = "Pages of a list of many finished runs of pipelines.")
  int runList(@Option(names = "--runs", defaultValue = "1000000", description = "in all") int runs)
      throws IOException, InterruptedException {
    write(new RunListBenchmark(runs).run());
    return 0;
  }

  @Command(
      name = "project-list",
      description = "A list of the experiments of one project among those of others.")
  int projectList(
      @Option(names = "--others", defaultValue = "1000000", description = "of other projects")
          int others)
      throws IOException, InterruptedException {
    write(new ProjectListBenchmark(others).run());
    return 0;
  }

  @Command(description = "Lives of trials on the simulated platform, by how many there were.")
  int scale(
      @Option(names = "--trials", defaultValue = "100000", description = "in all") int trials,
      @Option(
              names = "--parallel",
              defaultValue = "1000",
              description = "in flight at once, in all")
          int parallel,
      @Option(names = "--experiments", defaultValue = "1", description = "that share them")
          int experiments,
      @Option(names = "--chart", paramLabel = "FILE", description = "an SVG of the marks")
          @Nullable Path chart)
      throws IOException, InterruptedException {
    try {
      for (Map<String, Object> line :
          new ScaleBenchmark(trials, parallel, experiments).run(chart)) {
        write(line);
      }
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("benchmarks: " + e.getMessage());
      return 2;
    }
  }

  @Command(description = "Jobs of a cluster: processor time for one, memory of those that run.")
  int kubernetes(
      @Option(names = "--warm-up", defaultValue = "20000", description = "jobs before it counts")
          int warmUp,
      @Option(names = "--jobs", defaultValue = "5000", description = "that run and end at once")
          int jobs,
      @Option(names = "--running", defaultValue = "5000", description = "that run at the same time")
          int running)
      throws IOException, InterruptedException {
    write(new KubernetesBenchmark(warmUp, jobs, running).run());
    return 0;
  }

  @Command(description = "From the command to the first answer, and what an idle server costs.")
  int startup(
      @Option(names = "--rounds", defaultValue = "7", description = "starts of each kind")
          int rounds,
      @Option(
              names = "--running",
              defaultValue = "0",
              description = "a home with so many running experiments instead of an empty one")
          int running,
      @Option(
              names = "--trials",
              defaultValue = "1000000",
              description = "trials that are over in that home")
          int trials,
      @Option(
              names = "--tuner",
              paramLabel = "NAME",
              defaultValue = "Random",
              description = "of the experiments in that home")
          String tuner,
      @Option(
              names = "--home",
              paramLabel = "DIR",
              description = "where that home stays, and is taken from when it is there")
          @Nullable Path home)
      throws IOException, InterruptedException {
    if (running > 0) {
      write(new BusyHome(trials, running, tuner, rounds, home).run());
      return 0;
    }
    Path distribution = Path.of(System.getProperty("orrery.distribution"));
    write(new StartupBenchmark(distribution, rounds).run());
    return 0;
  }

  @Command(description = "What the page asks for, of experiments with very many trials.")
  int pages(
      @Option(names = "--rounds", defaultValue = "30", description = "times each request is made")
          int rounds,
      @Option(
              names = "--trials",
              split = ",",
              defaultValue = "10000,100000",
              description = "numbers of trials")
          int[] sizes)
      throws IOException, InterruptedException {
    for (Map<String, Object> line : new PagesBenchmark(rounds, sizes).run()) {
      write(line);
    }
    return 0;
  }

  @Command(description = "How near tuners come to known optima, beside their peers.")
  int search(@Mixin SearchOptions options) throws IOException, InterruptedException {
    try {
      CurveMode curves = options.curveMode();
      if (curves != null) {
        return show(SearchBenchmark.run(options, curves));
      }
      PrintedReport special = SearchBenchmark.special(options);
      if (special != null) {
        return show(special);
      }
      SearchReport report = new SearchBenchmark(options).run();
      show(report);
      return report.passed() ? 0 : 1;
    } catch (IllegalArgumentException | IllegalStateException e) {
      System.err.println("benchmarks: " + e.getMessage());
      return 2;
    }
  }

  @Command(description = "The serving router beside its peers: processor time per request.")
  int router(
      @Option(
              names = {"--only", "--scenario"},
              split = ",",
              paramLabel = "S",
              description =
                  "get, post-1k, post-100k, split, mirror, mirror-slow, mirror-slow-5k,"
                      + " mirror-dead, domains-1k, domains-100k, connections, latency, killed,"
                      + " changes, loops, tls-get, h2-get, grpc-unary and so on; all by default")
          @Nullable List<String> scenarios,
      @Option(names = "--rounds", defaultValue = "3", description = "times each is measured")
          int rounds,
      @Option(names = "--seconds", defaultValue = "1.5", description = "for how long")
          double seconds,
      @Option(
              names = "--quick",
              description = "two short rounds after little warm-up, and no peers on the JVM")
          boolean quick)
      throws IOException, InterruptedException {
    Path distribution = Path.of(System.getProperty("orrery.distribution"));
    List<String> asked = scenarios == null ? List.of() : scenarios;
    for (Map<String, Object> line :
        new RouterBenchmark(
                distribution,
                Path.of(System.getProperty("orrery.benchmarks")),
                asked,
                rounds,
                (int) (seconds * 1_000),
                quick)
            .run()) {
      write(line);
    }
    return 0;
  }

  @Command(
      name = "router-hostile",
      description =
          "Hostile clients, kind by kind: the router's memory, and the p99 of others beside them.")
  int routerHostile(
      @Option(
              names = "--only",
              split = ",",
              paramLabel = "KIND",
              description = "names of kinds, or beginnings of them; all by default")
          @Nullable List<String> only,
      @Option(names = "--seconds", defaultValue = "10", description = "of each kind")
          double seconds,
      @Option(names = "--quick", description = "two seconds of each kind") boolean quick)
      throws IOException, InterruptedException {
    try {
      Path distribution = Path.of(System.getProperty("orrery.distribution"));
      List<String> asked = only == null ? List.of() : only;
      for (Map<String, Object> line :
          new HostileBenchmark(distribution, asked, quick ? 2 : seconds).run()) {
        write(line);
      }
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("benchmarks: " + e.getMessage());
      return 2;
    }
  }

  @Command(
      name = "router-parts",
      description = "Look-up of a host, draw of a version, bytes that a request allocates.")
  int routerParts() throws IOException {
    for (Map<String, Object> line : new PartsBenchmark().run()) {
      write(line);
    }
    return 0;
  }

  @Command(description = "Reported points a second, durable, and what one costs.")
  int ingest(
      @Option(names = "--transport", description = "http, ws or kafka; all unless said")
          @Nullable String transport,
      @Option(names = "--store", description = "embedded or postgresql; both unless said")
          @Nullable String store,
      @Option(
              names = "--batch",
              split = ",",
              defaultValue = "1,100,1000",
              description = "points sent together")
          List<Integer> batches,
      @Option(
              names = "--peers",
              defaultValue = "all",
              description = "none, all that are installed, or accounts: ours without, over HTTP")
          String peers,
      @Option(names = "--warm-up", defaultValue = "10", description = "seconds before it counts")
          int warmUp,
      @Option(names = "--rounds", defaultValue = "3", description = "times each is measured")
          int rounds,
      @Option(names = "--window", defaultValue = "5", description = "seconds that count, each time")
          int window)
      throws Exception {
    List<Transport> transports =
        Arrays.stream(Transport.values())
            .filter(t -> transport == null || t.word().equals(transport))
            .toList();
    List<Keeping> stores =
        Arrays.stream(Keeping.values())
            .filter(s -> store == null || s.word().equals(store))
            .toList();
    if (transports.isEmpty() || stores.isEmpty()) {
      System.err.println(
          "benchmarks: the transport is http, ws or kafka, the store embedded or postgresql");
      return 2;
    }
    if (batches.stream().anyMatch(batch -> batch < 1)) {
      System.err.println("benchmarks: a batch has a line or more");
      return 2;
    }
    if (rounds < 1 || rounds > IngestBenchmark.MOST_ROUNDS) {
      System.err.println("benchmarks: rounds are 1 to " + IngestBenchmark.MOST_ROUNDS);
      return 2;
    }
    Optional<Beside> beside =
        Arrays.stream(Beside.values()).filter(b -> b.word().equals(peers)).findFirst();
    if (beside.isEmpty()) {
      System.err.println("benchmarks: the peers are none, all or accounts, not '" + peers + "'");
      return 2;
    }
    IngestBenchmark benchmark =
        new IngestBenchmark(
            transports,
            stores,
            batches,
            beside.get(),
            Duration.ofSeconds(warmUp),
            rounds,
            Duration.ofSeconds(window));
    for (Map<String, Object> line : benchmark.run()) {
      write(line);
    }
    return 0;
  }

  @Command(
      name = "metric-views",
      description = "How soon a report is seen, thousands of connected trials, a large chart.")
  int metricViews(
      @Option(
              names = "--only",
              split = ",",
              paramLabel = "VIEW",
              description = "latency, connected, chart; all by default")
          @Nullable List<String> only,
      @Option(names = "--warm-up", defaultValue = "10", description = "seconds before it counts")
          int warmUp,
      @Option(names = "--window", defaultValue = "10", description = "seconds that count")
          int window)
      throws Exception {
    List<View> views =
        Arrays.stream(View.values())
            .filter(view -> only == null || only.contains(view.word()))
            .toList();
    if (only != null && views.size() != only.size()) {
      System.err.println("benchmarks: a view is latency, connected or chart");
      return 2;
    }
    for (Map<String, Object> line :
        new ViewBenchmark(views, Duration.ofSeconds(warmUp), Duration.ofSeconds(window)).run()) {
      write(line);
    }
    return 0;
  }

  @Command(
      name = "tuner-speed",
      description = "Processor time of a suggestion, by tuner and length of history.")
  int tunerSpeed(
      @Option(
              names = "--tuners",
              split = ",",
              paramLabel = "NAME",
              description = "all if not given")
          @Nullable List<String> tuners,
      @Option(
              names = "--observations",
              split = ",",
              defaultValue = "100,1000,10000",
              description = "numbers of trials in the history")
          int[] sizes)
      throws IOException {
    try {
      List<String> names = tuners == null ? List.of() : tuners;
      for (Map<String, Object> line : new TunerSpeedBenchmark(names, sizes).run()) {
        write(line);
      }
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("benchmarks: " + e.getMessage());
      return 2;
    }
  }

  @Command(description = "The micro-benchmarks, under JMH: patterns of names, options of JMH.")
  int jmh(@Parameters(arity = "0..*", paramLabel = "PATTERN") @Nullable List<String> arguments)
      throws IOException {
    try {
      List<String> asked = arguments == null ? List.of() : arguments;
      for (Map<String, Object> line : MicroBenchmarks.run(asked)) {
        write(line);
      }
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("benchmarks: " + e.getMessage());
      return 2;
    }
  }

  /** Prints a report and writes its lines. */
  private int show(PrintedReport report) throws IOException {
    System.out.println(report.text());
    for (Map<String, ?> line : report.lines()) {
      write(line);
    }
    return 0;
  }

  void write(Map<String, ? extends @Nullable Object> line) throws IOException {
    if (out != null) {
      Files.writeString(
          out, Json.write(line) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }
}
