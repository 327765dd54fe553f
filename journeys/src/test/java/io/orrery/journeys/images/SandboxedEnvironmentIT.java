package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Environments of a person who is no administrator: pip and all programs run in the sandbox. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(480)
class SandboxedEnvironmentIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Prints what the module says, whether the environment can be written, and a secret. */
  private static final String SAYING =
      EnvironmentJourney.SAYING
          + "; touch $VIRTUAL_ENV/mine 2>/dev/null && echo written; cat '%s/secret' 2>/dev/null;"
          + " echo looked";

  @TempDir Path temp;
  private ServerProcess server;
  private ServerUsers users;
  private Person ann;

  @BeforeEach
  void start() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/bwrap"))).as("bubblewrap").isTrue();
    Process venv = new ProcessBuilder("python3", "-c", "import venv, ensurepip").start();
    assumeTrue(venv.waitFor() == 0, "needs python3-venv");
    Files.createDirectories(home());
    Files.writeString(home().resolve("orrery.yml"), "auth: {users: true}\n");
    server =
        ServerProcess.begin(home(), List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
    users = new ServerUsers(server);
    ann = users.user(users.administrator(), "ann");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      users.close();
      server.close();
    }
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  private JsonNode send(String method, String path, String body, int status) throws Exception {
    Reply reply = users.send(ann, method, "/api/v1" + path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return Json.parse(reply.body());
  }

  private void awaits(String path, String pointer, String wanted) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode found = users.get(ann, "/api/v1" + path).json();
          assertThat(found.at(pointer).asText()).as("%s", found).isEqualTo(wanted);
        });
  }

  private String build() throws Exception {
    Path folder = home().resolve("workspaces/ann/tool");
    for (var file : EnvironmentJourney.context("1.0").entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    send(
        "PUT",
        "/builds/tool",
        "{\"requirements\": \"requirements.txt\", \"context\": {\"workspace\": \"/mnt/ann/tool\"}}",
        201);
    await()
        .atMost(PATIENCE)
        .until(() ->
            List.of("SUCCEEDED", "FAILED")
                .contains(
                    users.get(ann, "/api/v1/builds/tool").json().at("/state/status").asText()));
    JsonNode state = users.get(ann, "/api/v1/builds/tool").json().path("state");
    assertThat(state.path("status").asText())
        .as(state + users.get(ann, "/api/v1/builds/tool/logs").body())
        .isEqualTo("SUCCEEDED");
    return state.path("digest").asText();
  }

  private void assertSaid(String text) {
    assertThat(text).contains("hello from 1.0 ").contains("looked").doesNotContain("written");
  }

  @Test
  void trialsStepsAndServicesOfAPersonRunInItAndCannotChangeIt() throws Exception {
    String digest = build();
    String saying = SAYING.formatted(home());

    String trial =
        """
        trialCommand: |
          %s; echo 'orrery: final 1'
        trialCodeDirectory: /usr/share
        trialConcurrency: 1
        maxTrialNumber: 1
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random}
        trainingService: {platform: local, image: "env:tool"}
        """
            .formatted(saying);
    String experiment = send("POST", "/experiments", trial, 201).path("id").asText();
    awaits("/experiments/" + experiment, "/status", "DONE");
    String trials = "/api/v1/experiments/" + experiment + "/trials";
    String first = users.get(ann, trials).json().at("/items/0/id").asText();
    assertSaid(users.get(ann, trials + "/" + first + "/logs/stdout").body());

    send(
        "PUT",
        "/pipelines/greeting",
        Json.write(
            Map.of(
                "tasks", List.of(Map.of("name", "greet", "image", "env:tool", "command", saying)))),
        201);
    String run = send("POST", "/pipelines/greeting/run", "{}", 201).path("id").asText();
    awaits("/runs/" + run, "/status", "SUCCEEDED");
    assertSaid(users.get(ann, "/api/v1/runs/" + run + "/steps/greet/logs/stdout").body());

    send(
        "PUT",
        "/services/hello",
        Json.write(
            Map.of(
                "name",
                "hello",
                "image",
                "env:tool",
                "command",
                "{ " + saying + "; } ; exec python -m http.server $PORT --bind 127.0.0.1",
                "ports",
                List.of(8080))),
        201);
    awaits("/services/hello", "/state/status", "READY");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertSaid(users.get(ann, "/api/v1/services/hello/logs").body()));

    Path directory =
        home().resolve("builds/public/environments").resolve(digest.substring("sha256:".length()));
    assertThat(directory.resolve("complete")).exists();
    assertThat(directory.resolve("mine")).doesNotExist();
    assertThat(users.get(ann, "/api/v1/retention").status()).isEqualTo(403);
  }
}
