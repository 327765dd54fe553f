package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Plays two projects that share what the server may give. */
class FairSharingIT {
  private static final List<String> FLAGS = List.of("--port", "0", "--router-port", "off");

  @TempDir Path temp;
  private Path code;
  private Path home;

  @BeforeEach
  void layOut() throws Exception {
    home = temp.resolve("home").toAbsolutePath();
    code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), "sleep 0.3\necho 'orrery: final 1'\n");
    Files.writeString(code.resolve("long.sh"), "sleep 600\n");
  }

  private ServerProcess start(Map<String, String> environment) throws Exception {
    ServerProcess server = ServerProcess.begin(home, FLAGS, environment).ready();
    for (String project : List.of("vision", "speech")) {
      HttpResponse<String> put =
          server.send("PUT", "/projects/" + project, BodyPublishers.ofString("{}"));
      assertThat(put.statusCode()).as(put.body()).isIn(200, 201);
    }
    return server;
  }

  private String experiment(
      ServerProcess server, String project, String script, int concurrency, String more)
      throws Exception {
    return server
        .post(
            "/experiments?project=" + project,
            """
            trialCommand: sh %s
            trialCodeDirectory: %s
            trialConcurrency: %d
            maxTrialNumber: %d
            searchSpace: {x: {_type: uniform, _value: [0, 1]}}
            tuner: {name: Random}
            trainingService: {platform: local}
            %s
            """
                .formatted(
                    script,
                    code.toAbsolutePath(),
                    concurrency,
                    script.equals("long.sh") ? concurrency : 10_000,
                    more))
        .get("id")
        .asText();
  }

  private static long used(ServerProcess server, String project) throws Exception {
    return server.get("/projects/" + project + "/usage").at("/used/trials").asLong();
  }

  private static List<String> waiting(ServerProcess server, String id) throws Exception {
    return server.trials(id).stream()
        .filter(trial -> trial.path("status").asText().equals("WAITING"))
        .map(Object::toString)
        .toList();
  }

  @Test
  @Timeout(180)
  void whoHasAllGivesHalfAsItsTrialsEnd() throws Exception {
    try (ServerProcess server = start(Map.of("ORRERY_QUOTA_LIMITS", "{trials: 4}"))) {
      String first = experiment(server, "vision", "trial.sh", 8, "");
      await().atMost(Duration.ofSeconds(30)).until(() -> used(server, "vision") == 4);
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() ->
              waiting(server, first).stream()
                  .anyMatch(trial ->
                      trial.contains(
                          "limit of the server: 4 of 4 trials in use, 4 by vision;"
                              + " place 1 in the queue")));

      String second = experiment(server, "speech", "trial.sh", 8, "");
      await().atMost(Duration.ofSeconds(20)).until(() -> used(server, "speech") == 2);
      // It stays so, though both have trials that end and others that wait.
      await()
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(6))
          .until(() -> Math.abs(used(server, "speech") - used(server, "vision")) <= 1);
      assertThat(waiting(server, second)).isNotEmpty();

      server.post("/experiments/" + second + "/stop", "");
      await().atMost(Duration.ofSeconds(10)).until(() -> used(server, "vision") == 4);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(180)
  void aHigherPriorityGetsWhatBecomesFree() throws Exception {
    try (ServerProcess server = start(Map.of("ORRERY_QUOTA_LIMITS", "{trials: 2}"))) {
      experiment(server, "vision", "trial.sh", 2, "");
      await().atMost(Duration.ofSeconds(30)).until(() -> used(server, "vision") == 2);
      experiment(server, "speech", "long.sh", 2, "priority: 60");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> used(server, "speech") == 2 && used(server, "vision") == 0);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(300)
  void projectsOfTwoServersShareAsThoseOfOne() throws Exception {
    ServersTogether together =
        new ServersTogether(temp.resolve("homes"), PostgresServer.newDatabase(), 2, 6);
    String limits = "quota: {limits: {trials: 4}}\n";
    try (ServerProcess one = together.begin("one", 0, limits);
        ServerProcess two = together.begin("two", 1, limits)) {
      one.ready(ServersTogether.PATIENCE);
      two.ready(ServersTogether.PATIENCE);
      for (String project : List.of("vision", "speech")) {
        one.send("PUT", "/projects/" + project, BodyPublishers.ofString("{}"));
      }
      experiment(one, "vision", "trial.sh", 8, "");
      await().atMost(Duration.ofSeconds(60)).until(() -> used(two, "vision") == 4);

      experiment(two, "speech", "trial.sh", 8, "");
      await().atMost(Duration.ofSeconds(60)).until(() -> used(one, "speech") == 2);
      for (int looks = 0; looks < 30; looks++) {
        long vision = used(one, "vision");
        long speech = used(two, "speech");
        // Two questions, between which one may have given and the other taken.
        assertThat(vision + speech).isLessThanOrEqualTo(5);
        assertThat(Math.abs(vision - speech)).isLessThanOrEqualTo(2);
        await().pollDelay(Duration.ofMillis(100)).until(() -> true);
      }
    }
  }

  private static long counted(ServerProcess server, String id, String status) throws Exception {
    return server.trials(id).stream()
        .filter(trial -> trial.path("status").asText().equals(status))
        .count();
  }

  @Test
  @Timeout(180)
  void trialsThatMayRunAgainEndForAHigherPriorityAndAreTriedAgain() throws Exception {
    try (ServerProcess server =
        start(Map.of("ORRERY_QUOTA_LIMITS", "{trials: 3}", "ORRERY_QUOTA_PREEMPT", "true"))) {
      String once = experiment(server, "vision", "long.sh", 1, "");
      await().atMost(Duration.ofSeconds(30)).until(() -> used(server, "vision") == 1);
      String again = experiment(server, "vision", "long.sh", 2, "retry: {attempts: 3}");
      await().atMost(Duration.ofSeconds(30)).until(() -> used(server, "vision") == 3);

      String urgent = experiment(server, "speech", "long.sh", 3, "priority: 60");
      await().atMost(Duration.ofSeconds(30)).until(() -> counted(server, urgent, "RUNNING") == 2);
      assertThat(counted(server, once, "RUNNING")).isEqualTo(1);
      await().atMost(Duration.ofSeconds(20)).until(() -> counted(server, again, "RUNNING") == 0);
      await().atMost(Duration.ofSeconds(20)).until(() -> waiting(server, again).size() == 2);
      assertThat(counted(server, again, "FAILED")).isZero();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() ->
              assertThat(server.get("/audit?kind=experiment&name=" + again).path("items"))
                  .anySatisfy(entry -> {
                    assertThat(entry.path("action").asText()).isEqualTo("preempt");
                    assertThat(entry.path("detail").asText())
                        .contains("2 of its trials end, of priority 50")
                        .contains("with priority 60");
                  }));
      assertThat(counted(server, once, "RUNNING")).isEqualTo(1);

      server.post("/experiments/" + urgent + "/stop", "");
      await().atMost(Duration.ofSeconds(20)).until(() -> counted(server, again, "RUNNING") == 2);
      assertThat(server.trials(again)).allMatch(trial -> trial.path("attempt").asInt() == 2);
    }
  }
}
