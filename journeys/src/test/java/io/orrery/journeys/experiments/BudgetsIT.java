package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests real trials that are told how far to train. */
class BudgetsIT {
  /** The longer, the better, and all the better the larger x is. */
  private static final String TRIAL =
      """
      echo "orrery: final $(awk "BEGIN {print $ORRERY_PARAM_X * $1}")"
      """;

  @Test
  @Timeout(180)
  void hyperbandTrainsTheBestOfEachRoundForLonger(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    String config =
        """
        trialCommand: bash trial.sh {{params.TRIAL_BUDGET}}
        trialCodeDirectory: %s
        trialConcurrency: 4
        maxTrialNumber: 13
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        advisor: {name: Hyperband, classArgs: {optimize_mode: maximize, R: 9, exec_mode: serial}}
        trainingService: {platform: local}
        """
            .formatted(code.toAbsolutePath());
    try (ServerProcess server = ServerProcess.start(home)) {
      String id = server.post("/experiments", config).get("id").asText();
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(120), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");

      List<JsonNode> trials = server.trials(id);
      assertThat(trials)
          .extracting(BudgetsIT::budget)
          .containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 9);
      List<Double> best =
          trials.subList(0, 9).stream()
              .map(BudgetsIT::x)
              .sorted(Comparator.reverseOrder())
              .toList();
      assertThat(trials.subList(9, 12))
          .extracting(BudgetsIT::x)
          .containsExactlyInAnyOrderElementsOf(best.subList(0, 3));
      assertThat(x(trials.get(12))).isEqualTo(best.getFirst());
      assertThat(ended.at("/best/metric").doubleValue())
          .isCloseTo(9 * best.getFirst(), within(1e-4));
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }

  private static int budget(JsonNode trial) {
    return trial.at("/parameters/TRIAL_BUDGET").intValue();
  }

  private static double x(JsonNode trial) {
    return trial.at("/parameters/x").doubleValue();
  }
}
