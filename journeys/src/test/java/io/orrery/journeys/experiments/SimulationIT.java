package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Experiments whose trials do not run: played through in no time, and live in a server. */
@Timeout(120)
class SimulationIT {
  private static final String EXPERIMENT =
      """
      trialConcurrency: 4
      maxTrialNumber: 60
      seed: 7
      searchSpace:
        x: {_type: uniform, _value: [0, 1]}
        y: {_type: uniform, _value: [0, 1]}
      tuner: {name: TPE, classArgs: {optimize_mode: minimize}}
      retry: {attempts: 3}
      trainingService:
        platform: simulated
        objective: (x - 0.3) ** 2 + (y - 0.7) ** 2
        queueing: 5s
        duration: lognormal(10m, 0.3)
        failures: 0.1
        speed: 100000
      """;

  @TempDir static Path temp;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(temp.resolve("home").toAbsolutePath());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private List<JsonNode> rehearse(int runs) throws Exception {
    return server.post("/rehearsals?runs=" + runs, EXPERIMENT).path("runs").valueStream().toList();
  }

  @Test
  void aRehearsalSaysHowLongItTakesAndHowGoodItGets() throws Exception {
    List<JsonNode> runs = rehearse(5);

    assertThat(runs).hasSize(5);
    assertThat(runs)
        .allSatisfy(run -> {
          assertThat(run.path("status").textValue()).isEqualTo("DONE");
          assertThat(run.at("/trialCounts/SUCCEEDED").asInt()).isBetween(58, 60);
          assertThat(run.path("attempts").asInt()).isGreaterThanOrEqualTo(60);
          // Sixty trials of ten minutes in four slots.
          assertThat(run.path("durationSeconds").doubleValue() / 3600).isCloseTo(2.6, within(0.6));
          assertThat(run.at("/best/metric").doubleValue()).isBetween(0.0, 0.05);
          assertThat(run.at("/best/afterSeconds").doubleValue())
              .isLessThanOrEqualTo(run.path("durationSeconds").doubleValue());
        });
    assertThat(runs).extracting(run -> run.path("seed").longValue()).doesNotHaveDuplicates();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theSameRehearsalGoesTheSameWay() throws Exception {
    assertThat(rehearse(3)).isEqualTo(rehearse(3));
  }

  @Test
  void aRehearsalLeavesNothingBehind() throws Exception {
    int before = server.get("/experiments").path("items").size();

    rehearse(1);

    assertThat(server.get("/experiments").path("items")).hasSize(before);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aLiveOneRunsLikeAnyExperiment() throws Exception {
    String id = server.post("/experiments", EXPERIMENT).get("id").asText();

    JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");

    assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
    assertThat(ended.at("/trialCounts/SUCCEEDED").asInt()).isBetween(58, 60);
    JsonNode trial = server.trials(id).getFirst();
    String series = "/experiments/" + id + "/trials/" + trial.path("id").asText() + "/metrics";
    assertThat(server.get(series).path("points").size()).isBetween(0, 10);
  }
}
