package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** NNI's clients know an experiment by its port. */
@Timeout(120)
class OwnPortIT {
  private static final String CONFIG =
      """
      trialCommand: sleep 1000
      trialCodeDirectory: /tmp
      trialConcurrency: 1
      maxTrialNumber: 3
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir Path directory;

  @Test
  void eachExperimentIsFoundAtItsPortAlsoAfterAKill() throws Exception {
    int first = FreePort.take();
    int second = FreePort.take();
    String one;
    String other;
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      one = server.post("/experiments?port=" + first, CONFIG).get("id").textValue();
      other = server.post("/experiments?port=" + second, CONFIG).get("id").textValue();
      assertThat(experimentAt(first)).isEqualTo(one);
      assertThat(experimentAt(second)).isEqualTo(other);
      assertThat(nni(first, "experiment-metadata").path("port").asInt()).isEqualTo(first);
      server.kill();
    }
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      await()
          .atMost(Duration.ofSeconds(20))
          .ignoreExceptions()
          .until(() -> experimentAt(first).equals(one));
      await()
          .atMost(Duration.ofSeconds(20))
          .ignoreExceptions()
          .until(() -> experimentAt(second).equals(other));
      for (String id : List.of(one, other)) {
        server.post("/experiments/" + id + "/stop", "");
        server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
      }
    }
  }

  @Test
  void aPortThatIsTakenCreatesNothingAndAnEndedExperimentGivesItsPortUp() throws Exception {
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"));
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(status(server, taken.getLocalPort())).isEqualTo(409);
      assertThat(server.get("/experiments").get("items")).isEmpty();

      int port = FreePort.take();
      String id = server.post("/experiments?port=" + port, CONFIG).get("id").textValue();
      assertThat(status(server, port)).isEqualTo(409);
      server.post("/experiments/" + id + "/stop", "");
      server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
      String next = server.post("/experiments?port=" + port, CONFIG).get("id").textValue();
      assertThat(experimentAt(port)).isEqualTo(next);
      server.post("/experiments/" + next + "/stop", "");
      server.awaitStatus(next, Duration.ofSeconds(30), "STOPPED");

      server.send("DELETE", "/experiments/" + next, HttpRequest.BodyPublishers.noBody());
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertThat(free.isBound()).isTrue();
      }
    }
  }

  /** Each of NNI's operations, beside another experiment that is newer. */
  @Test
  void everyOperationAtAPortIsAboutItsExperiment() throws Exception {
    int port = FreePort.take();
    String reporting = CONFIG.replace("sleep 1000", "'echo orrery: final $ORRERY_PARAM_X'");
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      String id =
          server
              .post("/experiments?port=" + port + "&urlPrefix=mine", reporting)
              .get("id")
              .textValue();
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
      String newer = server.post("/experiments", CONFIG).get("id").textValue();
      String trial = server.trials(id).getFirst().get("id").textValue();

      String at = "http://127.0.0.1:" + port + "/api/v1/nni";
      assertThat(text("GET", at + "/version", "", 200)).isEqualTo("3.0.0");
      assertThat(text("GET", at + "/check-status", "", 200)).contains("\"status\":\"DONE\"");
      assertThat(text("GET", at + "/experiment", "", 200)).contains("\"id\":\"" + id + "\"");
      assertThat(text("GET", at + "/job-statistics", "", 200))
          .isEqualTo("[{\"trialJobStatus\":\"SUCCEEDED\",\"trialJobNumber\":3}]");
      assertThat(text("GET", at + "/trial-jobs", "", 200)).contains(trial);
      assertThat(text("GET", at + "/trial-jobs/" + trial, "", 200)).contains(trial);
      assertThat(Json.parse(text("GET", at + "/metric-data", "", 200))).hasSize(3);
      assertThat(Json.parse(text("GET", at + "/metric-data/" + trial, "", 200))).hasSize(1);
      assertThat(Json.parse(text("GET", at + "/metric-data-range/0/1", "", 200))).hasSize(2);
      assertThat(Json.parse(text("GET", at + "/metric-data-latest/", "", 200))).hasSize(3);
      assertThat(Json.parse(text("GET", at + "/export-data", "", 200))).hasSize(3);
      assertThat(text("GET", at + "/trial-file/" + trial + "/stdout", "", 200))
          .startsWith("orrery: final ");
      assertThat(text("GET", at + "/trial-log/" + trial + "/TRIAL_STDOUT", "", 200))
          .startsWith("orrery: final ");
      assertThat(text("GET", at + "/experiment-metadata", "", 200))
          .contains(id, "\"prefixUrl\":\"mine\"");
      assertThat(text("GET", at + "/experiments-info", "", 200)).contains(id, newer);
      assertThat(text("GET", at + "/tensorboard-tasks", "", 200)).isEqualTo("[]");
      assertThat(text("GET", at + "/tensorboard/none", "", 404)).contains("error");
      assertThat(text("PUT", at + "/tensorboard/none", "", 404)).contains("error");
      assertThat(text("DELETE", at + "/tensorboard/none", "", 404)).contains("error");
      text("DELETE", at + "/tensorboard-tasks", "", 200);
      assertThat(text("POST", at + "/tensorboard", "{\"trials\":\"?\"}", 400)).contains("error");

      String profile = text("GET", at + "/experiment", "", 200);
      text(
          "PUT",
          at + "/experiment?update_type=TRIAL_CONCURRENCY",
          profile.replace("\"trialConcurrency\":1", "\"trialConcurrency\":2"),
          200);
      assertThat(server.get("/experiments/" + id).get("trialConcurrency").intValue()).isEqualTo(2);
      assertThat(text("PUT", at + "/experiment/cluster-metadata", "{\"trial_config\":{}}", 500))
          .contains("runs already");
      assertThat(text("POST", at + "/experiment", reporting, 200)).isEmpty();
      text(
          "POST", at + "/experiment/import-data", "[{\"parameter\":{\"x\":0.5},\"value\":7}]", 200);
      assertThat(text("GET", at + "/experiment/imported-data", "", 200)).contains("0.5");
      text(
          "PUT",
          at + "/experiment?update_type=MAX_TRIAL_NUM",
          profile.replace("\"maxTrialNumber\":3", "\"maxTrialNumber\":30"),
          200);
      assertThat(text("POST", at + "/trial-jobs", "{\"x\":0.25}", 200)).contains("sequenceId");
      server.awaitStatus(id, Duration.ofSeconds(30), "DONE");
      text("DELETE", at + "/trial-jobs/" + trial, "", 200);
      text("DELETE", at + "/experiment", "", 200);

      String prefixed = server.url() + "/mine/api/v1/nni/experiment";
      assertThat(text("GET", prefixed, "", 200)).contains("\"id\":\"" + id + "\"");
      assertThat(text("GET", prefixed.replace("mine", "other"), "", 404)).contains("'other'");
      assertThat(status(server, "urlPrefix=api")).isEqualTo(400);
      assertThat(server.get("/experiments/" + newer).get("status").textValue())
          .isEqualTo("RUNNING");
      assertThat(status(server, "urlPrefix=mine")).isEqualTo(201);
      assertThat(status(server, "urlPrefix=mine")).isEqualTo(409);
    }
  }

  private String text(String method, String url, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create(url))
                .method(
                    method,
                    body.isEmpty()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(response.statusCode())
        .as("%s %s: %s", method, url, response.body())
        .isEqualTo(status);
    return response.body();
  }

  private int status(ServerProcess server, int port) throws IOException, InterruptedException {
    return status(server, "port=" + port);
  }

  private int status(ServerProcess server, String query) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(server.url().resolve("/api/v1/experiments?" + query))
                .POST(HttpRequest.BodyPublishers.ofString(CONFIG))
                .header("Content-Type", "application/yaml")
                .build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  private String experimentAt(int port) throws IOException, InterruptedException {
    return nni(port, "experiment").path("id").asText();
  }

  private JsonNode nni(int port, String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/nni/" + path))
                .build(),
            BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return Json.parse(response.body());
  }
}
