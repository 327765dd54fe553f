package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a result that comes when its experiment is over and has no owner any more. */
class LateResultsIT {
  private static final String CONFIG =
      """
      trialCommand: 'echo "orrery: final $ORRERY_PARAM_X"'
      trialCodeDirectory: %s
      trialConcurrency: 1
      maxTrialNumber: 3
      searchSpace: {x: {_type: choice, _value: [1, 2, 3]}}
      tuner: {name: GridSearch}
      trainingService: {platform: local}
      """;

  @Test
  void changesItsTrialAndIfThatWasTheBestAnotherOneIs(@TempDir Path temp) throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home"))) {
      String id =
          server
              .post("/experiments", CONFIG.formatted(temp.toAbsolutePath()))
              .get("id")
              .textValue();
      JsonNode done = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");
      assertThat(done.at("/best/metric").asDouble()).isEqualTo(3);
      String best = done.at("/best/trial").textValue();

      server.post(
          "/metrics",
          "{\"trial\":\"%s/%s\",\"kind\":\"final\",\"sequence\":1,\"value\":0.5}%n"
              .formatted(id, best));

      await(() ->
          server.get("/experiments/" + id + "/trials/" + best).get("metric").asDouble() == 0.5);
      await(() -> server.get("/experiments/" + id).at("/best/metric").asDouble() == 2);
      assertThat(server.get("/experiments/" + id).get("status").textValue()).isEqualTo("DONE");

      server.send("DELETE", "/experiments/" + id, BodyPublishers.noBody());
      assertThat(server.send("GET", "/experiments/" + id, BodyPublishers.noBody()).statusCode())
          .isEqualTo(404);
    }
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(condition);
  }
}
