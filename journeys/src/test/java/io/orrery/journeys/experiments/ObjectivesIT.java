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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An experiment that wants two things of its results. */
class ObjectivesIT {
  /** More x is more of both; trials with the largest n fail, those with the second report half. */
  private static final String CONFIG =
      """
      trialCommand: >-
        case {{params.n}} in
        5) exit 3;;
        4) echo 'orrery: final {"accuracy": 1}';;
        *) echo 'orrery: final {"accuracy": {{params.x}}, "latency": '"$(({{params.x}} + {{params.n}}))"'}';;
        esac
      trialCodeDirectory: .
      trialConcurrency: 4
      maxTrialNumber: 40
      searchSpace:
        x: {_type: randint, _value: [0, 10]}
        n: {_type: randint, _value: [0, 6]}
      objectives:
        - {metric: accuracy, goal: maximize}
        - {metric: latency, goal: minimize}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;

  @Test
  @Timeout(120)
  void itsFrontIsFoundServedAndPrinted() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      JsonNode created = server.post(experiments(), CONFIG);
      String id = created.get("id").textValue();
      assertThat(created.get("tuner").textValue()).isEqualTo("Auto");
      assertThat(created.at("/objectives/1/metric").textValue()).isEqualTo("latency");
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");

      JsonNode front = server.get("/experiments/" + id + "/front");

      assertThat(front.get("items")).isNotEmpty();
      assertThat(front.get("total").intValue()).isEqualTo(front.get("items").size());
      double accuracy = Double.POSITIVE_INFINITY;
      double latency = Double.POSITIVE_INFINITY;
      for (JsonNode item : front.get("items")) {
        assertThat(item.at("/values/accuracy").doubleValue()).isLessThan(accuracy);
        assertThat(item.at("/values/latency").doubleValue()).isLessThan(latency);
        accuracy = item.at("/values/accuracy").doubleValue();
        latency = item.at("/values/latency").doubleValue();
        assertThat(item.at("/parameters/x").doubleValue()).isEqualTo(accuracy);
      }
      List<JsonNode> whole =
          server.trials(id).stream()
              .filter(trial -> trial.at("/parameters/n").intValue() < 4)
              .toList();
      assertThat(front.get("trials").intValue()).isEqualTo(whole.size());
      // One number stands for a trial: that of the first objective.
      assertThat(whole)
          .allSatisfy(trial ->
              assertThat(trial.get("metric").doubleValue())
                  .isEqualTo(trial.at("/parameters/x").doubleValue()));

      assertThat(run(server, "experiment", "front", id)).isZero();
      assertThat(Files.readString(temp.resolve("out")))
          .contains("accuracy (maximize)", "latency (minimize)")
          .contains(front.at("/items/0/trial").textValue());
    }
  }

  @Test
  @Timeout(60)
  void aTunerForOneObjectiveIsRefusedAndOthersAreNamed() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      HttpResponse<String> refused =
          server.send(
              "POST", experiments(), BodyPublishers.ofString(CONFIG + "tuner: {name: TPE}\n"));

      assertThat(refused.statusCode()).isEqualTo(400);
      JsonNode error = Json.parse(refused.body()).at("/errors/0");
      assertThat(error.get("pointer").textValue()).isEqualTo("/objectives");
      assertThat(error.get("message").textValue())
          .contains("TPE takes one objective, not 2", "NSGAII");
    }
  }

  private int run(ServerProcess server, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(ServerProcess.command(arguments));
    command.addAll(List.of("--server", server.url().toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(temp.resolve("out").toFile())
        .start()
        .waitFor();
  }

  private String experiments() {
    return "/experiments?base=" + temp.toAbsolutePath();
  }
}
