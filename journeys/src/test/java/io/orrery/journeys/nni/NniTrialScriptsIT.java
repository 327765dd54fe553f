package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials as NNI's users write them give the same results whichever way these are carried. */
@Timeout(120)
class NniTrialScriptsIT {
  @TempDir static Path directory;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(directory.resolve("home"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** The SDK chooses its transport by these variables. */
  @ParameterizedTest
  @CsvSource({
    "files, python3",
    "stdout, REUSE_MODE=true python3",
    "channel, env -u NNI_SYS_DIR python3",
  })
  void tenScriptsEndAsTheyShould(String transport, String python) throws Exception {
    Path code = Path.of(NniTrialScriptsIT.class.getResource("/nni/trials").toURI());
    String config =
        """
        experimentName: %s
        trialCommand: %s -B {{params.script}}.py
        trialCodeDirectory: %s
        trialConcurrency: 3
        maxTrialNumber: 10
        searchSpace:
          all:
            _type: choice
            _value:
            - {script: arguments, lr: 0.25, batch_size: 16}
            - {script: nested, optimizer: {_name: sgd, momentum: 0.5}}
            - {script: dictionary}
            - {script: early_exit}
            - {script: raises}
            - {script: thousand}
            - {script: processes}
            - {script: output}
            - {script: current, lr: 0.125}
            - {script: chatty}
        tuner: {name: Batch}
        trainingService: {platform: local}
        """
            .formatted(transport, python, code);
    String id = server.post("/experiments", config).get("id").textValue();
    JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(90), "DONE", "FAILED", "ERROR");
    assertThat(ended.path("status").asText()).as(ended.toString()).isEqualTo("DONE");

    Map<String, JsonNode> trials = new HashMap<>();
    server.trials(id).forEach(t -> trials.put(t.at("/parameters/script").textValue(), t));
    assertThat(outcome(trials, id, "arguments")).isEqualTo("SUCCEEDED 4.0 after 0");
    assertThat(outcome(trials, id, "nested")).isEqualTo("SUCCEEDED 0.5 after 0");
    assertThat(outcome(trials, id, "dictionary")).isEqualTo("SUCCEEDED 0.75 after 3");
    assertThat(outcome(trials, id, "early_exit")).isEqualTo("SUCCEEDED null after 1");
    assertThat(outcome(trials, id, "raises")).isEqualTo("FAILED null after 2");
    assertThat(outcome(trials, id, "thousand")).isEqualTo("SUCCEEDED 0.999 after 1000");
    assertThat(outcome(trials, id, "processes")).isEqualTo("SUCCEEDED 30.0 after 5");
    assertThat(outcome(trials, id, "output")).isEqualTo("SUCCEEDED 1.0 after 0");
    assertThat(outcome(trials, id, "current")).isEqualTo("SUCCEEDED 0.125 after 2");
    assertThat(outcome(trials, id, "chatty")).isEqualTo("SUCCEEDED 0.875 after 3");
    Path output = Path.of(trials.get("output").path("directory").asText());
    assertThat(Files.readString(output.resolve("checkpoints/model.txt")))
        .isEqualTo("weights " + trials.get("output").path("sequenceId").asInt());
  }

  private static String outcome(Map<String, JsonNode> trials, String id, String script)
      throws Exception {
    JsonNode trial = trials.get(script);
    assertThat(trial).as(script).isNotNull();
    JsonNode series =
        server.get("/experiments/" + id + "/trials/" + trial.get("id").textValue() + "/metrics");
    return trial.get("status").textValue()
        + " "
        + trial.get("metric")
        + " after "
        + series.get("total");
  }
}
