package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of the server at random moments, start-up included, while short trials come and go.
 * {@code -Dorrery.kill.rounds=100} does it a hundred times. And a few times the polite way, which
 * must be no worse.
 */
class KillMinusNineIT {
  private static final int ROUNDS = Integer.getInteger("orrery.kill.rounds", 6);
  private static final long SEED = Long.getLong("orrery.kill.seed", 20260101L);

  /** Notes each run of itself, waits a little, and reports its own number by the file protocol. */
  private static final String TRIAL =
      """
      echo run >> "$NNI_SYS_DIR/runs"
      sleep "0.$((RANDOM % 4))"
      record="{\\"parameter_id\\": 0, \\"trial_job_id\\": \\"$NNI_TRIAL_JOB_ID\\", \\"type\\": \\"FINAL\\", \\"sequence\\": 0, \\"value\\": \\"$NNI_TRIAL_SEQ_ID\\"}"
      printf 'ME%06d%s\\n' "$((${#record} + 1))" "$record" >> "$NNI_SYS_DIR/.nni/metrics"
      """;

  @Test
  @Timeout(1800)
  void everyTrialRunsOnceAndItsResultIsThereOnceHoweverOftenTheServerIsKilled(@TempDir Path temp)
      throws Exception {
    everyTrialRunsOnce(temp, ROUNDS, ServerProcess::kill);
  }

  @Test
  @Timeout(600)
  void theSameWhenItIsAskedToGoDown(@TempDir Path temp) throws Exception {
    everyTrialRunsOnce(temp, Math.min(ROUNDS, 4), ServerProcess::close);
  }

  private static void everyTrialRunsOnce(Path temp, int rounds, Consumer<ServerProcess> end)
      throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    SplittableRandom random = new SplittableRandom(SEED);
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id = server.post("/experiments", config(code)).get("id").textValue();
      Thread.sleep(random.nextInt(1_000));
      end.accept(server);
    }
    for (int round = 1; round < rounds; round++) {
      ServerProcess server = ServerProcess.begin(home);
      if (random.nextInt(4) > 0) {
        server.ready();
      }
      Thread.sleep(random.nextInt(1_200));
      end.accept(server);
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      long so = server.trials(id).size();
      server.patch("/experiments/" + id, "{\"maxTrialNumber\": " + (so + 16) + "}");
      JsonNode done = server.awaitStatus(id, Duration.ofSeconds(120), "DONE", "FAILED", "ERROR");
      assertThat(done.get("status").textValue()).as(server.log()).isEqualTo("DONE");
      check(home, id, server.trials(id), so);
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }

  private static void check(Path home, String id, List<JsonNode> trials, long atLeast)
      throws Exception {
    assertThat((long) trials.size()).isGreaterThanOrEqualTo(atLeast);
    for (JsonNode trial : trials) {
      String name = trial.get("id").textValue();
      Path directory = home.resolve("experiments/" + id + "/trials/" + name);
      assertThat(trial.get("status").textValue()).as("%s", trial).isEqualTo("SUCCEEDED");
      assertThat(trial.get("metric").asLong(-1))
          .as("%s", trial)
          .isEqualTo(trial.get("sequenceId").longValue());
      assertThat(Files.readAllLines(directory.resolve("runs"))).as(name).hasSize(1);
    }
    assertThat(trials.stream().map(trial -> trial.get("sequenceId").longValue()))
        .doesNotHaveDuplicates();
  }

  private static String config(Path code) {
    return """
    trialCommand: bash trial.sh
    trialCodeDirectory: %s
    trialConcurrency: 8
    maxTrialNumber: 100000
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: local}
    """
        .formatted(code.toAbsolutePath());
  }
}
