package io.orrery.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Trials that note each run of themselves and report their own sequence number: afterwards it can
 * be seen of each that it ran once, and that its result is its own.
 */
public final class NumberedTrials {
  /** Waits a little in between; reports by the file protocol. */
  private static final String TRIAL =
      """
      echo run >> "$NNI_SYS_DIR/runs"
      sleep "0.$((RANDOM % 4))"
      record="{\\"parameter_id\\": 0, \\"trial_job_id\\": \\"$NNI_TRIAL_JOB_ID\\", \\"type\\": \\"FINAL\\", \\"sequence\\": 0, \\"value\\": \\"$NNI_TRIAL_SEQ_ID\\"}"
      printf 'ME%06d%s\\n' "$((${#record} + 1))" "$record" >> "$NNI_SYS_DIR/.nni/metrics"
      """;

  private NumberedTrials() {}

  /** A configuration of an experiment of such trials, whose code is put below a folder. */
  public static String config(Path folder, int concurrency, long trials) throws IOException {
    Path code = Files.createDirectories(folder.resolve("code"));
    Path script = code.resolve("trial.sh");
    if (!Files.exists(script)) {
      // Trials of another experiment may be running it, and a shell reads on as it goes.
      Files.writeString(script, TRIAL);
    }
    return """
    trialCommand: bash trial.sh
    trialCodeDirectory: %s
    trialConcurrency: %d
    maxTrialNumber: %d
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: local}
    """
        .formatted(code.toAbsolutePath(), concurrency, trials);
  }

  /** Each succeeded, ran once, and has its own result; there are at least so many. */
  public static void check(Path home, String id, List<JsonNode> trials, long atLeast)
      throws IOException {
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
}
