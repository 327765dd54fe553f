package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests what an experiment says about its parameters as a whole, and what a tuner can do with a
 * space.
 */
class ConstraintsIT {
  private static final String CONFIG =
      """
      trialCommand: 'echo "orrery: final {{params.batch}}"'
      trialCodeDirectory: .
      trialConcurrency: 4
      maxTrialNumber: 12
      searchSpace:
        batch: {_type: quniform, _value: [16, 512, 16]}
        hidden: {_type: loguniform, _value: [16, 4096]}
      constraints: ["batch * hidden <= 32768", "hidden >= batch"]
      tuner: {classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;

  @Test
  @Timeout(120)
  void theyHoldForEveryTrialAndSurviveAChangeOfTheSpace() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      JsonNode created = server.post(experiments(), CONFIG);
      String id = created.get("id").textValue();
      assertThat(created.get("tuner").textValue()).isEqualTo("Auto");
      assertThat(server.get("/experiments/" + id).at("/config/constraints/1").textValue())
          .isEqualTo("hidden >= batch");
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");

      HttpResponse<String> refused =
          server.send(
              "POST",
              "/experiments/" + id + "/trials",
              BodyPublishers.ofString("{\"batch\": 512, \"hidden\": 1024}"));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("breaks the constraint 'batch * hidden <= 32768'");

      server.patch(
          "/experiments/" + id,
          """
          {"maxTrialNumber": 20, "searchSpace":
            {"batch": {"_type": "choice", "_value": [8, 64]},
             "hidden": {"_type": "uniform", "_value": [4, 1024]}}}
          """);
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
      assertThat(server.trials(id))
          .hasSize(20)
          .allSatisfy(trial -> {
            double batch = trial.at("/parameters/batch").doubleValue();
            double hidden = trial.at("/parameters/hidden").doubleValue();
            assertThat(batch * hidden).isLessThanOrEqualTo(32_768);
            assertThat(hidden).isGreaterThanOrEqualTo(batch);
          });
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hidden >= bacth   | /constraints/1 | column 11: there is no parameter 'bacth' (did you mean 'batch'?)
          hidden < 2 batch  | /constraints/1 | column 12: expected an operator, found 'batch'
          hidden < 15       | /constraints   | none meets the constraints
          """)
  @Timeout(60)
  void whatCannotBeIsRefused(String constraint, String pointer, String message) throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      HttpResponse<String> refused =
          server.send(
              "POST",
              experiments(),
              BodyPublishers.ofString(CONFIG.replace("hidden >= batch", constraint)));
      assertThat(refused.statusCode()).isEqualTo(400);
      JsonNode error = Json.parse(refused.body()).at("/errors/0");
      assertThat(error.get("pointer").textValue()).isEqualTo(pointer);
      assertThat(error.get("message").textValue()).contains(message);
      assertThat(error.get("line").isInt()).isTrue();
    }
  }

  @Test
  @Timeout(60)
  void aSpaceIsCheckedAgainstATunerFromTheCommandLine() throws Exception {
    Path space = temp.resolve("space.json");
    Files.writeString(space, "{\"lr\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}");
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      assertThat(check(server, "tpe", space)).isZero();
      assertThat(Files.readString(temp.resolve("out"))).contains("tpe takes the search space of");
      assertThat(check(server, "Batch", space)).isEqualTo(2);
      assertThat(Files.readString(temp.resolve("out")))
          .contains("/lr/_type: Batch does not take 'uniform' (parameter lr); these do: Auto, TPE");
    }
  }

  private int check(ServerProcess server, String tuner, Path space) throws Exception {
    return new ProcessBuilder(
            ServerProcess.command(
                "tuner", "check", tuner, space.toString(), "--server", server.url().toString()))
        .redirectErrorStream(true)
        .redirectOutput(temp.resolve("out").toFile())
        .start()
        .waitFor();
  }

  private String experiments() {
    return "/experiments?base=" + temp.toAbsolutePath();
  }
}
