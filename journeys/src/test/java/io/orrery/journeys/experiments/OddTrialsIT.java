package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials that misbehave, side by side in one experiment: each ends in the right state. */
class OddTrialsIT {
  /** One script; the parameter {@code kind} says in which way it is odd. */
  private static final String TRIAL =
      """
      report() { # kind, sequence, value
        record="{\\"parameter_id\\": 0, \\"trial_job_id\\": \\"$NNI_TRIAL_JOB_ID\\", \\"type\\": \\"$1\\", \\"sequence\\": $2, \\"value\\": \\"$3\\"}"
        printf 'ME%06d%s\\n' "$((${#record} + 1))" "$record" >> "$NNI_SYS_DIR/.nni/metrics"
      }
      case $ORRERY_PARAM_KIND in
        plain) report FINAL 0 1 ;;
        silent) ;;
        fails) report FINAL 0 0.5; exit 3 ;;
        forks) (sleep 300 & setsid sleep 300 & ) ; report FINAL 0 2 ;;
        two-finals) report FINAL 0 3; report FINAL 0 4 ;;
        not-a-number) report FINAL 0 NaN ;;
        infinite) report FINAL 0 -Infinity ;;
        half-a-record) report FINAL 0 5; printf 'ME000200{"parameter_id": 0, "tri' >> "$NNI_SYS_DIR/.nni/metrics" ;;
        binary) head -c 100000 /dev/urandom; head -c 100000 /dev/urandom >&2; report FINAL 0 6 ;;
        dictionary) report FINAL 0 '{\\"default\\": 7, \\"loss\\": 0.1}' ;;
        flood) python3 flood.py; report FINAL 0 8 ;;
        killed) kill -9 $$ ;;
        stubborn) trap '' TERM; report INTERMEDIATE 0 1; while :; do sleep 1; done ;;
        mistyped) echo 'orrery: final 0.9x' ;;
        raises) python3 -c 'raise ValueError("bad")' ;;
        missing) nothing-of-that-name ;;
        printed) echo 'orrery: intermediate 0.5'; echo 'orrery: final {"default": 9}' ;;
      esac
      """;

  private static final String FLOOD =
      """
      import os
      path = os.path.join(os.environ["NNI_SYS_DIR"], ".nni", "metrics")
      with open(path, "ab") as file:
          for i in range(100000):
              text = '{"parameter_id": 0, "trial_job_id": "x", "type": "PERIODICAL", "sequence": %d, "value": "%d"}\\n' % (i, i)
              file.write(b"ME%06d%s" % (len(text), text.encode()))
      """;

  @Test
  @Timeout(180)
  void eachEndsInTheRightStateWithTheRightMetric(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), TRIAL);
    Files.writeString(code.resolve("flood.py"), FLOOD);
    try (ServerProcess server = ServerProcess.start(home)) {
      String id = server.post("/experiments", config(code)).get("id").textValue();
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(150), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");

      Map<String, JsonNode> trials = new HashMap<>();
      for (JsonNode trial : server.trials(id)) {
        trials.put(trial.at("/parameters/kind").textValue(), trial);
      }
      assertThat(outcome(trials, "plain")).isEqualTo("SUCCEEDED 1.0");
      assertThat(outcome(trials, "silent")).isEqualTo("SUCCEEDED null");
      assertThat(outcome(trials, "fails")).isEqualTo("FAILED 0.5");
      assertThat(trials.get("fails").get("reason").textValue()).contains("exit code 3");
      assertThat(outcome(trials, "forks")).isEqualTo("SUCCEEDED 2.0");
      assertThat(outcome(trials, "two-finals")).isEqualTo("SUCCEEDED 4.0");
      assertThat(outcome(trials, "not-a-number")).isEqualTo("SUCCEEDED \"NaN\"");
      assertThat(outcome(trials, "infinite")).isEqualTo("SUCCEEDED \"-Infinity\"");
      assertThat(outcome(trials, "half-a-record")).isEqualTo("SUCCEEDED 5.0");
      assertThat(outcome(trials, "binary")).isEqualTo("SUCCEEDED 6.0");
      assertThat(outcome(trials, "dictionary")).isEqualTo("SUCCEEDED 7.0");
      assertThat(outcome(trials, "flood")).isEqualTo("SUCCEEDED 8.0");
      assertThat(outcome(trials, "killed")).isEqualTo("FAILED null");
      assertThat(reason(trials, "killed")).contains("exit code 137 (killed by SIGKILL"); // B1
      assertThat(reason(trials, "raises"))
          .startsWith("its command ended with exit code 1; its last lines on stderr:\n")
          .endsWith("\nValueError: bad");
      assertThat(reason(trials, "missing"))
          .contains("exit code 127 (command not found)", "\n", "nothing-of-that-name");
      assertThat(outcome(trials, "mistyped")).isEqualTo("SUCCEEDED null");
      assertThat(reason(trials, "mistyped")).contains("orrery: final 0.9x"); // B3
      assertThat(reason(trials, "silent")).isEqualTo("it ended without a final result");
      assertThat(outcome(trials, "stubborn")).isEqualTo("EARLY_STOPPED null");
      assertThat(trials.get("stubborn").get("reason").textValue()).contains("maxTrialDuration");
      assertThat(outcome(trials, "printed")).isEqualTo("SUCCEEDED 9.0");
      assertThat(ended.at("/best/metric").doubleValue()).isEqualTo(9.0);

      String flood = trials.get("flood").get("id").textValue();
      JsonNode series =
          server.get("/experiments/" + id + "/trials/" + flood + "/metrics?maxPoints=1000");
      assertThat(series.get("total").longValue()).isEqualTo(100_000);
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }

  private static String reason(Map<String, JsonNode> trials, String kind) {
    return trials.get(kind).get("reason").textValue();
  }

  private static String outcome(Map<String, JsonNode> trials, String kind) {
    JsonNode trial = trials.get(kind);
    assertThat(trial).as(kind).isNotNull();
    return trial.get("status").textValue() + " " + trial.get("metric");
  }

  private static String config(Path code) {
    return """
    trialCommand: bash trial.sh
    trialCodeDirectory: %s
    trialConcurrency: 4
    maxTrialDuration: 10s
    searchSpace:
      kind:
        _type: choice
        _value: [plain, silent, fails, forks, two-finals, not-a-number, infinite, half-a-record,
          binary, dictionary, flood, killed, stubborn, printed,
          mistyped, raises, missing]
    tuner: {name: GridSearch, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: local}
    """
        .formatted(code.toAbsolutePath());
  }
}
