package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
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
    int first = freePort();
    int second = freePort();
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
        ServerSocket somebody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(status(server, somebody.getLocalPort())).isEqualTo(409);
      assertThat(server.get("/experiments").get("items")).isEmpty();

      int port = freePort();
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

  private int status(ServerProcess server, int port) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(server.url().resolve("/api/v1/experiments?port=" + port))
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
