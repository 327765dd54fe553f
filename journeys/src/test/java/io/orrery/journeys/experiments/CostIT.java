package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An experiment whose search takes costs into account. */
@Timeout(180)
class CostIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path temp;

  /** Results depend on y alone, and the energy that a trial takes on x alone. */
  private String experiment(String tuner, String cost) {
    return """
    trialCommand: >-
      echo 'orrery: final {"default": '"$((({{params.y}} - 40) * ({{params.y}} - 40)))"', "energy": '"$((1 + {{params.x}} * {{params.x}}))"'}'
    trialCodeDirectory: %s
    trialConcurrency: 1
    maxTrialNumber: 24
    seed: 5
    searchSpace:
      x: {_type: randint, _value: [0, 100]}
      y: {_type: randint, _value: [0, 100]}
    tuner: {name: %s, classArgs: {optimize_mode: minimize}}
    %s
    trainingService: {platform: local}
    """
        .formatted(temp.toAbsolutePath(), tuner, cost);
  }

  private List<Integer> play(ServerProcess server, String cost) throws Exception {
    String id = server.post("/experiments", experiment("Auto", cost)).path("id").textValue();
    JsonNode done = server.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
    assertThat(done.path("status").asText()).as(done.toString()).isEqualTo("DONE");
    return server.trials(id).stream()
        .sorted(Comparator.comparingInt(trial -> trial.path("sequenceId").asInt()))
        .map(trial -> trial.at("/parameters/x").intValue())
        .toList();
  }

  private static double later(List<Integer> trials) {
    return trials.stream().skip(10).mapToInt(x -> x).average().orElseThrow();
  }

  @Test
  void trialsAreCheaperThanWithout() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      List<Integer> plain = play(server, "");
      List<Integer> aware = play(server, "cost: energy");

      assertThat(aware.subList(0, 10)).isEqualTo(plain.subList(0, 10));
      assertThat(later(aware)).isLessThan(0.75 * later(plain));
      play(server, "cost: duration");
      assertThatThrownBy(() -> server.post("/experiments", experiment("TPE", "cost: duration")))
          .hasMessageContaining("/cost")
          .hasMessageContaining("only the tuner Auto with one objective");
    }
  }
}
