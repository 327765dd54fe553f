package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of a project reach the programs that name them, and no other place. */
class ProjectSecretIT {
  private static final String VALUE = "kestrel-77-orchid";
  private static final String ROTATED = "walnut-12-ferry";

  private static HttpResponse<String> set(ServerProcess server, String value) throws Exception {
    return server.send(
        "PUT",
        "/projects/public/secrets/hub",
        BodyPublishers.ofString("{\"value\": \"%s\"}".formatted(value)));
  }

  /** The outputs of a run; nothing that is said of it has the value. */
  private static String run(ServerProcess server) throws Exception {
    String id = server.post("/pipelines/uses/run", "{\"cache\": false}").get("id").asText();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.get("/runs/" + id).path("status").asText().equals("SUCCEEDED"));
    for (String path :
        List.of("", "/steps/tell", "/steps/tell/logs/stdout", "/steps/tell/logs/stderr")) {
      HttpResponse<String> said = server.send("GET", "/runs/" + id + path, BodyPublishers.noBody());
      assertThat(said.statusCode()).as(path).isEqualTo(200);
      assertThat(said.body()).as(path).doesNotContain(VALUE).doesNotContain(ROTATED);
    }
    return server.get("/runs/" + id).at("/steps/0/outputs").toString();
  }

  /** The files below a directory that have a text, but for those of one kind. */
  private static List<Path> having(Path directory, String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).filter(file -> has(file, text)).toList();
    }
  }

  private static boolean has(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      // A file of the database that has gone since.
      return false;
    }
  }

  @Test
  @Timeout(180)
  void aStepGetsTheValueAndNothingElseHasIt(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      HttpResponse<String> put = set(server, VALUE);
      assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
      assertThat(put.body()).doesNotContain(VALUE);
      HttpResponse<String> pipeline =
          server.send(
              "PUT",
              "/pipelines/uses",
              BodyPublishers.ofString(
                  """
                  {"project": "public", "tasks": [{"name": "tell", "env": {"HUB": "secret:hub"},
                   "command": "echo \\"orrery: output length ${#HUB} $(echo $HUB | cut -c1-7)\\"",
                   "outputs": {"length": {"value": "length"}}}]}
                  """));
      assertThat(pipeline.statusCode()).as(pipeline.body()).isEqualTo(201);
      assertThat(run(server)).contains("17 kestrel");

      assertThat(set(server, ROTATED).statusCode()).isEqualTo(200);
      assertThat(run(server)).contains("15 walnut-");

      for (String path :
          List.of(
              "/projects/public/secrets",
              "/projects/public/secrets/hub",
              "/projects/public",
              "/pipelines/uses",
              "/runs",
              "/audit")) {
        assertThat(server.get(path).toString())
            .as(path)
            .doesNotContain(VALUE)
            .doesNotContain(ROTATED);
      }
      assertThat(server.get("/audit").toString()).contains("\"rotate\"", "\"hub\"");
      assertThat(having(home, VALUE)).isEmpty();
      assertThat(having(home, ROTATED)).isEmpty();
      assertThat(server.log()).doesNotContain(VALUE).doesNotContain(ROTATED);

      HttpResponse<String> missing =
          server.send(
              "PUT",
              "/services/uses",
              BodyPublishers.ofString(
                  "{\"command\": \"sleep 600\", \"env\": {\"HUB\": \"secret:other\"},"
                      + " \"stage\": \"production\"}"));
      assertThat(missing.statusCode()).isEqualTo(400);
      assertThat(missing.body()).contains("project public has no secret other");
      assertThat(
              server
                  .send("DELETE", "/projects/public/secrets/hub", BodyPublishers.noBody())
                  .statusCode())
          .isEqualTo(204);
    }
  }

  @Test
  @Timeout(180)
  void aPipelineThatNamesMissingSecretsIsRefusedWithEachPlace(@TempDir Path temp) throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      assertThat(set(server, VALUE).statusCode()).isEqualTo(200);
      HttpResponse<String> refused =
          server.send(
              "PUT",
              "/pipelines/uses",
              BodyPublishers.ofString(
                  """
                  {"project": "public", "env": {"A": "secret:away", "B": "secret:hub"},
                   "tasks": [{"name": "one", "env": {"C": "x", "D": "secret:gone"},
                   "command": "true"}], "onExit": {"name": "two", "command": "true",
                   "env": {"E": "secret:gone"}}, "alerts": {"webhook": "secret:hook"}}
                  """));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(Json.parse(refused.body()).path("errors"))
          .extracting(error -> error.path("pointer").textValue())
          .containsExactly("/env/A", "/tasks/0/env/D", "/onExit/env/E", "/alerts/webhook");
      assertThat(refused.body()).contains("project public has no secret gone: set it");
      assertThat(server.send("GET", "/pipelines/uses", BodyPublishers.noBody()).statusCode())
          .isEqualTo(404);
    }
  }

  /** A program that answers with the length of the secret, and never with the secret. */
  private static final String SERVING =
      """
      {"command": ["python3", "-c", "import http.server, os\\nclass H(http.server.BaseHTTPRequestHandler):\\n\
       def do_GET(self):\\n  self.send_response(200)\\n  self.end_headers()\\n\
        self.wfile.write(str(len(os.environ['HUB'])).encode())\\n\
      http.server.HTTPServer(('127.0.0.1', int(os.environ['PORT'])), H).serve_forever()"],
       "ports": [8080], "env": {"HUB": "secret:hub"}, "stage": "production"}
      """;

  private static String status(ServerProcess server) throws Exception {
    return server.get("/services/uses").at("/state/status").asText();
  }

  @Test
  @Timeout(180)
  void aReplicaThatRunsHasTheSecretAndNoFileOfTheServerHasItInClear(@TempDir Path temp)
      throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String pid;
    try (ServerProcess server = ServerProcess.start(home)) {
      assertThat(set(server, VALUE).statusCode()).isEqualTo(200);
      HttpResponse<String> service =
          server.send("PUT", "/services/uses", BodyPublishers.ofString(SERVING));
      assertThat(service.statusCode()).as(service.body()).isEqualTo(201);
      await().atMost(Duration.ofSeconds(60)).until(() -> status(server).equals("READY"));

      assertThat(having(home, VALUE)).isEmpty();
      assertThat(server.log()).doesNotContain(VALUE);
      pid = server.get("/services/uses").at("/state/replicas/0/endpoint").asText();
      server.kill();
    }
    assertThat(having(home, VALUE)).isEmpty();

    // The next server opens what the one before has sealed: it finds the replica again.
    try (ServerProcess server = ServerProcess.start(home)) {
      await().atMost(Duration.ofSeconds(60)).until(() -> status(server).equals("READY"));
      assertThat(server.get("/services/uses").at("/state/replicas/0/endpoint").asText())
          .isEqualTo(pid);
      assertThat(server.get("/services/uses").at("/state/replicas/0/restarts").asInt()).isZero();
      assertThat(server.send("DELETE", "/services/uses", BodyPublishers.noBody()).statusCode())
          .isLessThan(300);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !Files.exists(home.resolve("workloads/service-uses")));
    }
  }

  @Test
  @Timeout(180)
  void aPasswordInAnExperimentIsSealedBeforeAnythingIsWritten(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      String experiment =
          "{trialCommand: 'true', trialConcurrency: 1, maxTrialNumber: 1, searchSpace: {x: {_type:"
              + " choice, _value: [1]}}, tuner: {name: Random}, trainingService: {platform:"
              + " remote, machineList: [{host: 127.0.0.1, port: 1, user: ann, password: "
              + VALUE
              + "}]}}";
      HttpResponse<String> created =
          server.send(
              "POST",
              "/experiments?base=" + temp.toAbsolutePath(),
              BodyPublishers.ofString(experiment));
      assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
      assertThat(created.body()).doesNotContain(VALUE);
      String id = Json.parse(created.body()).get("id").asText();

      for (String path : List.of("", "/export")) {
        HttpResponse<String> said =
            server.send("GET", "/experiments/" + id + path, BodyPublishers.noBody());
        assertThat(said.body()).as(path).doesNotContain(VALUE);
      }
      assertThat(having(home, VALUE)).isEmpty();
      assertThat(server.log()).doesNotContain(VALUE);
      server.send("POST", "/experiments/" + id + "/stop", BodyPublishers.noBody());
    }
  }
}
