package io.orrery.benchmarks.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.WaitingTrials;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A mixed load: experiments that begin, end and are deleted; runs of a pipeline; clients of a
 * service that is replaced now and then; trials that report; pages and streams of events that are
 * opened and left. Each part counts what it did and notes what was lost.
 */
final class SoakLoad implements AutoCloseable {
  private static final int TRIALS = 10;
  private static final int POINTS = 5;
  private static final int STEPS = 3;
  private static final int BATCH = 50;
  private static final int KEPT_EXPERIMENTS = 3;
  private static final long BETWEEN_CHANGES_MS = 20_000;
  private static final long PAUSE_MS = 20;

  private static final String PROGRAM =
      """
      import http.server, os
      class Answer(http.server.BaseHTTPRequestHandler):
          protocol_version = 'HTTP/1.1'
          def do_GET(self):
              body = os.environ['ROUND'].encode()
              self.send_response(200)
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)
          def log_message(self, *args): pass
      http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Answer).serve_forever()
      """;

  private static final String REQUEST =
      "GET / HTTP/1.1\r\nHost: soak.service.orrery.localhost\r\nConnection: close\r\n\r\n";

  private final ServerProcess server;
  private final Path folder;
  private final int routerPort;
  private final Map<String, AtomicLong> done = new LinkedHashMap<>();
  private final ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile boolean over;

  /** A piece of work that is done again and again. */
  private interface Part {
    void once() throws Exception;
  }

  SoakLoad(ServerProcess server, Path folder, int routerPort) {
    this.server = server;
    this.folder = folder;
    this.routerPort = routerPort;
  }

  /** Begins, once each part has been able to do its work. */
  void start() throws Exception {
    Path code = Files.createDirectories(folder.resolve("service"));
    Files.writeString(code.resolve("serve.py"), PROGRAM);
    Path trials = Files.createDirectories(folder.resolve("trials"));
    Files.writeString(
        trials.resolve("trial.sh"),
        "for i in $(seq %d); do echo \"orrery: intermediate $i\"; done; echo 'orrery: final 1'\n"
            .formatted(POINTS));
    put("/pipelines/soak", pipeline());
    deploy(code, 0);
    while (!ask()) {
      Thread.sleep(200);
    }
    String reporter = WaitingTrials.start(server, folder.resolve("waiting"), 1).getFirst();
    List<String> experiments = new ArrayList<>();
    long[] round = {0};
    AtomicLong sequence = new AtomicLong();
    run("trials", () -> experiment(trials, experiments));
    run("steps", this::pipelineRun);
    for (int i = 0; i < 2; i++) {
      run(
          "inferences",
          () -> {
            if (!ask()) {
              lost.add("an inference was not answered");
            }
            done("inferences", 1);
            Thread.sleep(PAUSE_MS);
          });
    }
    run("points", () -> report(reporter, sequence));
    run("pages", this::look);
    run(
        "deployments",
        () -> {
          deploy(code, ++round[0]);
          done("deployments", 1);
          for (long waited = 0; waited < BETWEEN_CHANGES_MS && !over; waited += 200) {
            Thread.sleep(200);
          }
        });
  }

  private void run(String name, Part part) {
    done.putIfAbsent(name, new AtomicLong());
    threads.add(
        Thread.ofPlatform()
            .name("soak-" + name)
            .start(() -> {
              while (!over) {
                try {
                  part.once();
                } catch (InterruptedException e) {
                  return;
                } catch (Exception e) { // whatever a part may not do is a loss
                  lost.add(name + ": " + e);
                }
              }
            }));
  }

  private void done(String name, long count) {
    AtomicLong counter = done.get(name);
    if (counter != null) {
      counter.addAndGet(count);
    }
  }

  private static String pipeline() {
    return """
    name: soak
    tasks:
      - {name: first, command: "echo one > $ORRERY_OUTPUTS/o", outputs: {o: {path: o}}}
      - name: second
        command: "cat $ORRERY_INPUTS/i > $ORRERY_OUTPUTS/o"
        inputs: {i: "{{tasks.first.outputs.o}}"}
        outputs: {o: {path: o}}
      - {name: third, command: ["true"], after: [second]}
    """;
  }

  private void put(String path, String document) throws IOException, InterruptedException {
    HttpResponse<String> stored = server.send("PUT", path, BodyPublishers.ofString(document));
    if (stored.statusCode() >= 300) {
      throw new IOException(path + ": " + stored.body());
    }
  }

  private void deploy(Path code, long round) throws IOException, InterruptedException {
    put(
        "/services/soak",
        """
        {"name": "soak", "ports": [8080], "grace": "2s", "env": {"ROUND": "%d"}, "code": "%s",
         "command": "exec python3 serve.py"}
        """
            .formatted(round, code));
  }

  private boolean ask() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), routerPort)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false;
    }
  }

  /** An experiment from its start to its end; those of long ago are deleted. */
  private void experiment(Path code, List<String> all) throws IOException, InterruptedException {
    String id =
        server
            .post(
                "/experiments",
                """
                trialCommand: bash trial.sh
                trialCodeDirectory: %s
                trialConcurrency: 2
                maxTrialNumber: %d
                searchSpace: {x: {_type: uniform, _value: [0, 1]}}
                tuner: {name: Random}
                trainingService: {platform: local}
                """
                    .formatted(code, TRIALS))
            .get("id")
            .textValue();
    JsonNode ended = server.awaitStatus(id, Duration.ofMinutes(3), "DONE", "FAILED", "ERROR");
    List<JsonNode> trials = server.trials(id);
    if (!ended.path("status").asText().equals("DONE") || trials.size() != TRIALS) {
      lost.add("experiment " + id + " is " + ended.path("status") + " with " + trials.size());
    }
    for (JsonNode trial : trials) {
      String name = id + "/" + trial.path("id").asText();
      long points = WaitingTrials.points(server, name);
      if (!trial.path("status").asText().equals("SUCCEEDED") || points != POINTS) {
        lost.add("trial " + name + " is " + trial.path("status") + " with " + points + " points");
      }
    }
    done("trials", trials.size());
    all.add(id);
    if (all.size() > KEPT_EXPERIMENTS) {
      server.send("DELETE", "/experiments/" + all.removeFirst(), BodyPublishers.noBody());
    }
  }

  private void pipelineRun() throws IOException, InterruptedException {
    String id = server.post("/pipelines/soak/run", "{}").get("id").textValue();
    JsonNode run = server.get("/runs/" + id);
    while (run.path("endedAt").isNull()) {
      Thread.sleep(100);
      run = server.get("/runs/" + id);
    }
    for (JsonNode step : run.path("steps")) {
      if (!step.path("status").asText().equals("SUCCEEDED") || step.path("attempt").asInt() > 1) {
        lost.add("run " + id + ": " + step);
      }
    }
    if (run.path("steps").size() != STEPS) {
      lost.add("run " + id + " has " + run.path("steps").size() + " steps");
    }
    done("steps", run.path("steps").size());
  }

  private void report(String trial, AtomicLong sequence) throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < BATCH; i++) {
      lines.append(WaitingTrials.line(trial, "soak", sequence.getAndIncrement())).append('\n');
    }
    HttpResponse<String> taken =
        server.send("POST", "/metrics", BodyPublishers.ofString(lines.toString()));
    if (taken.statusCode() != 200) {
      lost.add("a batch of points: " + taken.statusCode() + " " + taken.body());
    }
    done("points", BATCH);
    if (sequence.get() % (20 * BATCH) == 0) {
      long kept = WaitingTrials.points(server, trial);
      if (kept != sequence.get()) {
        lost.add("of " + sequence.get() + " points there are " + kept);
      }
    }
    Thread.sleep(PAUSE_MS);
  }

  /** Asks as a page does, and leaves a stream of events. */
  private void look() throws Exception {
    for (String path :
        List.of("/experiments", "/runs", "/services", "/workloads", "/routes", "/overview")) {
      server.send("GET", path, BodyPublishers.noBody());
    }
    HttpResponse<InputStream> stream =
        client.send(
            HttpRequest.newBuilder(server.url().resolve("/api/v1/routes/events")).build(),
            BodyHandlers.ofInputStream());
    try (InputStream events = stream.body()) {
      events.read();
    }
    done("pages", 1);
    Thread.sleep(PAUSE_MS);
  }

  /** How much each part did. */
  Map<String, AtomicLong> done() {
    return done;
  }

  /** The losses, each a sentence; empty when there are none. */
  List<String> lost() {
    return List.copyOf(lost);
  }

  /** Lets each part finish what it is at. */
  @Override
  public void close() {
    over = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
      server.send("DELETE", "/services/soak", BodyPublishers.noBody());
      while (!server.get("/workloads").get("items").isEmpty()) {
        Thread.sleep(200);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      lost.add("the service could not be ended: " + e);
    }
    client.close();
  }
}
