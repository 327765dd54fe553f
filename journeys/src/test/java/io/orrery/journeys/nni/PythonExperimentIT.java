package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.journeys.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code from nni.experiment import Experiment} of our own package, with a real server. */
@Timeout(120)
class PythonExperimentIT {
  private static final String TRIAL =
      """
      import nni

      x = nni.get_next_parameter()["x"]
      nni.report_intermediate_result(0.25)
      nni.report_final_result({"default": 0.5, "x": x})
      """;

  @TempDir Path directory;

  @Test
  void anExperimentIsRunReadSteeredAndFoundAgain() throws Exception {
    Files.writeString(directory.resolve("trial.py"), TRIAL);
    int port = FreePort.take();
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      JsonNode seen = python(server, "experiment.py", port);

      assertThat(seen.path("done").booleanValue()).isTrue();
      assertThat(seen.path("status").asText()).isEqualTo("DONE");
      assertThat(seen.path("trials").toString())
          .isEqualTo("[\"SUCCEEDED\",\"SUCCEEDED\",\"SUCCEEDED\"]");
      assertThat(seen.path("parameters").toString()).isEqualTo("[[\"x\"],[\"x\"],[\"x\"]]");
      assertThat(seen.path("final").path(2).path("default").asDouble()).isEqualTo(0.5);
      assertThat(seen.path("one").booleanValue()).isTrue();
      assertThat(seen.path("missing").isNull()).isTrue();
      assertThat(seen.path("metrics").path(0).path(0).asDouble()).isEqualTo(0.25);
      assertThat(seen.path("metrics").path(0)).hasSize(2);
      assertThat(seen.path("export")).hasSize(3);
      assertThat(seen.path("statistics").toString()).contains("\"trialJobNumber\":3");
      assertThat(seen.path("same").booleanValue()).isTrue();
      assertThat(seen.path("params").path("trialConcurrency").asInt()).isEqualTo(2);
      assertThat(seen.path("params").path("maxTrialNumber").asInt()).isEqualTo(4);
      assertThat(seen.path("resumed").toString()).isEqualTo("[true,4]");
      assertThat(seen.path("slip").asText()).contains("did you mean 'trial_command'");
      assertThat(seen.path("refused").asText())
          .contains("trialConcurrency")
          .contains("searchSpace");
      assertThat(seen.path("named").asText()).isEqualTo("mine_1");
      assertThat(seen.path("known").toString()).isEqualTo("[false,true]");
      assertThat(seen.path("nothing").toString()).isEqualTo("{}");
      assertThat(seen.path("viewed").toString()).isEqualTo("[4,1]");
      assertThat(seen.at("/metadata/0").asText()).isEqualTo("mine_1");
      assertThat(seen.at("/metadata/1").toString()).isEqualTo("{}");
      assertThat(seen.at("/metadata/2")).hasSize(2);
      assertThat(seen.path("ended").booleanValue()).isTrue();
      server.awaitStatus("mine_1", Duration.ofSeconds(30), "STOPPED");
    }
  }

  /** As the case {@code nnicli} of NNI's test runner uses it (D). */
  @Test
  void theCallsOfNnisFirstPythonClientDoTheSame() throws Exception {
    Files.writeString(directory.resolve("trial.py"), TRIAL);
    Files.writeString(
        directory.resolve("config.yml"),
        """
        authorName: me
        experimentName: older
        trialConcurrency: 1
        maxTrialNum: 2
        trainingServicePlatform: local
        searchSpacePath: space.json
        useAnnotation: false
        tuner: {builtinTunerName: Random}
        trial: {command: python3 trial.py, codeDir: ., gpuNum: 0}
        """);
    Files.writeString(
        directory.resolve("space.json"), "{\"x\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}");
    int port = FreePort.take();
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      JsonNode seen = python(server, "legacy.py", port);

      assertThat(seen.path("status").asText()).isEqualTo("DONE");
      assertThat(seen.path("trials").asInt()).isEqualTo(2);
      assertThat(seen.path("most").asInt()).isEqualTo(3);
      assertThat(seen.path("same").booleanValue()).isTrue();
      assertThat(seen.path("taken").asText()).contains("already");
      assertThat(seen.path("space").asText()).startsWith("{\"x\"");
    }
  }

  private JsonNode python(ServerProcess server, String name, int port) throws Exception {
    Path script = Path.of(PythonExperimentIT.class.getResource("/nni/" + name).toURI());
    ProcessBuilder builder =
        new ProcessBuilder(
            "python3", script.toString(), Integer.toString(port), directory.toString());
    builder.environment().put("ORRERY_HOME", server.home().toString());
    builder.environment().put("PYTHONPATH", server.home().resolve("sdk/current/compat").toString());
    Path errors = directory.resolve("errors");
    Process process = builder.redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    return Json.parse(out);
  }
}
