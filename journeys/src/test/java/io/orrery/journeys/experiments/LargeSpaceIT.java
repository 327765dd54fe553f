package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A test of the limits of a configuration (F8): 5,000 parameters of 50 choices are taken. */
@Timeout(180)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class LargeSpaceIT {
  @TempDir Path temp;

  private String config(String name, int parameters) {
    String options =
        IntStream.range(0, 50).mapToObj(Integer::toString).collect(Collectors.joining(","));
    String space =
        IntStream.range(0, parameters)
            .mapToObj(i -> "\"p%d\":{\"_type\":\"choice\",\"_value\":[%s]}".formatted(i, options))
            .collect(Collectors.joining(",", "{", "}"));
    return """
    {"experimentName": "%s", "trialCommand": "echo \\"orrery: final $ORRERY_PARAM_P4999\\"",
     "trialCodeDirectory": "%s", "trialConcurrency": 2, "maxTrialNumber": 4, "searchSpace": %s,
     "tuner": {"name": "TPE"}, "trainingService": {"platform": "local"}}
    """
        .formatted(name, temp, space);
  }

  @Test
  void fiveThousandParametersOfFiftyChoicesAreTakenAndNamesAndSpacesHaveALimit() throws Exception {
    try (ServerProcess server =
        ServerProcess.begin(
                temp.resolve("home"), List.of("--port", "0", "--router-port", "off"), Map.of())
            .ready()) {
      assertThat(refused(server, config("x".repeat(2 << 20), 1)))
          .contains("experimentName has 2,097,152 characters, and may have at most 1,000");
      assertThat(refused(server, config("x", 10_001)))
          .contains("a search space has at most 10,000 parameters");
      assertThat(server.get("/experiments").get("items")).isEmpty();

      String id = server.post("/experiments", config("x", 5_000)).get("id").textValue();
      server.awaitStatus(id, Duration.ofSeconds(120), "DONE");
      List<JsonNode> trials = server.trials(id);
      assertThat(trials).hasSize(4);
      for (JsonNode trial : trials) {
        assertThat(trial.get("parameters")).hasSize(5_000);
        assertThat(trial.get("metric").asInt()).isEqualTo(trial.at("/parameters/p4999").intValue());
      }
    }
  }

  private static String refused(ServerProcess server, String config) throws Exception {
    HttpResponse<String> answer =
        server.send("POST", "/experiments", BodyPublishers.ofString(config));
    assertThat(answer.statusCode()).isEqualTo(400);
    return answer.body();
  }
}
