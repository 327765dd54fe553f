package io.orrery.journeys.servers;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static io.orrery.journeys.ServersTogether.awaitMore;
import static io.orrery.journeys.ServersTogether.owners;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a server as processes of their own, and what each of them may suffer. */
class RolesIT {
  private static final int POINTS = 120;

  @TempDir Path temp;

  /** Tries each of some values once: a tuner that forgot its past would try them again. */
  private String config() throws Exception {
    return NumberedTrials.config(temp, 2, 100_000)
        .replaceFirst("searchSpace: .*", "searchSpace: {x: {_type: randint, _value: [0, 120]}}")
        .replaceFirst("tuner: .*", "tuner: {name: GridSearch}");
  }

  private static void assertMissing(HttpResponse<String> answer, String role) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.body()).contains("/problems/unavailable", "the role " + role);
  }

  private static void awaitAnswer(ServerProcess edge, String path) throws Exception {
    await(
        "an answer at " + path,
        () -> edge.send("GET", path, BodyPublishers.noBody()).statusCode() == 200);
  }

  private static List<String> missing(ServerProcess edge) throws Exception {
    return edge.get("/cluster").get("missingRoles").valueStream().map(JsonNode::textValue).toList();
  }

  private static String status(ServerProcess server) throws Exception {
    Process status =
        new ProcessBuilder(ServerProcess.command("status", "--server", server.url().toString()))
            .start();
    String said =
        new String(status.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(status.waitFor()).isZero();
    return said;
  }

  private static String rehearsed(ServerProcess edge) throws Exception {
    return edge.post(
            "/rehearsals?runs=2",
            """
            trialConcurrency: 2
            maxTrialNumber: 10
            seed: 7
            searchSpace: {x: {_type: uniform, _value: [0, 1]}}
            tuner: {name: TPE, classArgs: {optimize_mode: minimize}}
            trainingService: {platform: simulated, objective: x, duration: 10m}
            """)
        .path("runs")
        .toString();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(600)
  void eachPartMayRunApartAndBeKilled() throws Exception {
    ServersTogether together = new ServersTogether(temp, PostgresServer.newDatabase(), 6, 3);
    try (ServerProcess edge = together.begin("edge", 0, "", "--roles", "gateway,metrics")) {
      edge.ready(PATIENCE);
      assertThat(missing(edge)).containsExactly("orchestrator", "tuner", "router");
      assertMissing(edge.send("GET", "/experiments", BodyPublishers.noBody()), "orchestrator");
      assertMissing(edge.send("GET", "/tuners", BodyPublishers.noBody()), "tuner");
      assertMissing(edge.send("GET", "/routes", BodyPublishers.noBody()), "router");
      assertThat(status(edge))
          .contains("with gateway, metrics: ", "no member has the role orchestrator");

      String called = "http: {advertiseUrl: '" + edge.url() + "'}";
      try (ServerProcess owner = together.begin("owner", 1, called, "--roles", "orchestrator");
          ServerProcess tuner = together.begin("tuner", 2, called, "--roles", "tuner");
          ServerProcess heir = together.begin("heir", 3, called, "--roles", "orchestrator")) {
        owner.ready(PATIENCE);
        tuner.ready(PATIENCE);
        awaitAnswer(edge, "/tuners");
        awaitAnswer(edge, "/experiments");
        heir.ready(PATIENCE);
        String id = edge.post("/experiments", config()).get("id").textValue();
        awaitMore(edge, List.of(id), 3);
        assertThat(missing(edge)).containsExactly("router");
        assertThat(owner.send("GET", "/experiments", BodyPublishers.noBody()).statusCode())
            .as("the API is the gateway's")
            .isEqualTo(404);
        assertThat(owner.text("/metrics")).contains("orrery_leases");

        assertThat(rehearsed(edge)).as("as before").isEqualTo(rehearsed(edge)).contains("DONE");

        // No tuner is there any more: the experiment waits, says for which role, and goes on.
        tuner.kill();
        await("it says what is missing", () -> missing(edge).contains("tuner"));
        await(
            "the experiment waits for a tuner",
            () -> edge.get("/experiments/" + id).path("error").asText().contains("role tuner"));
        try (ServerProcess other = together.begin("other", 4, called, "--roles", "tuner")) {
          other.ready(PATIENCE);
          awaitMore(edge, List.of(id), 5);
          assertThat(edge.get("/experiments/" + id).get("error").isNull()).isTrue();

          // The owner is killed: the other server takes over.
          String first = owners(edge).get(id);
          ServerProcess deciding = first.equals(owner.url().toString()) ? owner : heir;
          ServerProcess left = deciding == owner ? heir : owner;
          deciding.kill();
          await(
              "the other one owns it",
              () -> Map.of(id, left.url().toString()).equals(owners(edge)));
          JsonNode done = edge.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
          assertThat(done.get("status").textValue()).as(left.log()).isEqualTo("DONE");
        }
        List<JsonNode> trials = edge.trials(id);
        NumberedTrials.check(together.shared(), id, trials, POINTS);
        assertThat(trials.stream().map(RolesIT::point))
            .as("each point of the grid was tried, none twice")
            .containsExactlyInAnyOrderElementsOf(LongStream.range(0, POINTS).boxed().toList());
      }
    }
    assertThat(Leftovers.of(together.shared())).isEmpty();
  }

  private static Long point(JsonNode trial) {
    return trial.get("parameters").get("x").longValue();
  }
}
