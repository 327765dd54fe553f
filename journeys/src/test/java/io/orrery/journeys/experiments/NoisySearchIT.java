package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches of results with noise, which may try the best configuration again. */
@Timeout(120)
class NoisySearchIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;

  private static String create(ServerProcess server, String arguments) throws Exception {
    return server
        .post(
            "/experiments",
            """
            trialConcurrency: 1
            maxTrialNumber: 40
            seed: 3
            searchSpace:
              x: {_type: uniform, _value: [0, 1]}
              lr: {_type: loguniform, _value: [0.00001, 1]}
            tuner: {name: Auto, classArgs: {optimize_mode: minimize%s}}
            trainingService:
              platform: simulated
              objective: (x - 0.3) ** 2 + (log(lr) + 7) ** 2 / 20
              noise: 0.3
              duration: 10m
              speed: 100000
            """
                .formatted(arguments))
        .path("id")
        .textValue();
  }

  private static void incumbentIsTheMean(JsonNode incumbent, List<JsonNode> trials) {
    String parameters = incumbent.path("parameters").toString();
    List<JsonNode> had =
        trials.stream()
            .filter(trial -> trial.path("parameters").toString().equals(parameters))
            .toList();
    assertThat(incumbent.path("trials")).hasSameSizeAs(had).isNotEmpty();
    assertThat(incumbent.path("mean").asDouble())
        .isCloseTo(
            had.stream().mapToDouble(one -> one.path("metric").asDouble()).average().orElseThrow(),
            within(1e-9));
  }

  @Test
  void theBestIsTriedAgainAndTheIncumbentIsTheMeanOfItsTrials() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home"))) {
      String id = create(server, ", repeats: true");
      server.awaitStatus(id, PATIENCE, "DONE");

      List<JsonNode> trials = server.trials(id);
      assertThat(trials.stream().map(trial -> trial.path("parameters").toString()).distinct())
          .hasSizeLessThan(40);
      // The last answer is given until the one by all results is there.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> incumbentIsTheMean(server.get("/experiments/" + id).path("incumbent"), trials));

      String without = create(server, "");
      server.awaitStatus(without, PATIENCE, "DONE");
      assertThat(server.trials(without).stream().map(one -> one.path("parameters")).distinct())
          .hasSize(40);
      assertThat(server.get("/experiments/" + without).has("incumbent")).isFalse();
    }
  }
}
