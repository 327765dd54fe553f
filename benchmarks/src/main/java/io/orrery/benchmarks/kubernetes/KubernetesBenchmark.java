package io.orrery.benchmarks.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.Resident;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.benchmarks.report.ThreadTimes;
import io.orrery.journeys.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures plain Jobs of a mock cluster that is a process of its own. First jobs that run and end
 * at once: how many a second are submitted, and the processor time of the server from a job's
 * suggestion to its settled trial, while the server is new and when its code is compiled. Then as
 * many as asked for that run at the same time: what one more takes of the heap, how many watches
 * there are, and what it costs to do nothing but watch.
 *
 * <p>No keepers run, so what keepers ask is not in these figures; an end that no keeper has told
 * costs the server one request more.
 */
public final class KubernetesBenchmark {
  private static final int SLOTS = 100;

  /** Whose cost is told apart: those of a server that has just started. */
  private static final int FIRST = 1_000;

  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final int QUIET_SECONDS = 10;
  private static final Pattern USED =
      Pattern.compile("(?:total reserved|total) \\d+K.*used (\\d+)K");

  private final int warmUp;
  private final int jobs;
  private final int parallel;

  /**
   * @param warmUp jobs before it counts
   * @param jobs that run and end at once
   * @param parallel that run at the same time
   */
  public KubernetesBenchmark(int warmUp, int jobs, int parallel) {
    this.warmUp = warmUp;
    this.jobs = jobs;
    this.parallel = parallel;
  }

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path place = scratch.path();
      Path kubeconfig = place.resolve("kubeconfig");
      Path code = Files.createDirectories(place.resolve("code"));
      Files.writeString(code.resolve("trial.sh"), "true\n");
      try (Cluster cluster = new Cluster(kubeconfig);
          ServerProcess server = ServerProcess.start(place.resolve("home"))) {
        Map<String, Object> result = new LinkedHashMap<>();
        int first = Math.min(FIRST, warmUp);
        result.put("firstJobs", first);
        result.put("cpuMsPerFirstJob", round(cpu(server, code, kubeconfig, first).sum()));
        cpu(server, code, kubeconfig, warmUp - first);
        throughput(server, cluster, code, kubeconfig, result);
        standing(server, cluster, experiment(code, kubeconfig, parallel, parallel), result);
        System.out.println(table(result));
        return result;
      }
    }
  }

  /** Processor time for each of so many jobs that run and end at once, until all are over. */
  private static ThreadTimes cpu(ServerProcess server, Path code, Path kubeconfig, int count)
      throws IOException, InterruptedException {
    ThreadTimes before = ThreadTimes.of(server.pid());
    if (count > 0) {
      String config = experiment(code, kubeconfig, count, SLOTS);
      String id = server.post("/experiments", config).get("id").textValue();
      JsonNode ended = server.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
      if (ended.at("/trialCounts/SUCCEEDED").asInt() != count) {
        throw new IOException("not all succeeded: " + ended);
      }
    }
    return ThreadTimes.of(server.pid()).since(before, Math.max(1, count));
  }

  private void throughput(
      ServerProcess server, Cluster cluster, Path code, Path kubeconfig, Map<String, Object> result)
      throws IOException, InterruptedException {
    int requests = cluster.ask("requests");
    long begin = System.nanoTime();
    ThreadTimes each = cpu(server, code, kubeconfig, jobs);
    double seconds = (System.nanoTime() - begin) / 1e9;
    result.put("warmUp", warmUp);
    result.put("jobs", jobs);
    result.put("jobsPerSecond", round(jobs / seconds));
    result.put("cpuMsPerJob", round(each.sum()));
    result.put("compilersMsPerJob", round(each.compilers()));
    result.put("collectorMsPerJob", round(each.collector()));
    result.put("requestsPerJob", round((cluster.ask("requests") - requests) / (double) jobs));
  }

  private void standing(
      ServerProcess server, Cluster cluster, String config, Map<String, Object> result)
      throws IOException, InterruptedException {
    cluster.tell("hold");
    int ran = cluster.ask("running");
    double heap = heapKilobytes(server);
    long begin = System.nanoTime();
    String id = server.post("/experiments", config).get("id").textValue();
    int first = parallel / 5;
    awaitRunning(server, id, cluster, ran, first);
    double heapFirst = heapKilobytes(server);
    awaitRunning(server, id, cluster, ran, parallel);
    double seconds = (System.nanoTime() - begin) / 1e9;
    double heapAll = heapKilobytes(server);
    Duration before = server.processorTime();
    Thread.sleep(QUIET_SECONDS * 1_000L);
    double quiet =
        server.processorTime().minus(before).toNanos() / 1e7 / QUIET_SECONDS; // percent of a core
    double heapLater = heapKilobytes(server);
    result.put("running", parallel);
    result.put("startedPerSecond", round(parallel / seconds));
    result.put("heapKbPerRunningFirst", round((heapFirst - heap) / first));
    result.put("heapKbPerRunning", round((heapAll - heap) / parallel));
    result.put("heapKbPerRunningLater", round((heapLater - heap) / parallel));
    result.put("residentMb", round(Resident.megabytes(server.pid())));
    result.put("idlePercentOfCore", round(quiet));
    result.put("watches", cluster.ask("watches"));
    cluster.tell("release");
    server.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
    result.put("heapKbPerJobAfterwards", round((heapKilobytes(server) - heap) / parallel));
  }

  private static void awaitRunning(
      ServerProcess server, String id, Cluster cluster, int before, int wanted)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (cluster.ask("running") - before < wanted
        || server.get("/experiments/" + id).at("/trialCounts/RUNNING").asInt() < wanted) {
      if (System.nanoTime() > end) {
        throw new IOException("not all run: " + server.get("/experiments/" + id));
      }
      Thread.sleep(100);
    }
  }

  /** Used after a full collection. */
  private static double heapKilobytes(ServerProcess server)
      throws IOException, InterruptedException {
    jcmd(server, "GC.run");
    Matcher used = USED.matcher(jcmd(server, "GC.heap_info"));
    double sum = 0;
    boolean any = false;
    while (used.find()) {
      sum += Double.parseDouble(used.group(1));
      any = true;
    }
    if (!any) {
      throw new IOException("the heap's size is not told: " + jcmd(server, "GC.heap_info"));
    }
    return sum;
  }

  private static String jcmd(ServerProcess server, String order)
      throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(server.pid()), order)
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  private static String experiment(Path code, Path kubeconfig, int count, int slots) {
    return """
    experimentName: jobs
    trialCommand: bash trial.sh
    trialCodeDirectory: %s
    trialConcurrency: %d
    maxTrialNumber: %d
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService:
      platform: kubernetes
      kubeconfig: %s
      dockerImage: python:3
      cpuNumber: 1
      memorySize: 1gb
    """
        .formatted(code, slots, count, kubeconfig);
  }

  private static ResultTable table(Map<String, Object> result) {
    return new ResultTable("", "Orrery", "goal")
        .row("jobs submitted a second", text(result, "jobsPerSecond"), "")
        .row("server processor time per job, ms", text(result, "cpuMsPerJob"), "1")
        .row("of these its compilers", text(result, "compilersMsPerJob"), "")
        .row("of these its collector", text(result, "collectorMsPerJob"), "")
        .row("of the first " + text(result, "firstJobs"), text(result, "cpuMsPerFirstJob"), "")
        .row("requests per job", text(result, "requestsPerJob"), "")
        .row("running at once", text(result, "running"), "5000")
        .row("watches", text(result, "watches"), "2")
        .row("heap per running job, KB, the first fifth", text(result, "heapKbPerRunningFirst"), "")
        .row("heap per running job, KB, all", text(result, "heapKbPerRunning"), "")
        .row("the same 10 s later", text(result, "heapKbPerRunningLater"), "no more")
        .row("heap per job when all are over, KB", text(result, "heapKbPerJobAfterwards"), "")
        .row("resident with all of them, MB", text(result, "residentMb"), "")
        .row("while they only run, % of a core", text(result, "idlePercentOfCore"), "");
  }

  private static String text(Map<String, Object> result, String key) {
    return String.valueOf(result.get(key));
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.2f", value));
  }

  /** The other process. */
  private static final class Cluster implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;

    Cluster(Path kubeconfig) throws IOException {
      process =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-cp",
                      System.getProperty("java.class.path"),
                      ClusterProgram.class.getName(),
                      kubeconfig.toString()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      answers = process.inputReader(StandardCharsets.UTF_8);
      orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
      if (answers.readLine() == null) {
        throw new IOException("the cluster did not start");
      }
    }

    String tell(String order) throws IOException {
      orders.println(order);
      String answer = answers.readLine();
      if (answer == null) {
        throw new IOException("the cluster is gone");
      }
      return answer;
    }

    int ask(String what) throws IOException {
      return Integer.parseInt(tell(what));
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }
}
