package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials with parameters that a person chose. */
class CustomTrialsIT {
  @TempDir Path temp;

  @Test
  void whatNoTrialCouldBeGivenIsRefusedAndTheRestIsTaken() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      String id =
          server
              .post(
                  "/experiments?base=" + temp.toAbsolutePath(),
                  """
                  trialCommand: 'sleep 60; : {{params.lr}} {{params.opt.rate}}'
                  trialCodeDirectory: .
                  trialConcurrency: 1
                  maxTrialNumber: 5
                  searchSpace:
                    lr: {_type: uniform, _value: [0, 1]}
                    opt: {_type: choice, _value: [{_name: a, rate: {_type: choice, _value: [1, 2]}}]}
                  tuner: {name: Random, classArgs: {optimize_mode: maximize}}
                  trainingService: {platform: local}
                  """)
              .get("id")
              .textValue();
      String trials = "/experiments/" + id + "/trials";

      HttpResponse<String> refused =
          server.send(
              "POST",
              trials,
              BodyPublishers.ofString(
                  "{\"parameters\": {\"lrr\": 0.5, \"opt\": {\"_name\": \"a\"}}}"));
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
      assertThat(Json.parse(refused.body()).get("errors").findValuesAsText("pointer"))
          .containsExactly("/parameters/lrr", "/parameters/opt/rate");
      assertThat(
              server
                  .send("POST", trials, BodyPublishers.ofString("{\"parameters\": []}"))
                  .statusCode())
          .isEqualTo(400);

      JsonNode taken = server.post(trials, "{\"lr\": 7, \"opt\": {\"_name\": \"a\", \"rate\": 2}}");
      assertThat(taken.get("parameters").get("lr").intValue()).isEqualTo(7);
      assertThat(taken.get("notices").get(0).textValue())
          .isEqualTo("lr is 7, outside the search space: it has values from 0 to 1.");

      server.post("/experiments/" + id + "/stop", "");
      server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
      assertThat(home.resolve("experiments").resolve(id)).exists();
      server.send("DELETE", "/experiments/" + id, BodyPublishers.noBody());
      assertThat(home.resolve("experiments").resolve(id)).doesNotExist();
    }
  }
}
