package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.net.FreePort;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests experiments without results: they end with a reason, and nothing waits for them. */
class FailuresIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  @Timeout(180)
  void experimentsThatCannotSucceedEndWithTheReason(@TempDir Path temp) throws Exception {
    Path code = Files.createDirectories(temp.resolve("code")).toAbsolutePath();
    Path gone = Files.createDirectories(temp.resolve("gone")).toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      // B4: no limit of trials, and every one fails.
      JsonNode hopeless = run(server, config("echo no data >&2; exit 1", code, 4, "local"));
      assertThat(hopeless.get("error").textValue())
          .startsWith("20 trials failed and none succeeded")
          .contains("exit code 1")
          .endsWith("\nno data");

      // B2: what can never start fails its trials, and does not wait for ever.
      String created =
          server
              .post("/experiments", config("sleep 1; false", gone, 1, "local"))
              .get("id")
              .textValue();
      Files.delete(gone);
      JsonNode closed = server.awaitStatus(created, SOON, "ERROR", "FAILED", "DONE");
      assertThat(closed.get("error").textValue()).contains("there is no directory " + gone);
    }
  }

  @Test
  @Timeout(120)
  void whoCreatesAnExperimentDoesNotWaitForItsMachines(@TempDir Path temp) throws Exception { // B7
    Path code = Files.createDirectories(temp.resolve("code")).toAbsolutePath();
    String machine =
        "remote, machineList: [{host: 127.0.0.1, port: %d, user: me, password: x}]"
            .formatted(FreePort.take());
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      JsonNode created = server.post("/experiments", config("true", code, 1, machine));

      assertThat(created.get("status").textValue())
          .as("it is not decided yet whether the machine comes")
          .isIn("INITIALIZED", "RUNNING");
      server.post("/experiments/" + created.get("id").textValue() + "/stop", "");
    }
  }

  private static JsonNode run(ServerProcess server, String config) throws Exception {
    String id = server.post("/experiments", config).get("id").textValue();
    return server.awaitStatus(id, SOON, "ERROR", "FAILED", "DONE");
  }

  private static String config(String command, Path code, int concurrency, String platform) {
    return """
    trialCommand: '%s'
    trialCodeDirectory: %s
    trialConcurrency: %d
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: %s}
    """
        .formatted(command, code, concurrency, platform);
  }
}
