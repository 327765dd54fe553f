package io.orrery.benchmarks.trials;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.report.ThreadTimes;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures shell trials that write one final result by the file protocol and end, at once or after
 * a while: everything that is left is the server's own. Measured after as many trials to warm up as
 * a server sees in a minute.
 *
 * <p>Each trial notes when it began and when it ended. A slot falls free when a trial ends; with C
 * slots, the k-th end is answered by the (k + C)-th start, and the time between the two is the
 * turnaround, the start of shell and wrapper included.
 */
public final class TrialsBenchmark {
  private static final int MACHINES = 8;

  /** Writes one record of the metrics file protocol, and two time stamps in microseconds. */
  private static final String TRIAL =
      """
      printf '%s' "$EPOCHREALTIME" > "@MARKS@/$NNI_TRIAL_JOB_ID.began"
      @WORK@
      id="${NNI_TRIAL_JOB_ID}"
      record="{\\"parameter_id\\": null, \\"trial_job_id\\": \\"$id\\", \\"type\\": \\"FINAL\\", \\"sequence\\": 0, \\"value\\": \\"0.5\\"}"
      printf 'ME%06d%s\\n' "$((${#record} + 1))" "$record" >> "$NNI_SYS_DIR/.nni/metrics"
      printf '%s' "$EPOCHREALTIME" > "@MARKS@/$NNI_TRIAL_JOB_ID.ended"
      """;

  private final int trials;
  private final int concurrency;
  private final boolean remote;
  private final boolean reuse;
  private final Duration work;

  /**
   * @param remote whether they run on eight machines that are reached by SSH, else on this one
   * @param reuse whether processes of these machines serve one trial after another
   * @param work for which a trial waits before its result. With none, and more slots than cores,
   *     the cores are full of trials that start, and a turn is mostly waiting for one
   */
  public TrialsBenchmark(
      int trials, int concurrency, boolean remote, boolean reuse, Duration work) {
    this.trials = trials;
    this.concurrency = concurrency;
    this.remote = remote;
    this.reuse = reuse;
    this.work = work;
  }

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      return run(scratch.path());
    }
  }

  private Map<String, Object> run(Path scratch) throws IOException, InterruptedException {
    Path code = Files.createDirectories(scratch.resolve("code"));
    Path marks = Files.createDirectories(scratch.resolve("marks"));
    Files.writeString(
        code.resolve("trial.sh"),
        TRIAL
            .replace("@MARKS@", marks.toString())
            .replace("@WORK@", work.isZero() ? ":" : "sleep " + work.toMillis() / 1e3));
    try (TrialPlace place =
            remote ? TrialPlace.remote(scratch, MACHINES, reuse) : TrialPlace.local();
        ServerProcess server = ServerProcess.start(scratch.resolve("home"))) {
      // A trial elsewhere is slower, and so is warming up with it.
      experiment(server, code, place, remote ? 100 : 500);
      ThreadTimes threads = ThreadTimes.of(server.pid());
      Duration before = server.processorTime();
      Run run = experiment(server, code, place, trials);
      double cpu = server.processorTime().minus(before).toNanos() / 1e6 / trials;
      return report(server, run, marks, cpu, ThreadTimes.of(server.pid()).since(threads, trials));
    }
  }

  private record Run(String id, double firstRunningMs, double seconds) {}

  private Run experiment(ServerProcess server, Path code, TrialPlace place, int count)
      throws IOException, InterruptedException {
    String config =
        """
        experimentName: benchmark
        trialCommand: bash trial.sh
        trialCodeDirectory: %s
        trialConcurrency: %d
        maxTrialNumber: %d
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random, classArgs: {optimize_mode: maximize}}
        trainingService: %s
        """
            .formatted(code, concurrency, count, place.trainingService());
    long start = System.nanoTime();
    String id = server.post("/experiments", config).get("id").textValue();
    double firstRunning = -1;
    while (true) {
      JsonNode experiment = server.get("/experiments/" + id);
      JsonNode counts = experiment.get("trialCounts");
      if (firstRunning < 0 && (counts.has("RUNNING") || counts.has("SUCCEEDED"))) {
        firstRunning = (System.nanoTime() - start) / 1e6;
      }
      String status = experiment.get("status").textValue();
      if (status.equals("DONE") || status.equals("FAILED") || status.equals("ERROR")) {
        return new Run(id, firstRunning, (System.nanoTime() - start) / 1e9);
      }
      // Looking costs the server time as well: seldom once the first trial runs.
      Thread.sleep(firstRunning < 0 ? 5 : 500);
    }
  }

  private Map<String, Object> report(
      ServerProcess server, Run run, Path marks, double cpu, ThreadTimes threads)
      throws IOException, InterruptedException {
    List<JsonNode> all = server.trials(run.id());
    Set<Long> sequences = new HashSet<>();
    double[] began = new double[all.size()];
    double[] ended = new double[all.size()];
    int lost = trials - all.size();
    int duplicated = 0;
    for (int i = 0; i < all.size(); i++) {
      JsonNode trial = all.get(i);
      lost += trial.get("metric").asDouble() == 0.5 ? 0 : 1;
      duplicated += sequences.add(trial.get("sequenceId").longValue()) ? 0 : 1;
      String id = trial.get("id").textValue();
      began[i] = at(marks.resolve(id + ".began"));
      ended[i] = at(marks.resolve(id + ".ended"));
    }
    Quantiles turnaround = turnaround(began, ended);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("platform", remote ? "remote" : "local");
    result.put("reuse", reuse);
    result.put("trials", trials);
    result.put("concurrency", concurrency);
    result.put("workMs", work.toMillis());
    result.put("cpuMsPerTrial", round(cpu));
    result.put("compilersMsPerTrial", round(threads.compilers()));
    result.put("collectorMsPerTrial", round(threads.collector()));
    result.put("turnaroundP50Ms", round(turnaround.at(0.5)));
    result.put("turnaroundP99Ms", round(turnaround.at(0.99)));
    result.put("firstRunningMs", round(run.firstRunningMs()));
    result.put("trialsPerSecond", round(trials / run.seconds()));
    result.put("lost", lost);
    result.put("duplicated", duplicated);
    System.out.println(table(result));
    return result;
  }

  private static double at(Path mark) throws IOException {
    return Double.parseDouble(Files.readString(mark).replace(',', '.'));
  }

  private Quantiles turnaround(double[] began, double[] ended) {
    Arrays.sort(began);
    Arrays.sort(ended);
    double[] waits = new double[began.length - concurrency];
    for (int k = 0; k < waits.length; k++) {
      waits[k] = (began[k + concurrency] - ended[k]) * 1000;
    }
    return new Quantiles(waits);
  }

  private ResultTable table(Map<String, Object> ours) {
    // NNI 3.0 (its last release), 100 hand-written trials at concurrency 8, quiet machine of the
    // same kind: 7.72 to 7.77 trials/s, 1.03 s a slot turn.
    return new ResultTable("", "Orrery", "NNI 3.0", "goal")
        .row("server processor time per trial, ms", text(ours, "cpuMsPerTrial"), "6-10", "2")
        .row(
            "of these compilers, collector",
            text(ours, "compilersMsPerTrial") + ", " + text(ours, "collectorMsPerTrial"),
            "",
            "")
        .row("slot free to next process, p50 ms", text(ours, "turnaroundP50Ms"), "1030", "10")
        .row("slot free to next process, p99 ms", text(ours, "turnaroundP99Ms"), "", "50")
        .row("create to first RUNNING, ms", text(ours, "firstRunningMs"), "2700", "300")
        .row("trials per second", text(ours, "trialsPerSecond"), "7.7", "")
        .row("results lost of " + trials, text(ours, "lost"), "30-51 %", "0")
        .row("trials run twice", text(ours, "duplicated"), "", "0");
  }

  private static String text(Map<String, Object> result, String key) {
    return String.valueOf(result.get(key));
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.2f", value));
  }
}
