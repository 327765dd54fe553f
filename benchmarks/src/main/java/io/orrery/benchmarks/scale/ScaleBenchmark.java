package io.orrery.benchmarks.scale;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.Resident;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
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
import org.jspecify.annotations.Nullable;

/**
 * Measures whole lives of trials on the simulated platform: suggested at random, submitted, run,
 * ten intermediate results and a final one, durable in the embedded store. The server and the
 * platform are one process, so the cost has the simulation in it.
 *
 * <p>Trials run too short for the slots to be what is waited for: the server is busy all the time,
 * and processor time divided by trials is what one costs. It is taken between marks on the way, so
 * that it shows whether a trial costs more when there have been many.
 */
public final class ScaleBenchmark {
  /** Lives before it counts: after these the compilers have done most of their work. */
  private static final int WARM_UP = 20_000;

  private static final Duration PATIENCE = Duration.ofHours(2);

  private static final int LOOKS = 600;

  /** Between the first requests of a kind and those that count: then the compilers have done. */
  private static final int WARM_LOOKS = 3_000;

  private final int trials;
  private final int parallel;
  private final int experiments;

  /**
   * @param trials how many there are in all
   * @param parallel how many are in flight at once, in all
   * @param experiments how many experiments share them
   */
  public ScaleBenchmark(int trials, int parallel, int experiments) {
    if (experiments < 1 || parallel < experiments || trials < experiments) {
      throw new IllegalArgumentException(
          "each of the " + experiments + " experiments needs a trial and a slot at least");
    }
    this.trials = trials;
    this.parallel = parallel;
    this.experiments = experiments;
  }

  /**
   * The figures that were measured when so many trials were over.
   *
   * @param cpuMs processor time of each since the mark before
   */
  record Mark(int trials, double cpuMs, double residentMb, double perSecond) {}

  /**
   * The cost of a request to the server, in milliseconds of processor time.
   *
   * @param first of the first requests of its kind
   * @param later after thousands
   */
  record Look(double first, double later) {}

  /**
   * Runs it and prints the table.
   *
   * @param chart where to draw the marks, as SVG; null for nowhere
   * @return the keys of each JSON line
   */
  public List<Map<String, Object>> run(@Nullable Path chart)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path home = scratch.path().resolve("home");
      List<Mark> marks = new ArrayList<>();
      Map<String, Look> looks;
      try (ServerProcess server = ServerProcess.start(home)) {
        warmUp(server, scratch.path());
        String id = measure(server, scratch.path(), marks);
        looks = looks(server, id);
      }
      double startMs = startAgain(home);
      if (chart != null) {
        Files.writeString(chart, new ScaleChart(marks).svg());
      }
      return report(marks, looks, startMs);
    }
  }

  /** Milliseconds from the start of a server on this home until it is ready. */
  private static double startAgain(Path home) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    try (ServerProcess server = ServerProcess.start(home)) {
      server.text("/health/ready");
      return (System.nanoTime() - begin) / 1e6;
    }
  }

  private void warmUp(ServerProcess server, Path place) throws IOException, InterruptedException {
    String id = create(server, place, WARM_UP, Math.min(parallel, 1_000));
    server.awaitStatus(id, PATIENCE, "DONE", "ERROR");
  }

  private String measure(ServerProcess server, Path place, List<Mark> marks)
      throws IOException, InterruptedException {
    List<String> ids = new ArrayList<>();
    long since = System.nanoTime();
    Duration cpu = server.processorTime();
    for (int i = 0; i < experiments; i++) {
      ids.add(create(server, place, trials / experiments, parallel / experiments));
    }
    int total = trials / experiments * experiments;
    int before = 0;
    int next = Math.min(1_000, total);
    while (before < total) {
      // Looking costs the server time as well.
      Thread.sleep(200);
      int over = over(server, ids);
      if (over >= next) {
        Duration cpuNow = server.processorTime();
        long now = System.nanoTime();
        Mark mark =
            new Mark(
                over,
                cpuNow.minus(cpu).toNanos() / 1e6 / (over - before),
                Resident.megabytes(server.pid()),
                (over - before) * 1e9 / (now - since));
        marks.add(mark);
        System.out.printf(
            Locale.ROOT,
            "%,11d trials: %.3f ms each, %.0f MB, %.0f a second%n",
            mark.trials(),
            mark.cpuMs(),
            mark.residentMb(),
            mark.perSecond());
        before = over;
        cpu = cpuNow;
        since = now;
        next = Math.min(total, next(over));
      }
    }
    for (String id : ids) {
      server.awaitStatus(id, Duration.ofMinutes(2), "DONE", "ERROR");
    }
    return ids.getFirst();
  }

  /** 1, 2 and 5 times the powers of ten. */
  private static int next(int over) {
    long power = (long) Math.pow(10, Math.floor(Math.log10(over)));
    for (long factor : new long[] {2, 5, 10}) {
      // A mark that is nearly there says nothing new.
      if (factor * power > over * 1.5) {
        return (int) (factor * power);
      }
    }
    return (int) (20 * power);
  }

  private int over(ServerProcess server, List<String> ids)
      throws IOException, InterruptedException {
    int over = 0;
    for (String id : ids) {
      JsonNode experiment = server.get("/experiments/" + id);
      if (experiment.get("status").textValue().equals("ERROR")) {
        throw new IOException("the experiment failed: " + experiment);
      }
      over += experiment.get("trialCounts").path("SUCCEEDED").asInt();
    }
    return over;
  }

  private static String create(ServerProcess server, Path place, int count, int slots)
      throws IOException, InterruptedException {
    String config =
        """
        experimentName: scale
        trialCommand: nothing is run
        trialCodeDirectory: %s
        trialConcurrency: %d
        maxTrialNumber: %d
        searchSpace:
          lr: {_type: loguniform, _value: [0.0001, 0.1]}
          momentum: {_type: uniform, _value: [0, 1]}
          layers: {_type: choice, _value: [1, 2, 3, 4]}
        tuner: {name: Random, classArgs: {optimize_mode: minimize}}
        trainingService:
          platform: simulated
          objective: (log(lr) + 5) ** 2 / 10 + momentum * layers
          duration: uniform(1s, 5s)
          reports: 10
          speed: 20
        """
            .formatted(place, slots, count);
    return server.post("/experiments", config).get("id").textValue();
  }

  private static Map<String, Look> looks(ServerProcess server, String id)
      throws IOException, InterruptedException {
    String api = "/api/v1/experiments/" + id;
    List<String> newest = new ArrayList<>();
    server
        .get("/experiments/" + id + "/trials?sort=-sequenceId&limit=100")
        .get("items")
        .forEach(trial -> newest.add(trial.get("id").textValue()));
    Map<String, Look> looks = new LinkedHashMap<>();
    looks.put("list", look(server, api + "/trials?sort=-sequenceId&limit=100"));
    looks.put("best", look(server, api + "/trials?sort=-metric&limit=100"));
    looks.put(
        "latestMetrics",
        look(server, api + "/metrics?maxPoints=2&trials=" + String.join(",", newest)));
    looks.put("statistics", look(server, "/experiments/" + id + "/api/v1/nni/job-statistics"));
    looks.put("experiment", look(server, api));
    return looks;
  }

  private static Look look(ServerProcess server, String path)
      throws IOException, InterruptedException {
    double first = ask(server, path, LOOKS);
    ask(server, path, WARM_LOOKS);
    return new Look(first, ask(server, path, LOOKS));
  }

  private static double ask(ServerProcess server, String path, int times)
      throws IOException, InterruptedException {
    Duration before = server.processorTime();
    for (int i = 0; i < times; i++) {
      server.text(path);
    }
    return server.processorTime().minus(before).toNanos() / 1e6 / times;
  }

  private List<Map<String, Object>> report(
      List<Mark> marks, Map<String, Look> looks, double startMs) {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Mark mark : marks) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("trials", mark.trials());
      line.put("parallel", parallel);
      line.put("experiments", experiments);
      line.put("cpuMsPerTrial", round(mark.cpuMs()));
      line.put("rssMb", round(mark.residentMb()));
      line.put("trialsPerSecond", round(mark.perSecond()));
      lines.add(line);
    }
    Map<String, Object> last = lines.getLast();
    looks.forEach((what, look) -> {
      last.put(what + "CpuMs", round(look.later()));
      last.put(what + "FirstCpuMs", round(look.first()));
    });
    last.put("startMs", round(startMs));
    System.out.println(table(marks, looks, startMs));
    return lines;
  }

  private ResultTable table(List<Mark> marks, Map<String, Look> looks, double startMs) {
    Mark last = marks.getLast();
    // NNI 3.0, hand-written trials, measured on a quiet machine of the same kind.
    ResultTable table =
        new ResultTable("", "Orrery", "NNI 3.0", "goal")
            .row(
                "processor time per life, ms, the last of " + grouped(last.trials()),
                text(last.cpuMs()),
                "6-10",
                "0.5")
            .row("resident, MB", text(last.residentMb()), "400 at 10,000", "1,024");
    looks.forEach((what, look) ->
        table.row(
            what + ", processor time, ms; of the first " + LOOKS,
            text(look.later()) + "; " + text(look.first()),
            "",
            "2"));
    return table.row("start with all of them, ms", text(startMs), "", "5,000");
  }

  private static String grouped(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String text(double value) {
    return String.valueOf(round(value));
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3f", value));
  }
}
