package io.orrery.benchmarks.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.orchestrator.platform.kubernetes.MockCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The cluster as a process of its own, so that what it takes is not the server's: a mock API server
 * and a controller that makes every job run, and end well, at once or when it is told to, and takes
 * away those that ended some time ago, as a cluster does when their time is over. It is told on its
 * standard input, one word a line, and answers each with a line.
 */
final class ClusterProgram {
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs/";
  private static final String PODS = "/api/v1/namespaces/trials/pods/";
  private static final int THREADS = 8;

  /** How many that have ended are kept: the mock looks at every object for each request. */
  private static final int KEPT = 100;

  private final MockCluster cluster;
  private final ExecutorService controller = Executors.newFixedThreadPool(THREADS);
  private final Queue<String> held = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean hold;

  private ClusterProgram(MockCluster cluster) {
    this.cluster = cluster;
    cluster.onJob(job ->
        controller.execute(() -> {
          String name = job.at("/metadata/name").asText();
          run(name);
          running.incrementAndGet();
          if (hold) {
            held.add(name);
          } else {
            end(name);
          }
        }));
  }

  /**
   * @param arguments a directory, and the file for the kubeconfig
   */
  public static void main(String[] arguments) throws IOException {
    try (MockCluster cluster = new MockCluster(Path.of(arguments[0]), false);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      ClusterProgram program = new ClusterProgram(cluster);
      System.out.println(cluster.kubeconfig(Path.of(arguments[1])));
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        System.out.println(program.obey(order));
      }
      program.controller.shutdownNow();
    }
  }

  private String obey(String order) {
    switch (order) {
      case "hold" -> hold = true;
      case "release" -> {
        hold = false;
        for (String name = held.poll(); name != null; name = held.poll()) {
          String each = name;
          controller.execute(() -> end(each));
        }
      }
      case "running" -> {
        return Integer.toString(running.get());
      }
      case "watches" -> {
        return Long.toString(
            cluster.requests().stream().filter(each -> each.contains("watch=true")).count());
      }
      case "requests" -> {
        return Integer.toString(cluster.requests().size());
      }
      default -> {
        return "unknown";
      }
    }
    return "done";
  }

  private void run(String name) {
    cluster.setStatus(
        PODS + pod(name),
        status(
            """
            {"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":
              [{"name":"main","ready":true,"state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}}}]}
            """));
    cluster.setStatus(
        JOBS + name, status("{\"active\":1,\"ready\":1,\"startTime\":\"2026-01-01T00:00:00Z\"}"));
  }

  private void end(String name) {
    cluster.setStatus(
        PODS + pod(name),
        status(
            """
            {"phase":"Succeeded","containerStatuses":[{"name":"main","state":{"terminated":
              {"exitCode":0,"reason":"Completed","startedAt":"2026-01-01T00:00:00Z"}}}]}
            """));
    cluster.setStatus(
        JOBS + name,
        status("{\"succeeded\":1,\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]}"));
    ended.add(name);
    String oldest = ended.size() > KEPT ? ended.poll() : null;
    if (oldest != null) {
      cluster.delete(JOBS + oldest);
    }
  }

  private static String pod(String job) {
    return job + MockCluster.POD_SUFFIX;
  }

  private static JsonNode status(String text) {
    return Json.parse(text);
  }
}
