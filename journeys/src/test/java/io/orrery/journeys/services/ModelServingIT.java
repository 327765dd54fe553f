package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Serves models of the registry with processes of this machine. */
class ModelServingIT extends ServiceJourney {
  private static final String NAME = "serving-digits-production";

  /** A server that answers with the files of the model. */
  private static final String SERVER =
      """
      import http.server, os
      text = open(os.path.join(os.environ['KUBEFLOW_MODEL_PATH'], 'sub/weights.txt')).read()
      class Answer(http.server.BaseHTTPRequestHandler):
          protocol_version = 'HTTP/1.1'
          def do_GET(self):
              body = (os.environ['KUBEFLOW_MODEL_VERSION'] + ' ' + text).encode()
              self.send_response(200)
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)
          def log_message(self, *a): pass
      http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Answer).serve_forever()
      """;

  private void register(String text) throws Exception {
    Path model = Files.createDirectories(temp.resolve("model/sub"));
    Files.writeString(model.resolve("weights.txt"), text);
    Ended ended = orrery("model", "register", "digits", temp.resolve("model").toString());
    assertThat(ended.code()).as(ended.err()).isZero();
  }

  private void point(String version) throws Exception {
    assertThat(orrery("model", "alias", "digits", "production", version).code()).isZero();
  }

  private Path document() throws Exception {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("serve.py"), SERVER);
    return Files.writeString(
        temp.resolve("serving.yml"),
        """
        kind: Service
        type: serving
        model: {name: digits, alias: production}
        code: ./code
        command: exec python3 serve.py
        ports: [8080]
        grace: 5s
        """);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void anAliasIsServedAndMovedWithoutALostRequestThoughTheServerIsKilled() throws Exception {
    register("one");
    point("1");
    Ended applied = orrery("apply", "-f", document().toString());
    assertThat(applied.out()).as(applied.err()).contains("created Service/" + NAME);
    ready(NAME);
    await().atMost(PATIENCE).until(() -> answer(NAME).body().equals("1 one"));
    register("two");
    point("2");
    try (Load load = new Load(NAME)) {
      assertThat(orrery("apply", "-f", temp.resolve("serving.yml").toString()).out())
          .contains("unchanged");
      assertThat(answer(NAME).body()).isEqualTo("1 one");

      server.post(path(NAME) + "/deploy", "{\"stage\": \"production\"}");
      await().atMost(PATIENCE).until(() -> answer(NAME).body().equals("2 two"));
      ready(NAME);
      assertThat(load.answers.get()).isPositive();
      assertThat(load.failures).isEmpty();
    }
    point("1");
    server.kill();
    begin();

    JsonNode state = ready(NAME);
    assertThat(state.get("status").textValue()).isEqualTo("READY");
    await().atMost(PATIENCE).until(() -> answer(NAME).body().equals("2 two"));
    HttpResponse<String> kept =
        server.send("DELETE", "/models/digits/versions/2", BodyPublishers.noBody());
    assertThat(kept.statusCode()).isEqualTo(409);
    assertThat(kept.body()).contains(NAME);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void replicasShareReadOnlyFiles() throws Exception {
    register("shared");
    point("1");
    Files.writeString(document(), "replicas: 3\n", StandardOpenOption.APPEND);
    assertThat(orrery("apply", "-f", temp.resolve("serving.yml").toString()).code()).isZero();
    ready(NAME, 3);

    String digest = server.get("/models/digits/versions/1").get("artifact").textValue();
    try (var models = Files.list(home().resolve("models"))) {
      List<Path> all = models.toList();
      assertThat(all)
          .singleElement()
          .extracting(path -> String.valueOf(path.getFileName()))
          .isEqualTo(digest.substring("sha256:".length()));
      assertThat(Files.getPosixFilePermissions(all.getFirst().resolve("sub/weights.txt")))
          .extracting(Enum::name)
          .containsExactlyInAnyOrder("OWNER_READ", "GROUP_READ", "OTHERS_READ");
    }
  }

  @Test
  void aModelIsDeployedByItsAliasInOneCommand() throws Exception {
    register("one");
    point("1");
    Ended without = orrery("model", "deploy", "digits@production");
    assertThat(without.code()).isEqualTo(2);
    assertThat(without.err()).contains("--service");

    Ended first =
        orrery("model", "deploy", "digits@production", "--service", document().toString());
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out().strip()).isEqualTo(state(NAME).get("url").textValue());
    await().atMost(PATIENCE).until(() -> answer(NAME).body().equals("1 one"));

    register("two");
    point("2");
    assertThat(orrery("model", "deploy", "digits@production").code()).isZero();
    await().atMost(PATIENCE).until(() -> answer(NAME).body().equals("2 two"));
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theBestTrialOfAnExperimentIsServedByTheSameCommand() throws Exception {
    Path experiment =
        Files.writeString(
            temp.resolve("experiment.yml"),
            """
            trialCommand: 'mkdir -p "$NNI_OUTPUT_DIR/sub" && echo "weights {{params.x}}" > "$NNI_OUTPUT_DIR/sub/weights.txt" && echo "orrery: final {{params.x}}"'
            trialConcurrency: 2
            maxTrialNumber: 3
            searchSpace: {x: {_type: choice, _value: [1, 2, 3]}}
            tuner: {name: GridSearch, classArgs: {optimize_mode: maximize}}
            trainingService: {platform: local}
            """);

    Ended served =
        orrery("experiment", "run", experiment.toString(), "--serve", document().toString());

    assertThat(served.code()).as(served.err()).isZero();
    assertThat(served.out()).contains("serving: " + state(NAME).get("url").textValue());
    JsonNode version = server.get("/models/digits/versions/1");
    assertThat(version.at("/metrics/default").doubleValue()).isEqualTo(3);
    assertThat(version.at("/source/trial").isTextual()).isTrue();
    await().atMost(PATIENCE).until(() -> answer(NAME).body().equals("1 weights 3\n"));
  }

  @Test
  void aMissingAliasIsNamedByItsPlace() throws Exception {
    register("one");
    HttpResponse<String> refused =
        server.send(
            "PUT",
            path(NAME),
            BodyPublishers.ofString(
                "{\"type\": \"serving\", \"command\": \"x\","
                    + " \"model\": {\"name\": \"digits\", \"alias\": \"production\"}}"));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(Json.parse(refused.body()).toString()).contains("/model/alias");
  }
}
