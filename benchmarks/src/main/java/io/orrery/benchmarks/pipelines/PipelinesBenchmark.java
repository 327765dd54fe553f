package io.orrery.benchmarks.pipelines;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A run of local or simulated steps that do nothing: everything that is left is the server's own.
 * Measured after a run to warm up. A step that did not run once counts as lost.
 */
public final class PipelinesBenchmark {
  private static final int WARM_UP = 500;

  /** A task has at most so many values; more steps are several tasks side by side. */
  private static final int MOST_EACH = 1_000;

  /** How much faster than described simulated steps are: each takes a hundredth of a second. */
  private static final int SPEED = 100;

  private final int steps;
  private final int wide;
  private final boolean simulated;

  /**
   * @param wide how many run at once
   * @param simulated whether they are on the simulated training service; else they are processes
   */
  public PipelinesBenchmark(int steps, int wide, boolean simulated) {
    this.steps = steps;
    this.wide = wide;
    this.simulated = simulated;
  }

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create();
        ServerProcess server = ServerProcess.start(scratch.path().resolve("home"))) {
      run(server, "warm", Math.min(WARM_UP, steps));
      Duration before = server.processorTime();
      long start = System.nanoTime();
      JsonNode run = run(server, "measured", steps);
      double seconds = (System.nanoTime() - start) / 1e9;
      double cpu = server.processorTime().minus(before).toNanos() / 1e6 / steps;
      int ok = 0;
      for (JsonNode step : run.path("steps")) {
        boolean once =
            step.path("status").asText().equals("SUCCEEDED") && step.path("attempt").asInt() == 1;
        ok += once ? 1 : 0;
      }
      int lost = steps - ok;
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("steps", steps);
      line.put("wide", wide);
      line.put("simulated", simulated);
      line.put("cpuMsPerStep", cpu);
      line.put("stepsPerSecond", steps / seconds);
      line.put("lost", lost);
      System.out.println(
          new ResultTable("steps", "at once", "server ms per step", "steps per s", "lost")
              .row(
                  Integer.toString(steps),
                  Integer.toString(wide),
                  String.format(Locale.ROOT, "%.2f", cpu),
                  String.format(Locale.ROOT, "%.0f", steps / seconds),
                  Integer.toString(lost)));
      return line;
    }
  }

  private JsonNode run(ServerProcess server, String name, int count)
      throws IOException, InterruptedException {
    StringBuilder document = new StringBuilder("name: " + name + "\nparallelism: " + wide);
    document.append("\ntasks:\n");
    String where =
        simulated
            ? ", trainingService: {platform: simulated, duration: 1s, speed: %d}".formatted(SPEED)
            : "";
    for (int from = 0; from < count; from += MOST_EACH) {
      int to = Math.min(count, from + MOST_EACH);
      document.append(
          "  - {name: t%d, command: [\"true\"], each: {n: %s}%s}\n"
              .formatted(from, IntStream.range(from, to).boxed().toList(), where));
    }
    HttpResponse<String> stored =
        server.send("PUT", "/pipelines/" + name, BodyPublishers.ofString(document.toString()));
    if (stored.statusCode() >= 300) {
      throw new IOException(stored.body());
    }
    String id = server.post("/pipelines/" + name + "/run", "{}").get("id").textValue();
    while (true) {
      JsonNode found = server.get("/runs?pipeline=" + name).path("items").path(0);
      if (!found.path("endedAt").isNull()) {
        return server.get("/runs/" + id);
      }
      Thread.sleep(200);
    }
  }
}
