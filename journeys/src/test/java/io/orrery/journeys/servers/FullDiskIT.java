package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes nothing: files of the server may not grow, which is lifted again. */
@Timeout(120)
class FullDiskIT {
  @TempDir Path temp;

  @Test
  void theServerReportsThatItCannotStoreAndRecoversWhenThereIsRoom() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code")).toAbsolutePath();
    String config =
        """
        trialCommand: 'echo "orrery: final 1"'
        trialCodeDirectory: %s
        trialConcurrency: 1
        maxTrialNumber: 2
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random}
        trainingService: {platform: local}
        """
            .formatted(code);
    try (ServerProcess server = ServerProcess.start(home)) {
      assertThat(health(server, 200).at("/status").asText()).isEqualTo("ready");

      limitFiles(server, "0");
      JsonNode failing = health(server, 503);
      assertThat(failing.at("/status").asText()).isEqualTo("failing");
      assertThat(failing.at("/reason").asText()).contains("nothing can be written to " + home);
      String point =
          "{\"trial\":\"abcdefgh/abcde\",\"kind\":\"intermediate\",\"sequence\":0,\"value\":1}\n";
      assertThat(server.send("POST", "/experiments", BodyPublishers.ofString(config)).statusCode())
          .isGreaterThanOrEqualTo(500);
      assertThat(server.send("POST", "/metrics", BodyPublishers.ofString(point)).statusCode())
          .isGreaterThanOrEqualTo(400);

      limitFiles(server, "unlimited");
      assertThat(health(server, 200).at("/status").asText()).isEqualTo("ready");
      String id = server.post("/experiments", config).get("id").textValue();
      JsonNode done = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");
      assertThat(done.at("/best/metric").asDouble()).isEqualTo(1);
      assertThat(server.get("/logs?experiment=" + id).at("/items/0/message").asText())
          .contains("DONE after");
    }
  }

  private static void limitFiles(ServerProcess server, String bytes) throws Exception {
    String pid =
        Json.parse(Files.readString(server.home().resolve("server.json"))).get("pid").asText();
    assertThat(
            new ProcessBuilder("prlimit", "--pid", pid, "--fsize=" + bytes + ":").start().waitFor())
        .isZero();
  }

  /** Asks until the status is there: an answer counts for a second. */
  private static JsonNode health(ServerProcess server, int status) throws Exception {
    URI address = server.url().resolve("/health/ready");
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (true) {
        HttpResponse<String> answer =
            client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        if (answer.statusCode() == status) {
          return Json.parse(answer.body());
        }
        Thread.sleep(50);
      }
    }
  }
}
