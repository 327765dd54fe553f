package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests real trials that report intermediate results to an assessor. */
class EarlyStoppingIT {
  /** Good ones come to their end; the others would go on for long, each in its way. */
  private static final String TRIAL =
      """
      case $ORRERY_PARAM_KIND in
        good) for i in 1 2 3; do echo "orrery: intermediate 0.$((i + 5))"; done
              echo 'orrery: final 0.9' ;;
        # Judged again until the one before has its result, which may be after the first report.
        bad) for i in 1 2 3; do echo 'orrery: intermediate 0.1'; sleep 5; done; sleep 300 ;;
        later) echo started > started
               until [ -e go ]; do sleep 0.05; done
               echo 'orrery: intermediate 0.1'; echo 'orrery: intermediate 0.2'; sleep 300 ;;
      esac
      """;

  @Test
  @Timeout(180)
  void aTrialThatLagsBehindIsStoppedAndItsLastIntermediateResultCounts(@TempDir Path temp)
      throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      String id = server.post("/experiments", config(temp, "good, bad, good")).get("id").asText();
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(120), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");

      List<JsonNode> trials = server.trials(id);
      assertThat(trials)
          .extracting(trial -> trial.get("status").textValue() + " " + trial.get("metric"))
          .containsExactly("SUCCEEDED 0.9", "EARLY_STOPPED 0.1", "SUCCEEDED 0.9");
      assertThat(trials.get(1).get("reason").textValue()).startsWith("Medianstop: the best of its");
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }

  @Test
  @Timeout(180)
  void afterKillMinusNineTheAssessorKnowsTheTrialsBeforeAndJudgesWhatCameMeanwhile(
      @TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id = server.post("/experiments", config(temp, "good, later")).get("id").asText();
      Path started = temp.resolve("code/started");
      for (long end = System.nanoTime() + 60_000_000_000L; !Files.exists(started); ) {
        assertThat(System.nanoTime()).as("the second trial starts").isLessThan(end);
        Thread.onSpinWait();
      }
      // The second starts when the process of the first has ended, which is before its result is
      // stored; and only a trial that had a result before can be one to compare with.
      for (long end = System.nanoTime() + 60_000_000_000L; !hasSucceeded(server, id); ) {
        assertThat(System.nanoTime()).as("the first trial succeeds").isLessThan(end);
      }
      server.kill();
    }
    Files.createFile(temp.resolve("code/go"));
    try (ServerProcess server = ServerProcess.start(home)) {
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(120), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
      assertThat(server.trials(id))
          .extracting(trial -> trial.get("status").textValue() + " " + trial.get("metric"))
          .containsExactly("SUCCEEDED 0.9", "EARLY_STOPPED 0.2");
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }

  private static boolean hasSucceeded(ServerProcess server, String id) throws Exception {
    return server.trials(id).getFirst().get("status").textValue().equals("SUCCEEDED");
  }

  private static String config(Path temp, String kinds) throws Exception {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    String sets = kinds.replaceAll("(\\w+)", "{kind: $1}");
    return """
    trialCommand: bash trial.sh
    trialCodeDirectory: %s
    trialConcurrency: 1
    searchSpace: {sets: {_type: choice, _value: [%s]}}
    tuner: {name: Batch, classArgs: {optimize_mode: maximize}}
    assessor: {name: Medianstop}
    trainingService: {platform: local}
    """
        .formatted(code.toAbsolutePath(), sets);
  }
}
