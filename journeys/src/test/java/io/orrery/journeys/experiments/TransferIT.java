package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Searches that learn from earlier experiments. */
@Timeout(180)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class TransferIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir static Path temp;

  private static String experiment(int trials, int seed, int speed, String tuner, String transfer) {
    return """
    trialConcurrency: 1
    maxTrialNumber: %d
    seed: %d
    searchSpace:
      x: {_type: uniform, _value: [0, 1]}
      lr: {_type: loguniform, _value: [0.00001, 1]}
    tuner: {name: %s, classArgs: {optimize_mode: minimize}}
    %s
    trainingService:
      platform: simulated
      objective: (x - 0.3) ** 2 + (log(lr) + 7) ** 2 / 20
      duration: 10m
      speed: %d
    """
        .formatted(trials, seed, tuner, transfer, speed);
  }

  private static List<JsonNode> parameters(ServerProcess server, String id) throws Exception {
    return server.trials(id).stream()
        .sorted(Comparator.comparingInt(trial -> trial.path("sequenceId").asInt()))
        .map(trial -> trial.path("parameters"))
        .toList();
  }

  private static String create(ServerProcess server, String config) throws Exception {
    return server.post("/experiments", config).path("id").textValue();
  }

  @Test
  void whatWasTakenOfAnEarlierExperimentHoldsAfterItsEndAndAKill() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String earlier;
    String killed;
    List<JsonNode> whole;
    try (ServerProcess server = ServerProcess.start(home)) {
      earlier = create(server, experiment(30, 1, 100_000, "Auto", ""));
      server.awaitStatus(earlier, PATIENCE, "DONE");
      assertThat(server.get("/experiments/" + earlier).path("transfer").isMissingNode()).isTrue();

      String undisturbed = create(server, experiment(12, 5, 100_000, "Auto", "transfer: auto"));
      JsonNode done = server.awaitStatus(undisturbed, PATIENCE, "DONE", "FAILED", "ERROR");
      assertThat(done.path("status").asText()).as(done.toString()).isEqualTo("DONE");
      whole = parameters(server, undisturbed);
      JsonNode transfer = server.get("/experiments/" + undisturbed).path("transfer");
      assertThat(transfer.path("results").asInt()).isEqualTo(12);
      assertThat(transfer.at("/sources/0/experiment").asText()).isEqualTo(earlier);
      assertThat(transfer.at("/sources/0/trials").asInt()).isEqualTo(30);
      assertThat(transfer.at("/sources/0/used").asInt()).isEqualTo(30);
      assertThat(transfer.at("/sources/0/weight").asDouble()).isGreaterThan(0.8);
      assertThat(done.at("/best/metric").asDouble()).isLessThan(0.005);

      killed = create(server, experiment(12, 5, 1_500, "Auto", "transfer: [" + earlier + "]"));
      String id = killed;
      await()
          .atMost(PATIENCE)
          .until(() -> server.get("/experiments/" + id).at("/trialCounts/SUCCEEDED").asInt() >= 4);
      HttpResponse<String> gone =
          server.send("DELETE", "/experiments/" + earlier, BodyPublishers.noBody());
      assertThat(gone.statusCode()).as(gone.body()).isEqualTo(200);
      server.kill();
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      server.awaitStatus(killed, PATIENCE, "DONE");

      assertThat(parameters(server, killed)).isEqualTo(whole);
      assertThat(server.get("/experiments/" + killed).at("/transfer/sources/0/used").asInt())
          .isEqualTo(30);
    }
  }

  @Test
  void whatCannotBeLearntFromIsRefusedWithItsPlace() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("other").toAbsolutePath())) {
      assertThatThrownBy(
              () -> create(server, experiment(5, 1, 100_000, "Auto", "transfer: [nothere1]")))
          .hasMessageContaining("/transfer/0")
          .hasMessageContaining("there is no experiment nothere1 in the project public");
      assertThatThrownBy(() -> create(server, experiment(5, 1, 100_000, "TPE", "transfer: auto")))
          .hasMessageContaining("only the tuner Auto with one objective");
      assertThatThrownBy(() -> create(server, experiment(5, 1, 100_000, "Auto", "transfer: some")))
          .hasMessageContaining("must be auto, off, or a list of ids");
      assertThat(server.get("/experiments").path("items")).isEmpty();

      String alone = create(server, experiment(5, 1, 100_000, "Auto", "transfer: auto"));
      server.awaitStatus(alone, PATIENCE, "DONE");
      assertThat(server.get("/experiments/" + alone).at("/transfer/sources")).isEmpty();
    }
  }
}
