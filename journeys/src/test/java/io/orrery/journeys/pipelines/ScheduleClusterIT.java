package io.orrery.journeys.pipelines;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Kills each of two servers of one PostgreSQL in turn while a schedule of each second is due. */
@Timeout(600)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class ScheduleClusterIT {
  private static final String NAME = "tick";
  private static final Set<String> MOVING = Set.of("ACCEPTED", "RUNNING");

  @TempDir Path temp;

  private static JsonNode done(ServerProcess server, String method, String path, String body)
      throws Exception {
    HttpResponse<String> answer = server.send(method, path, BodyPublishers.ofString(body));
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return Json.parse(answer.body());
  }

  /** The due runs, the earliest first. */
  private static List<JsonNode> due(ServerProcess server) throws Exception {
    List<JsonNode> all = new ArrayList<>();
    server.get("/due-runs?limit=500&pipeline=" + NAME).get("items").forEach(all::add);
    return all.reversed();
  }

  private static Instant at(JsonNode due) {
    return Instant.parse(due.get("due").textValue());
  }

  private static void awaitOneDueAfter(ServerProcess server, Instant instant) throws Exception {
    await(
        "a due run after " + instant,
        () ->
            due(server).stream()
                .anyMatch(each ->
                    at(each).isAfter(instant) && each.get("status").textValue().equals("created")));
  }

  private static String controller(ServerProcess asked) throws Exception {
    for (JsonNode lease : asked.get("/cluster").get("leases")) {
      if (lease.get("name").textValue().equals("schedules")) {
        return lease.get("url").textValue();
      }
    }
    return "";
  }

  @Test
  void eachInstantRunsOnceWhicheverServerIsKilled() throws Exception {
    ServersTogether servers = new ServersTogether(temp, PostgresServer.newDatabase(), 2, 3);
    Path counter = Files.createFile(servers.shared().resolve("counter"));
    ServerProcess one = servers.begin("one", 0, "");
    ServerProcess other = servers.begin("other", 1, "");
    try {
      one.ready(PATIENCE);
      other.ready(PATIENCE);
      done(
          one,
          "PUT",
          "/pipelines/" + NAME,
          """
          {"name": "tick", "tasks": [{"name": "a", "command": %s}],
           "schedule": {"cron": "* * * * * *", "maxActiveRuns": 200}}
          """
              .formatted(Json.write("echo {{run.due}} >> '" + counter + "'")));
      awaitOneDueAfter(one, Instant.now());
      String first = controller(one);
      boolean oneFirst = first.equals(one.url().toString());

      // The owner of the schedules goes, then the one that took them over.
      Set<String> owners = new TreeSet<>(Set.of(first));
      for (boolean killOne : List.of(oneFirst, !oneFirst, oneFirst)) {
        ServerProcess stays = killOne ? other : one;
        (killOne ? one : other).kill();
        Instant killed = Instant.now();
        awaitOneDueAfter(stays, killed.plusSeconds(1));
        owners.add(controller(stays));
        ServerProcess again = servers.begin(killOne ? "one" : "other", killOne ? 0 : 1, "");
        if (killOne) {
          one = again;
        } else {
          other = again;
        }
        again.ready(PATIENCE);
      }
      assertThat(owners).hasSizeGreaterThan(1);

      ServerProcess asked = one;
      done(asked, "POST", "/pipelines/" + NAME + "/schedule/pause", "");
      await(
          "all runs are over",
          () ->
              due(asked).stream()
                  .noneMatch(each ->
                      each.get("status").textValue().equals("comed")
                          || MOVING.contains(each.get("runStatus").asText())));
      List<JsonNode> due = due(asked);
      List<Instant> instants = due.stream().map(ScheduleClusterIT::at).toList();
      for (int i = 1; i < instants.size(); i++) {
        assertThat(instants.get(i)).isEqualTo(instants.get(i - 1).plusSeconds(1));
      }
      assertThat(due).extracting(each -> each.get("runStatus").asText()).containsOnly("SUCCEEDED");
      assertThat(Files.readAllLines(counter).stream().map(Instant::parse))
          .containsExactlyInAnyOrderElementsOf(instants);
      List<String> runs = new ArrayList<>();
      asked
          .get("/runs?limit=500&pipeline=" + NAME)
          .get("items")
          .forEach(run -> runs.add(run.get("id").textValue()));
      assertThat(runs)
          .containsExactlyInAnyOrderElementsOf(
              due.stream().map(each -> each.get("run").textValue()).toList());
    } finally {
      one.close();
      other.close();
    }
  }
}
