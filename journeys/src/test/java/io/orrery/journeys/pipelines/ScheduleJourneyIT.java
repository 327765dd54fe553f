package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs pipelines by schedules of seconds on a real server. */
@Timeout(180)
class ScheduleJourneyIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String OK = "echo 'orrery: output v 1'";
  private static final String EACH_SECOND = "* * * * * *";

  @TempDir Path temp;
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    Files.createDirectories(home());
    begin();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void begin() throws Exception {
    server =
        ServerProcess.begin(home(), List.of("--port", "0", "--router-port", "off"), Map.of())
            .ready();
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("a home");
  }

  // ---- acting --------------------------------------------------------------------------------

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return server.send(method, path, BodyPublishers.ofString(body));
  }

  private JsonNode done(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = send(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return Json.parse(answer.body());
  }

  private void pipeline(String name, String command, String schedule) throws Exception {
    done(
        "PUT",
        "/pipelines/" + name,
        """
        {"name": "%s", "tasks": [{"name": "a", "command": %s, "outputs": {"v": {"value": "v"}}}],
         "schedule": %s}
        """
            .formatted(name, Json.write(command), schedule));
  }

  /** The due runs, the earliest first. */
  private List<JsonNode> due(String pipeline) throws Exception {
    List<JsonNode> all = new ArrayList<>();
    JsonNode page = server.get("/due-runs?limit=500&pipeline=" + pipeline);
    StreamSupport.stream(page.get("items").spliterator(), false).forEach(all::add);
    return all.reversed();
  }

  private static List<String> texts(List<JsonNode> all, String key) {
    return all.stream().map(each -> each.get(key).asText()).toList();
  }

  private List<JsonNode> awaitDue(String pipeline, int count, String key, String value) {
    await()
        .atMost(PATIENCE)
        .until(() ->
            due(pipeline).stream().filter(due -> due.get(key).asText().equals(value)).count()
                >= count);
    try {
      return due(pipeline);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void assertEachSecondOnce(List<JsonNode> due) {
    List<Instant> instants = texts(due, "due").stream().map(Instant::parse).toList();
    for (int i = 1; i < instants.size(); i++) {
      assertThat(instants.get(i)).isEqualTo(instants.get(i - 1).plusSeconds(1));
    }
    assertThat(texts(due, "run")).doesNotHaveDuplicates();
  }

  // ---- journeys ------------------------------------------------------------------------------

  @Test
  void eachSecondHasOneRunWithTheInstantFrozenAndNoneIsEarly() throws Exception {
    pipeline(
        "tick",
        "echo \"orrery: output v {{run.due}} {{date(run.due - 1d, \\\"yyyy-MM-dd\\\")}}\""
            .replace("\\\"", "\""),
        "{\"cron\": \"%s\", \"maxActiveRuns\": 100}".formatted(EACH_SECOND));

    awaitDue("tick", 10, "runStatus", "SUCCEEDED");
    done("POST", "/pipelines/tick/schedule/pause", "");
    List<JsonNode> due = due("tick");

    assertEachSecondOnce(due);
    assertThat(due.subList(0, 10))
        .allSatisfy(each -> {
          Instant at = Instant.parse(each.get("due").asText());
          Instant submitted = Instant.parse(each.get("submittedAt").asText());
          assertThat(submitted).isAfterOrEqualTo(at);
        });
    JsonNode run = server.get("/runs/" + due.getFirst().get("run").asText());
    String at = due.getFirst().get("due").asText();
    assertThat(run.get("trigger").asText()).isEqualTo("schedule");
    assertThat(Instant.parse(run.get("due").asText())).isEqualTo(Instant.parse(at));
    assertThat(run.at("/steps/0/outputs/v/value").asText())
        .isEqualTo(
            "%s %s"
                .formatted(
                    Instant.parse(at),
                    Instant.parse(at).minus(1, ChronoUnit.DAYS).toString().substring(0, 10)));
    long created = server.get("/runs?limit=500&pipeline=tick").get("items").size();
    assertThat(created)
        .isEqualTo(
            due.stream().filter(each -> each.get("status").asText().equals("created")).count());
  }

  @Test
  void aServerThatWasKilledMakesUpForWhatItMissedAndRunsNothingTwice() throws Exception {
    pipeline("kept", OK, "{\"cron\": \"%s\", \"maxActiveRuns\": 100}".formatted(EACH_SECOND));
    awaitDue("kept", 3, "status", "created");
    server.kill();
    Instant killed = Instant.now();
    // A second begins while no server is there.
    await().until(() -> Instant.now().isAfter(killed.plusMillis(1_100)));
    begin();
    Instant back = Instant.now();
    await()
        .atMost(PATIENCE)
        .until(() ->
            due("kept").stream()
                .anyMatch(due -> Instant.parse(due.get("due").asText()).isAfter(back)));
    done("POST", "/pipelines/kept/schedule/pause", "");
    await()
        .atMost(PATIENCE)
        .until(() ->
            due("kept").stream()
                .noneMatch(
                    due -> List.of("RUNNING", "ACCEPTED").contains(due.get("runStatus").asText())));

    List<JsonNode> due = due("kept");
    assertEachSecondOnce(due);
    assertThat(texts(due, "due").stream().map(Instant::parse))
        .anyMatch(at -> at.isAfter(killed) && at.isBefore(back));
    assertThat(server.get("/runs?limit=500&pipeline=kept").get("items").size())
        .isEqualTo(due.stream().filter(each -> !each.get("run").isNull()).count());
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aRunThatDependsOnAFailedOneWaitsWithTheReasonUntilThatIsSkipped() throws Exception {
    Path good = temp.resolve("good");
    pipeline(
        "chain",
        "test -e '%s' && %s".formatted(good, OK),
        "{\"cron\": \"%s\", \"dependsOnPast\": true, \"timeZone\": \"Europe/Berlin\"}"
            .formatted(EACH_SECOND));
    awaitDue("chain", 1, "runStatus", "FAILED");
    await().atMost(PATIENCE).until(() -> due("chain").size() > 2);

    List<JsonNode> due = due("chain");
    assertThat(due.get(1).get("status").asText()).isEqualTo("comed");
    assertThat(due.get(1).get("reason").asText()).contains("FAILED: retry it, or skip it");
    assertThat(due.get(2).get("reason").asText()).contains("which waits as well");
    assertThat(server.get("/runs?pipeline=chain").get("items").size()).isEqualTo(1);

    done("POST", "/pipelines/chain/schedule/pause", "");
    assertThat(due("chain").get(1).get("reason").asText()).contains("paused");
    Files.createFile(good);
    String first = due.getFirst().get("id").asText();
    assertThat(done("POST", "/due-runs/" + first + "/skip", "").get("status").asText())
        .isEqualTo("skipped");
    done("POST", "/pipelines/chain/schedule/resume", "");
    awaitDue("chain", 2, "runStatus", "SUCCEEDED");

    JsonNode again = done("POST", "/due-runs/" + first + "/again", "");
    assertThat(again.get("status").asText()).isEqualTo("comed");
    await()
        .atMost(PATIENCE)
        .until(
            () -> server.get("/due-runs/" + first).get("runStatus").asText().equals("SUCCEEDED"));
    assertThat(server.get("/due-runs/" + first).get("run").asText())
        .isNotEqualTo(due.getFirst().get("run").asText());
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aBackfillIsPreviewedAndASecondOneHasNothingToDo() throws Exception {
    pipeline("past", OK, "{\"cron\": \"0 3 * * *\", \"maxActiveRuns\": 50, \"keep\": 4}");
    String span = "{\"from\": \"2026-03-01T00:00:00Z\", \"to\": \"2026-03-07T00:00:00Z\"}";

    JsonNode preview = done("POST", "/pipelines/past/schedule/backfill?dryRun=true", span);
    assertThat(preview.get("items")).hasSize(6);
    String check = span.replace("}", ", \"dryRun\": true}");
    assertThat(done("POST", "/pipelines/past/schedule/backfill", check)).isEqualTo(preview);
    assertThat(due("past")).isEmpty();
    done("POST", "/pipelines/past/schedule/backfill", span);
    awaitDue("past", 6, "runStatus", "SUCCEEDED");
    assertThat(done("POST", "/pipelines/past/schedule/backfill", span).get("items")).isEmpty();
    assertThat(
            send(
                    "POST",
                    "/pipelines/past/schedule/backfill",
                    "{\"from\": \"2026-03-01T00:00:00Z\", \"to\": \"9000-03-07T00:00:00Z\"}")
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void aScheduleIsAPartOfTheDocumentAndIsRefusedWithItsPlace() throws Exception {
    pipeline("doc", OK, "{\"cron\": \"0 3 * * *\"}");
    assertThat(server.get("/pipelines/doc/schedule").get("upcoming")).hasSize(5);
    JsonNode wrong =
        Json.parse(send("PUT", "/pipelines/doc/schedule", "{\"cron\": \"0 25 * * *\"}").body());
    assertThat(wrong.at("/errors/0/pointer").asText()).isEqualTo("/cron");
    JsonNode dry =
        done("PUT", "/pipelines/doc/schedule?dryRun=true", "{\"cron\": [\"0 4 * * MON\"]}");
    assertThat(dry.get("upcoming").get(0).asText()).contains("T04:00:00");
    assertThat(server.get("/pipelines/doc").get("revision").asInt()).isEqualTo(1);
    assertThat(done("POST", "/pipelines/doc/schedule/pause?dryRun=true", "").get("paused"))
        .isEqualTo(BooleanNode.FALSE);
    assertThat(server.get("/pipelines/doc/schedule").get("paused").booleanValue()).isFalse();

    done("PUT", "/pipelines/doc/schedule", "cron: 0 4 * * MON\ntimeZone: Europe/Berlin\n");
    assertThat(server.get("/pipelines/doc").at("/schedule/timeZone").asText())
        .isEqualTo("Europe/Berlin");
    assertThat(send("DELETE", "/pipelines/doc/schedule", "").statusCode()).isEqualTo(204);
    assertThat(send("GET", "/pipelines/doc/schedule", "").statusCode()).isEqualTo(404);
    assertThat(server.get("/pipelines/doc").has("schedule")).isFalse();
    assertThat(send("DELETE", "/pipelines/doc", "").statusCode()).isEqualTo(204);
  }
}
