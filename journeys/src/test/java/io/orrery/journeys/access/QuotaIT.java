package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Trials that wait for the quota of their project, and start as soon as there is room. */
class QuotaIT {
  private static String config(Path code, int concurrency, String more) {
    return """
    trialCommand: sh trial.sh
    trialCodeDirectory: %s
    trialConcurrency: %d
    maxTrialNumber: %d
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random}
    trainingService: {platform: local}
    %s
    """
        .formatted(code.toAbsolutePath(), concurrency, concurrency, more);
  }

  private static void limit(ServerProcess server, String quota) throws Exception {
    HttpResponse<String> put =
        server.send(
            "PUT", "/projects/vision", BodyPublishers.ofString("{\"quota\": " + quota + "}"));
    assertThat(put.statusCode()).as(put.body()).isIn(200, 201);
  }

  private static long running(ServerProcess server, String id) throws Exception {
    return server.trials(id).stream()
        .filter(trial -> trial.path("status").asText().equals("RUNNING"))
        .count();
  }

  private static List<String> reasons(ServerProcess server, String id) throws Exception {
    return server.trials(id).stream()
        .filter(trial -> trial.path("status").asText().equals("WAITING"))
        .map(Object::toString)
        .toList();
  }

  private static long used(ServerProcess server) throws Exception {
    return server.get("/projects/vision/usage").at("/used/trials").asLong();
  }

  @Test
  @Timeout(180)
  void trialsWaitForTheQuotaAndStartWithinASecondOfARelease(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code"));
    Path gate = temp.resolve("go").toAbsolutePath();
    Files.writeString(
        code.resolve("trial.sh"),
        "while [ ! -e %s ]; do sleep 0.1; done\necho 'orrery: final 1'\n".formatted(gate));
    try (ServerProcess server = ServerProcess.start(home)) {
      limit(server, "{\"trials\": 3}");
      String first =
          server.post("/experiments?project=vision", config(code, 2, "")).get("id").asText();
      await().atMost(Duration.ofSeconds(30)).until(() -> running(server, first) == 2);
      String second =
          server.post("/experiments?project=vision", config(code, 4, "")).get("id").asText();
      await().atMost(Duration.ofSeconds(30)).until(() -> running(server, second) == 1);
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() ->
              reasons(server, second).stream()
                  .anyMatch(trial -> trial.contains("quota of vision: 3 of 3 trials in use")));

      JsonNode usage = server.get("/projects/vision/usage");
      assertThat(usage.at("/limits/trials").asLong()).isEqualTo(3);
      assertThat(usage.at("/used/trials").asLong()).isEqualTo(3);
      assertThat(usage.get("objects"))
          .extracting(each -> each.get("kind").asText() + "/" + each.get("name").asText())
          .containsExactlyInAnyOrder("experiment/" + first, "experiment/" + second);

      server.post("/experiments/" + first + "/stop", "");
      await()
          .atMost(Duration.ofSeconds(10))
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> server.get("/experiments/" + first).path("status").asText().equals("STOPPED"));
      long stopped = System.nanoTime();
      await()
          .atMost(Duration.ofSeconds(1))
          .pollInterval(Duration.ofMillis(50))
          .until(() -> running(server, second) == 3);
      System.out.printf(
          "two trials started %d ms after those that held the quota had stopped%n",
          (System.nanoTime() - stopped) / 1_000_000);

      limit(server, "{\"trials\": 4}");
      await()
          .atMost(Duration.ofSeconds(1))
          .pollInterval(Duration.ofMillis(50))
          .until(() -> running(server, second) == 4);
      Files.createFile(gate);
      server.awaitStatus(second, Duration.ofSeconds(60), "DONE");
      await().atMost(Duration.ofSeconds(5)).until(() -> used(server) == 0);
    }
  }

  @Test
  @Timeout(180)
  void whatNeverFitsIsRefusedAndAKilledServerKeepsItsCount(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), "sleep 600\n");
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      limit(server, "{\"trials\": 0}");
      HttpResponse<String> refused =
          server.send(
              "POST", "/experiments?project=vision", BodyPublishers.ofString(config(code, 1, "")));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body())
          .contains("a trial of it is charged 1 trial, and the quota of vision is 0");
      HttpResponse<String> wrong =
          server.send(
              "PUT",
              "/projects/vision",
              BodyPublishers.ofString("{\"quota\": {\"gpus\": 2, \"memory\": \"much\"}}"));
      assertThat(wrong.statusCode()).isEqualTo(400);
      assertThat(wrong.body()).contains("/quota/gpus", "'much' is no amount");

      limit(server, "{\"gpu\": 2, \"trials\": 2}");
      id = server.post("/experiments?project=vision", config(code, 4, "")).get("id").asText();
      await().atMost(Duration.ofSeconds(30)).until(() -> running(server, id) == 2);
      server.kill();
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      await().atMost(Duration.ofSeconds(30)).until(() -> running(server, id) == 2);
      assertThat(used(server)).isEqualTo(2);
      assertThat(reasons(server, id)).hasSize(2);
      server.post("/experiments/" + id + "/stop", "");
      server.awaitStatus(id, Duration.ofSeconds(60), "STOPPED");
      await().atMost(Duration.ofSeconds(5)).until(() -> used(server) == 0);
    }
  }

  private static JsonNode state(ServerProcess server) throws Exception {
    return server.get("/services/sleeper").get("state");
  }

  private static long ready(ServerProcess server) throws Exception {
    long ready = 0;
    for (JsonNode replica : state(server).get("replicas")) {
      ready += replica.path("phase").asText().equals("READY") ? 1 : 0;
    }
    return ready;
  }

  private static HttpResponse<String> service(ServerProcess server, String cpu) throws Exception {
    return server.send(
        "PUT",
        "/services/sleeper?project=vision",
        BodyPublishers.ofString(
            """
            {"command": "exec sleep 600", "stage": "production",
             "replicas": {"min": 3, "max": 3}, "resources": {"cpu": "%s"}}
            """
                .formatted(cpu)));
  }

  @Test
  @Timeout(180)
  void replicasWaitForTheQuotaAndAreChargedUntilTheyAreGone(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      limit(server, "{\"cpu\": 2}");
      assertThat(service(server, "3").body())
          .contains("a replica of it is charged 3 cores, and the quota of vision is 2");
      HttpResponse<String> put = service(server, "1");
      assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
      await().atMost(Duration.ofSeconds(30)).until(() -> ready(server) == 2);
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() ->
              state(server).path("reason").asText().contains("quota of vision: 2 of 2 cores"));

      server.kill();
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      await().atMost(Duration.ofSeconds(30)).until(() -> ready(server) == 2);
      limit(server, "{\"cpu\": 4}");
      await().atMost(Duration.ofSeconds(10)).until(() -> ready(server) == 3);
      assertThat(server.get("/projects/vision/usage").at("/used/cpu").asInt()).isEqualTo(3);
      assertThat(server.get("/projects/vision/usage").at("/used/services").asInt()).isEqualTo(1);
      server.post("/services/sleeper/clear", "");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> server.get("/projects/vision/usage").get("used").isEmpty());
    }
  }

  @Test
  @Timeout(180)
  void aRunWaitsUntilAnotherOneIsOver(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      limit(server, "{\"runs\": 1}");
      HttpResponse<String> put =
          server.send(
              "PUT",
              "/pipelines/slow",
              BodyPublishers.ofString(
                  """
                  {"project": "vision", "tasks": [{"name": "wait", "command": "sleep 600"}]}
                  """));
      assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
      String first = server.post("/pipelines/slow/run", "{}").get("id").asText();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> server.get("/runs/" + first).at("/steps/0/status").asText().equals("RUNNING"));
      String second = server.post("/pipelines/slow/run", "{}").get("id").asText();
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() ->
              server
                  .get("/runs/" + second)
                  .at("/steps/0/reason")
                  .asText()
                  .contains("quota of vision: 1 of 1 run in use"));
      String third = server.post("/pipelines/slow/run", "{}").get("id").asText();
      server.post("/runs/" + third + "/stop", "");
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> server.get("/runs/" + third).path("status").asText().equals("STOPPED"));

      server.post("/runs/" + first + "/stop", "");
      await()
          .atMost(Duration.ofSeconds(10))
          .until(
              () -> server.get("/runs/" + second).at("/steps/0/status").asText().equals("RUNNING"));
      server.post("/runs/" + second + "/stop", "");
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> server.get("/projects/vision/usage").get("used").isEmpty());
    }
  }

  private static JsonNode run(ServerProcess server, String status) throws Exception {
    String id = server.post("/pipelines/maker/run", "{}").get("id").asText();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !server.get("/runs/" + id).path("endedAt").isNull());
    JsonNode run = server.get("/runs/" + id);
    assertThat(run.path("status").asText()).as("%s", run).isEqualTo(status);
    return run;
  }

  private static long storage(ServerProcess server) throws Exception {
    return server.get("/projects/vision/usage").at("/used/storage").asLong();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(180)
  void artifactsOfRunsAreChargedUntilTheirRunIsDeleted(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String first;
    try (ServerProcess server = ServerProcess.start(home)) {
      limit(server, "{\"storage\": \"3M\"}");
      server.send(
          "PUT",
          "/pipelines/maker",
          BodyPublishers.ofString(
              """
              {"project": "vision", "tasks": [{
                "name": "make",
                "command": "head -c 1600000 /dev/urandom > $ORRERY_OUTPUTS/o",
                "outputs": {"o": {"path": "o"}}}]}
              """));
      first = run(server, "SUCCEEDED").get("id").asText();
      assertThat(storage(server)).isEqualTo(2 << 20);

      assertThat(run(server, "FAILED").at("/steps/0/reason").asText())
          .contains("1.5M of storage", "do not fit", "quota of vision: 2M of 3M of storage");
      assertThat(storage(server)).isEqualTo(2 << 20);
      server.kill();
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      assertThat(storage(server)).isEqualTo(2 << 20);
      assertThat(server.send("DELETE", "/runs/" + first, BodyPublishers.noBody()).statusCode())
          .isLessThan(300);
      await().atMost(Duration.ofSeconds(5)).until(() -> storage(server) == 0);

      run(server, "SUCCEEDED");
      limit(server, "{\"storage\": \"4M\"}");
      run(server, "SUCCEEDED");
      // Twice 1.53 MiB.
      assertThat(storage(server)).isEqualTo(4L << 20);
    }
  }

  private static HttpResponse<String> upload(ServerProcess server, String name, int bytes)
      throws Exception {
    return server.send("PUT", "/files/ann/" + name, BodyPublishers.ofByteArray(new byte[bytes]));
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(180)
  void filesOfAPersonAreChargedToTheProjectPublicUntilTheyAreDeleted(@TempDir Path temp)
      throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      HttpResponse<String> put =
          server.send(
              "PUT",
              "/projects/public",
              BodyPublishers.ofString("{\"title\": \"P\", \"quota\": {\"storage\": \"3M\"}}"));
      assertThat(put.statusCode()).as(put.body()).isLessThan(300);
      assertThat(upload(server, "a.bin", 1_600_000).statusCode()).isEqualTo(201);
      assertThat(server.get("/projects/public/usage").at("/used/storage").asLong())
          .isEqualTo(2 << 20);
      assertThat(server.get("/projects/public/usage").toString()).contains("workspace");

      HttpResponse<String> refused = upload(server, "b.bin", 1_600_000);
      assertThat(refused.statusCode()).isEqualTo(413);
      assertThat(refused.body())
          .contains(
              "/mnt/ann/b.bin (1.5M of storage) does not fit",
              "quota of public: 2M of 3M of storage");
      // An upload that does not say how long it is.
      assertThat(
              server
                  .send(
                      "PUT",
                      "/files/ann/b.bin",
                      BodyPublishers.ofInputStream(
                          () -> new ByteArrayInputStream(new byte[1_600_000])))
                  .statusCode())
          .isEqualTo(413);
      assertThat(upload(server, "c.bin", 900_000).statusCode()).isEqualTo(201);
      assertThat(server.get("/projects/public/usage").at("/used/storage").asLong())
          .isEqualTo(3 << 20);

      for (String name : List.of("a.bin", "c.bin")) {
        assertThat(
                server.send("DELETE", "/files/ann/" + name, BodyPublishers.noBody()).statusCode())
            .isEqualTo(204);
      }
      assertThat(server.get("/projects/public/usage").at("/used").isEmpty()).isTrue();
    }
  }
}
