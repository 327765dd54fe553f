package io.orrery.benchmarks.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * The cluster as a process of its own, so that what it takes is not the server's: a mock API server
 * and a controller that takes every job through what a real one tells of it, lets it end well at
 * once or when it is told to, and takes away those that ended some time ago, as a cluster does when
 * their time is over. It is told on its standard input, one word a line, and answers each with a
 * line.
 */
final class ClusterProgram {
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";
  private static final String PODS = "/api/v1/namespaces/trials/pods";

  /** How many that have ended are kept. */
  private static final int KEPT = 100;

  /** Milliseconds between two changes of a job: none falls together with another. */
  private static final int PACE = 3;

  private static final String CONDITIONS =
      """
      "qosClass":"Guaranteed","hostIP":"10.0.0.1","startTime":"2026-01-01T00:00:00Z","conditions":[
        {"type":"PodReadyToStartContainers","status":"%1$s","observedGeneration":1,
          "lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},
        {"type":"Initialized","status":"True","observedGeneration":1,
          "lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},
        {"type":"Ready","status":"%1$s","observedGeneration":1,
          "lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},
        {"type":"ContainersReady","status":"%1$s","observedGeneration":1,
          "lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},
        {"type":"PodScheduled","status":"True","observedGeneration":1,
          "lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}]\
      """;

  private final ApiServer api;
  private final Vertx vertx;
  private final Queue<String> held = new ArrayDeque<>();
  private final Queue<String> ended = new ArrayDeque<>();
  private int running;
  private boolean hold;

  private ClusterProgram(Vertx vertx) {
    this.vertx = vertx;
    this.api = new ApiServer(vertx, this::created);
  }

  /**
   * @param arguments the file for the kubeconfig
   */
  public static void main(String[] arguments) throws IOException {
    Vertx vertx = Vertx.vertx();
    Context loop = vertx.getOrCreateContext();
    ClusterProgram program = new ClusterProgram(vertx);
    CompletableFuture<Integer> port = new CompletableFuture<>();
    loop.runOnContext(on ->
        program.api.listen().onSuccess(port::complete).onFailure(port::completeExceptionally));
    System.out.println(kubeconfig(Path.of(arguments[0]), port.join()));
    try (BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        String given = order;
        CompletableFuture<String> answer = new CompletableFuture<>();
        loop.runOnContext(on -> answer.complete(program.obey(given)));
        System.out.println(answer.join());
      }
    }
    vertx.close().await();
  }

  private static Path kubeconfig(Path file, int port) throws IOException {
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: mock
        clusters: [{name: mock, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: me, user: {token: nothing}}]
        contexts: [{name: mock, context: {cluster: mock, user: me, namespace: trials}}]
        """
            .formatted(port));
  }

  private String obey(String order) {
    switch (order) {
      case "hold" -> hold = true;
      case "release" -> {
        hold = false;
        for (String name = held.poll(); name != null; name = held.poll()) {
          end(name);
        }
      }
      case "running" -> {
        return Integer.toString(running);
      }
      case "watches" -> {
        return Integer.toString(api.watches());
      }
      case "requests" -> {
        return Integer.toString(api.requests());
      }
      default -> {
        return "unknown";
      }
    }
    return "done";
  }

  // ---- the life of a job ---------------------------------------------------------------------

  private void created(ObjectNode job) {
    String name = job.at("/metadata/name").asText();
    String scheduled = CONDITIONS.formatted("False");
    String ready = CONDITIONS.formatted("True");
    inTurn(
        List.<Runnable>of(
                () -> pod(job),
                () ->
                    job(name, "{\"active\":1,\"ready\":0,\"startTime\":\"2026-01-01T00:00:00Z\"}"),
                () -> place(name),
                () ->
                    pod(
                        name,
                        "Pending",
                        scheduled,
                        "false",
                        "\"waiting\":{\"reason\":\"ContainerCreating\"}"),
                () ->
                    pod(
                        name,
                        "Running",
                        ready,
                        "true",
                        "\"running\":{\"startedAt\":\"2026-01-01T00:00:00Z\"}"),
                () ->
                    job(name, "{\"active\":1,\"ready\":1,\"startTime\":\"2026-01-01T00:00:00Z\"}"),
                () -> {
                  running++;
                  if (hold) {
                    held.add(name);
                  } else {
                    end(name);
                  }
                })
            .iterator());
  }

  private void end(String name) {
    inTurn(
        List.<Runnable>of(
                () ->
                    pod(
                        name,
                        "Succeeded",
                        CONDITIONS.formatted("False"),
                        "false",
                        """
                        "terminated":{"exitCode":0,"reason":"Completed","containerID":"containerd://01",
                          "startedAt":"2026-01-01T00:00:00Z","finishedAt":"2026-01-01T00:00:01Z"}\
                        """),
                () ->
                    job(
                        name,
                        """
                        {"succeeded":1,"ready":0,"startTime":"2026-01-01T00:00:00Z",
                         "completionTime":"2026-01-01T00:00:01Z","uncountedTerminatedPods":{},
                         "conditions":[{"type":"SuccessCriteriaMet","status":"True",
                           "reason":"CompletionsReached","message":"Reached expected number of succeeded pods"},
                          {"type":"Complete","status":"True","reason":"CompletionsReached",
                           "message":"Reached expected number of succeeded pods"}]}
                        """),
                () -> {
                  ended.add(name);
                  String oldest = ended.size() > KEPT ? ended.poll() : null;
                  if (oldest != null) {
                    api.store().delete(JOBS, oldest);
                  }
                })
            .iterator());
  }

  private void inTurn(Iterator<Runnable> steps) {
    if (steps.hasNext()) {
      vertx.setTimer(
          PACE,
          due -> {
            steps.next().run();
            inTurn(steps);
          });
    }
  }

  private void pod(JsonNode job) {
    String name = job.at("/metadata/name").asText();
    ObjectNode pod = job.at("/spec/template").deepCopy();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.withObjectProperty("metadata")
        .put("name", podName(name))
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", name)
        .put("uid", job.at("/metadata/uid").asText())
        .put("controller", true);
    pod.putObject("status").put("phase", "Pending");
    api.store().create(PODS, pod, "trials");
  }

  private void place(String job) {
    ObjectNode pod = api.store().find(PODS, podName(job));
    if (pod != null) {
      pod.withObjectProperty("spec").put("nodeName", "n1");
      api.store().update(PODS, pod);
    }
  }

  private void pod(String job, String phase, String conditions, String ready, String state) {
    String container =
        """
        "containerStatuses":[{"name":"main","ready":%s,"restartCount":0,"started":false,
          "image":"docker.io/library/python:3","imageID":"docker.io/library/python@sha256:012345",
          "containerID":"containerd://0123456789abcdef0123456789abcdef","lastState":{},
          "state":{%s}}]\
        """
            .formatted(ready, state);
    status(
        PODS, podName(job), "{\"phase\":\"" + phase + "\"," + conditions + "," + container + "}");
  }

  private void job(String name, String status) {
    status(JOBS, name, status);
  }

  private void status(String collection, String name, String status) {
    ObjectNode object = api.store().find(collection, name);
    if (object != null) {
      object.set("status", Json.parse(status));
      api.store().update(collection, object);
    }
  }

  private static String podName(String job) {
    return job + "-x7k2p";
  }
}
