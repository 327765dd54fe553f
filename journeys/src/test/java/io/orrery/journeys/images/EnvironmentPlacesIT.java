package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs programs in an environment that a schedule, an experiment or a shell of a task names. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class EnvironmentPlacesIT extends EnvironmentJourney {
  private static final Duration LONG = PATIENCE.multipliedBy(3);

  /** Builds version 1.0, and returns what its program prints. */
  private String built() throws Exception {
    String place = workspace(context("1.0"));
    send("PUT", "/builds/tool", document("requirements.txt", "workspace", place), 201);
    JsonNode built = ended("tool");
    assertThat(built.path("status").asText()).as(log("tool")).isEqualTo("SUCCEEDED");
    Path directory =
        home()
            .resolve("builds/public/environments")
            .resolve(built.path("digest").asText().substring("sha256:".length()));
    return "hello from 1.0 %s %s".formatted(directory, directory);
  }

  private static ObjectNode greet() {
    ObjectNode greet = task("greet", "env:tool");
    greet.putObject("outputs").putObject("said").put("value", "said");
    return greet;
  }

  @Test
  void aRunOfAScheduleHasTheEnvironmentOfTheMomentAtWhichItWasDue() throws Exception {
    String said = built();
    ObjectNode document = pipeline(greet());
    document.putObject("schedule").put("cron", "0 3 * * *").put("maxActiveRuns", 4);
    send("PUT", "/pipelines/greeting", document, 201);

    send(
        "POST",
        "/pipelines/greeting/schedule/backfill",
        "{\"from\": \"2026-03-01T00:00:00Z\", \"to\": \"2026-03-03T00:00:00Z\"}",
        200);

    await()
        .atMost(LONG)
        .untilAsserted(() -> {
          JsonNode due = server.get("/due-runs?limit=10&pipeline=greeting").path("items");
          assertThat(due).as("%s", due).hasSize(2);
          assertThat(due.findValuesAsText("runStatus"))
              .as("%s", due)
              .containsExactly("SUCCEEDED", "SUCCEEDED");
        });
    for (JsonNode due : server.get("/due-runs?limit=10&pipeline=greeting").path("items")) {
      JsonNode run = server.get("/runs/" + due.path("run").asText());
      assertThat(run.path("trigger").asText()).isIn("schedule", "backfill");
      assertThat(run.toString()).contains(said);
    }
  }

  @Test
  void anExperimentOfSeveralPlatformsHasItOnThoseThatNameIt() throws Exception {
    String said = built();
    Path code = Files.createDirectories(temp.resolve("trial"));
    ObjectNode config = Json.MAPPER.createObjectNode();
    config
        .put(
            "trialCommand",
            "echo \"in ${VIRTUAL_ENV:-none}\"; if [ -n \"$VIRTUAL_ENV\" ]; then "
                + SAYING
                + "; fi;"
                + " sleep 2; python3 -c 'import nni; nni.get_next_parameter();"
                + " nni.report_final_result(1)'")
        .put("trialCodeDirectory", code.toString())
        .put("trialConcurrency", 2)
        .put("maxTrialNumber", 2);
    config
        .putObject("searchSpace")
        .putObject("x")
        .put("_type", "uniform")
        .putArray("_value")
        .add(0)
        .add(1);
    config.putObject("tuner").put("name", "Random");
    ObjectNode hybrid = config.putObject("trainingService").put("platform", "hybrid");
    var services = hybrid.putArray("services");
    services.addObject().put("platform", "local").put("name", "plain").put("capacity", 1);
    services
        .addObject()
        .put("platform", "local")
        .put("name", "packed")
        .put("capacity", 1)
        .put("image", "env:tool");

    String id = send("POST", "/experiments", config, 201).path("id").asText();
    server.awaitStatus(id, LONG, "DONE");

    List<String> logs = new ArrayList<>();
    for (JsonNode trial : server.trials(id)) {
      String log = "/experiments/" + id + "/trials/" + trial.path("id").asText() + "/logs/stdout";
      logs.add(server.send("GET", log, BodyPublishers.noBody()).body());
    }
    assertThat(logs)
        .hasSize(2)
        .anyMatch(log -> log.contains("in none"))
        .anyMatch(log -> log.contains(said));
    assertThat(server.get("/retention/preview?kind=environments&keepDays=1").path("items"))
        .as("it is new")
        .isEmpty();
  }

  @Test
  void aShellInThePlaceOfATaskIsInItsEnvironment() throws Exception {
    String said = built();
    send("PUT", "/pipelines/greeting", pipeline(greet()), 201);

    Ended shell =
        orrery(new String[] {"task", "debug", "greeting", "greet"}, SAYING + "\nexit 7\n");

    assertThat(shell.out()).as(shell.err()).contains(said);
    assertThat(shell.code()).isEqualTo(7);
    send("POST", "/pipelines/greeting/tasks/greet/clear", "", 200);
  }
}
