package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs programs of people on a server that keeps them apart, through its public door. */
class SandboxIT {
  /** A program that prints what it finds of the server's secrets, and a word at its end. */
  private static final String SPY =
      "cat '%1$s/server.json' '%1$s/secret' '%1$s/orrery.yml' 2>/dev/null;"
          + " printenv DATABASE_PASSWORD ORRERY_SECRET; cat /proc/%2$d/environ 2>/dev/null;"
          + " ls /run/podman /root/.ssh 2>/dev/null; echo looked";

  @TempDir Path temp;
  private ServerProcess server;
  private ServerUsers users;
  private Person ann;

  @BeforeEach
  void start() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/bwrap"))).as("bubblewrap").isTrue();
    Files.createDirectories(home());
    Files.writeString(home().resolve("orrery.yml"), "auth: {users: true}\n");
    server = begin();
    users = new ServerUsers(server);
    ann = users.user(users.administrator(), "ann");
  }

  private ServerProcess begin() throws Exception {
    return ServerProcess.begin(
            home(),
            List.of("--port", "0", "--router-port", "0"),
            Map.of("DATABASE_PASSWORD", "sesame"))
        .ready();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      users.close();
      server.close();
    }
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("a home");
  }

  private Reply post(String path, String body, int status) throws Exception {
    Reply reply = users.send(ann, "POST", path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return reply;
  }

  private static String configuration(String command, String code) {
    return """
    trialCommand: |
      %s
    trialCodeDirectory: %s
    trialConcurrency: 1
    maxTrialNumber: 1
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: local}
    """
        .formatted(command, code);
  }

  private String experiment(String command, String code) throws Exception {
    return post("/api/v1/experiments", configuration(command, code), 201)
        .json()
        .get("id")
        .textValue();
  }

  private void awaitStatus(String experiment, String status) {
    await()
        .atMost(Duration.ofSeconds(40))
        .untilAsserted(() ->
            assertThat(
                    users
                        .get(ann, "/api/v1/experiments/" + experiment)
                        .json()
                        .get("status")
                        .asText())
                .isEqualTo(status));
  }

  private String log(String experiment, String stream) throws Exception {
    String trial =
        users
            .get(ann, "/api/v1/experiments/" + experiment + "/trials")
            .json()
            .at("/items/0/id")
            .textValue();
    return users
        .get(ann, "/api/v1/experiments/" + experiment + "/trials/" + trial + "/logs/" + stream)
        .body();
  }

  @Test
  void aTrialReadsNothingOfTheServersAndReportsItsResult() throws Exception {
    String id =
        experiment(
            SPY.formatted(home(), server.pid()) + "; echo 'orrery: final 0.5'", "/usr/share");
    awaitStatus(id, "DONE");

    assertThat(log(id, "stdout").strip().lines().toList())
        .containsExactly("looked", "orrery: final 0.5");
    assertThat(users.get(ann, "/api/v1/experiments/" + id).json().at("/best/metric").doubleValue())
        .isEqualTo(0.5);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aTrialWritesWhereItsOutputBelongsAndOutlivesAServerThatIsKilled() throws Exception {
    String id =
        experiment(
            "echo kept > \"$NNI_OUTPUT_DIR/model\"; touch /usr/share/orrery-was-here;"
                + " python3 -c 'import time; time.sleep(6)'; echo 'orrery: final 1'",
            "/usr/share");
    await().atMost(Duration.ofSeconds(30)).until(() -> !log(id, "stderr").isEmpty());
    int port = server.url().getPort();
    server.kill();
    server =
        ServerProcess.begin(home(), List.of("--port", "" + port, "--router-port", "0"), Map.of())
            .ready();
    users.moveTo(server);
    awaitStatus(id, "DONE");

    assertThat(log(id, "stderr")).contains("Read-only file system");
    assertThat(Path.of("/usr/share/orrery-was-here")).doesNotExist();
  }

  @Test
  void trialsAndStepsSeeTheWorkspaceOfTheirPersonAndOfNoOther() throws Exception {
    Reply uploaded = users.send(ann, "PUT", "/api/v1/files/ann/in.txt", "here");
    assertThat(uploaded.status()).as(uploaded.body()).isEqualTo(201);
    String id =
        experiment(
            "cat /mnt/ann/in.txt; pwd; echo out > /mnt/ann/out.txt; echo 'orrery: final 1'",
            "/usr/share");
    awaitStatus(id, "DONE");
    assertThat(log(id, "stdout")).isEqualTo("here/usr/share\norrery: final 1\n");
    assertThat(users.get(ann, "/api/v1/files/ann/out.txt").body()).isEqualTo("out\n");

    Person bob = users.user(users.signIn("root"), "bob");
    for (Person each : List.of(ann, bob)) {
      String name = "reads-" + each.name();
      Reply put =
          users.send(
              each,
              "PUT",
              "/api/v1/pipelines/" + name,
              "{kind: Pipeline, name: %s, tasks: [{name: read, command: 'cat /mnt/ann/out.txt'}]}"
                  .formatted(name));
      assertThat(put.status()).as(put.body()).isEqualTo(201);
      Reply begun = users.send(each, "POST", "/api/v1/pipelines/" + name + "/run", "{}");
      String run = begun.json().get("id").textValue();
      String status = each == ann ? "SUCCEEDED" : "FAILED";
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(users.get(each, "/api/v1/runs/" + run).body())
                  .contains("\"status\":\"" + status + "\",\"trigger\""));
      assertThat(users.get(each, "/api/v1/runs/" + run + "/steps/read/logs/stdout").body())
          .isEqualTo(each == ann ? "out\n" : "");
    }
  }

  @Test
  void codeInAWorkspaceIsThatOfItsPersonAlone() throws Exception {
    Person bob = users.user(users.signIn("root"), "bob");
    for (Person each : List.of(ann, bob)) {
      String file = "/api/v1/files/%s/search/train.sh".formatted(each.name());
      String script =
          "pwd; echo \"$NNI_CODE_DIR\"; test -e /mnt/bob || echo alone; echo 'orrery: final 1'";
      assertThat(users.send(each, "PUT", file, script).status()).isEqualTo(201);
    }
    String id = experiment("sh train.sh", "/mnt/ann/search");
    awaitStatus(id, "DONE");
    assertThat(log(id, "stdout"))
        .isEqualTo("/mnt/ann/search\n/mnt/ann/search\nalone\norrery: final 1\n");
    Files.createSymbolicLink(
        home().resolve("workspaces/ann/link"), home().resolve("workspaces/bob/search"));
    for (Map.Entry<String, String> wrong :
        Map.of(
                "/mnt/bob/search", "only your own can be named, /mnt/ann",
                "/mnt/ann/../bob/search", "must stay below /mnt/ann",
                "/mnt/ann/link", "without a link on the way")
            .entrySet()) {
      Reply refused =
          post("/api/v1/experiments", configuration("sh train.sh", wrong.getKey()), 400);
      assertThat(refused.body()).contains(wrong.getValue());
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aFunctionOfAScriptIsSentToItsPersonsFilesAndSearchedInTheSandbox() throws Exception {
    Path script =
        Files.writeString(
            temp.resolve("bowl.py"),
            """
            import os
            import orrery

            def bowl(parameters):
                assert os.getcwd().startswith('/mnt/ann/.orrery/code/')
                return (parameters['x'] - 2) ** 2

            study = orrery.search(bowl, {'x': [1, 2, 3]}, trials=3, direction='minimize', tuner='GridSearch',
                                  on_server=True, show=False)
            print(study.best.parameters, study.best.value == 0)
            """);
    String token =
        post("/api/v1/me/tokens", "{\"name\": \"laptop\"}", 201).json().get("token").textValue();
    Path errors = temp.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder("python3", script.toString());
    builder.environment().put("ORRERY_URL", server.url().toString());
    builder.environment().put("ORRERY_TOKEN", token);
    builder.environment().put("PYTHONPATH", home().resolve("sdk/current/compat").toString());
    Process process = builder.redirectError(errors.toFile()).start();

    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(said).as(Files.readString(errors)).isEqualTo("{'x': 2} True\n");
  }

  @Test
  void codeInAHomeDirectoryIsRefusedWithTheReason() throws Exception {
    Path code = Files.createDirectories(temp.resolve("code"));
    for (Path directory : List.of(code, home())) {
      Reply refused =
          users.send(
              ann,
              "POST",
              "/api/v1/experiments",
              configuration("echo 'orrery: final 1'", directory.toString()));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("which only administrators may name");
    }
  }

  @Test
  void stepsOfPipelinesAndServicesAreKeptApart() throws Exception {
    Reply put =
        users.send(
            ann,
            "PUT",
            "/api/v1/pipelines/spies",
            """
            kind: Pipeline
            name: spies
            tasks:
              - {name: look, command: "%s; echo kept > \\"$ORRERY_OUTPUTS/found\\"", outputs: {found: {path: found}}}
              - {name: read, command: "cat \\"$ORRERY_INPUTS/found\\"", inputs: {found: "{{tasks.look.outputs.found}}"}}
            """
                .formatted(SPY.formatted(home(), server.pid())));
    assertThat(put.status()).as(put.body()).isEqualTo(201);
    String run = post("/api/v1/pipelines/spies/run", "{}", 201).json().get("id").textValue();
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(users.get(ann, "/api/v1/runs/" + run).body())
                .contains("\"status\":\"SUCCEEDED\",\"trigger\""));
    assertThat(users.get(ann, "/api/v1/runs/" + run + "/steps/look/logs/stdout").body().strip())
        .isEqualTo("looked");
    assertThat(users.get(ann, "/api/v1/runs/" + run + "/steps/read/logs/stdout").body().strip())
        .isEqualTo("kept");

    Reply service =
        users.send(
            ann,
            "PUT",
            "/api/v1/services/spy",
            """
            kind: Service
            name: spy
            command: "%s; exec python3 -m http.server --bind 127.0.0.1 $PORT"
            ports: [8080]
            health: 8080:/
            """
                .formatted(SPY.formatted(home(), server.pid())));
    assertThat(service.status()).as(service.body()).isEqualTo(201);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(users.get(ann, "/api/v1/services/spy").json().at("/state/status").asText())
                .isEqualTo("READY"));
    assertThat(users.get(ann, "/api/v1/services/spy/logs").body().lines().toList())
        .contains("looked")
        .noneMatch(line -> line.contains("sesame") || line.contains("token"));
    assertThat(users.send(ann, "DELETE", "/api/v1/services/spy", "").status()).isEqualTo(204);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(users.get(ann, "/api/v1/workloads").json().get("items")).isEmpty());
  }
}
