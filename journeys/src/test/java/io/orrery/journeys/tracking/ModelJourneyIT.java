package io.orrery.journeys.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registers models from files, from a trial and from an address, and keeps them. */
class ModelJourneyIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Each trial leaves a file that tells its result. */
  private static final String EXPERIMENT =
      """
      trialCommand: 'mkdir -p "$NNI_OUTPUT_DIR/model" && echo "weights {{params.x}}" > "$NNI_OUTPUT_DIR/model/weights.txt" && ln -s /etc/hostname "$NNI_OUTPUT_DIR/link" && echo "orrery: final {{params.x}}"'
      trialConcurrency: 2
      maxTrialNumber: 3
      searchSpace: {x: {_type: choice, _value: [1, 2, 3]}}
      tuner: {name: GridSearch, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;
  private ServerProcess server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  private record Ended(int code, String out, String err) {}

  private Ended orrery(String... arguments) throws Exception {
    Path err = Files.createTempFile(temp, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().put("ORRERY_HOME", home().toString());
    Process process = builder.directory(temp.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  private String done(String... arguments) throws Exception {
    Ended ended = orrery(arguments);
    assertThat(ended.code()).as(ended.err()).isZero();
    return ended.out();
  }

  @Test
  void modelsAreRegisteredFromFilesAndTrialsAndSurviveAKill() throws Exception {
    server = ServerProcess.start(home());
    Path model = Files.createDirectories(temp.resolve("my model"));
    // More than one part of an upload.
    byte[] weights = new byte[1_300_000];
    Arrays.fill(weights, (byte) 'w');
    Files.write(model.resolve("weights.bin"), weights);
    Files.writeString(model.resolve("labels.txt"), "0 1 2\n");

    assertThat(done("model", "register", "digits", model.toString(), "--alias", "production"))
        .isEqualTo("digits version 1\n");
    String id =
        server
            .post(
                "/experiments?base=" + temp.toAbsolutePath().toString().replace(" ", "%20"),
                EXPERIMENT)
            .get("id")
            .textValue();
    server.awaitStatus(id, PATIENCE, "DONE");
    assertThat(done("model", "register", "digits", "--from-experiment", id))
        .isEqualTo("digits version 2\n");
    JsonNode best = server.get("/models/digits/versions/2");
    assertThat(best.at("/metrics/default").doubleValue()).isEqualTo(3);
    assertThat(best.at("/source/experiment").textValue()).isEqualTo(id);
    JsonNode files = server.get("/models/digits/versions/2/files").get("items");
    assertThat(files).hasSize(1);
    assertThat(files.get(0).get("path").textValue()).isEqualTo("model/weights.txt");
    assertThat(file("2", "model%2Fweights.txt")).isEqualTo("weights 3\n");

    Ended used = orrery("model", "delete", "digits", "--version", "1");
    assertThat(used.code()).isNotZero();
    assertThat(used.err()).contains("alias production");
    done("model", "alias", "digits", "production", "2");

    server.kill();
    server = ServerProcess.start(home());

    assertThat(server.get("/models/digits").at("/aliases/production").textValue()).isEqualTo("2");
    assertThat(file("1", "weights.bin")).hasSize(weights.length);
    assertThat(done("model", "show", "digits")).contains("default=3").contains("production");
    assertThat(done("model", "list")).contains("production=2");
    done("model", "delete", "digits", "--version", "1");
    assertThat(
            server.send("GET", "/models/digits/versions/1", BodyPublishers.noBody()).statusCode())
        .isEqualTo(404);
  }

  private String file(String version, String path) throws Exception {
    return server.text("/api/v1/models/digits/versions/%s/file?path=%s".formatted(version, path));
  }

  @Test
  void aModelOfAProjectIsThereForItsMembersAloneAndEditedByRevision() throws Exception {
    Files.createDirectories(home());
    Files.writeString(home().resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    server =
        ServerProcess.begin(home(), List.of("--port", "0", "--router-port", "off"), Map.of())
            .ready();
    try (ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      Person sam = users.user(root, "sam");
      ok(users.send(ann, "PUT", "/api/v1/projects/vision", "{\"title\":\"Vision\"}"), 201);
      String digest = Sha256.hex("weights");
      assertThat(users.send(ann, "PUT", "/api/v1/artifacts/" + digest, "other").status())
          .isEqualTo(400);
      ok(users.send(ann, "PUT", "/api/v1/artifacts/" + digest, "weights"), 204);
      String versions = "/api/v1/models/digits/versions";
      String body =
          "{\"files\":[{\"path\":\"a/b\",\"digest\":\"sha256:%s\"}],\"stage\":\"staging\"}"
              .formatted(digest);

      ok(users.send(ann, "POST", versions + "?project=vision&dryRun=true", body), 200);
      assertThat(users.get(ann, "/api/v1/models/digits").status()).isEqualTo(404);
      Reply first = ok(users.send(ann, "POST", versions + "?project=vision", body), 201);
      assertThat(first.json().get("owner").textValue()).isEqualTo("ann");

      for (String path :
          List.of(
              "", "/versions", "/versions/1", "/versions/1/files", "/versions/1/file?path=a/b")) {
        assertThat(users.get(sam, "/api/v1/models/digits" + path).status()).as(path).isEqualTo(404);
        assertThat(users.get(ann, "/api/v1/models/digits" + path).status()).as(path).isEqualTo(200);
      }
      assertThat(users.send(sam, "POST", versions, body).status()).isEqualTo(404);
      assertThat(users.send(sam, "DELETE", versions + "/1", "").status()).isEqualTo(404);
      assertThat(users.get(sam, "/api/v1/models").json().get("items")).isEmpty();
      assertThat(users.get(ann, "/api/v1/models").json().get("items")).hasSize(1);

      Reply wrong =
          users.send(
              ann, "POST", versions, "{\"path\":\"x\",\"stage\":\"live\",\"aliases\":[\"1\"]}");
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.json().get("errors")).hasSize(2);
      JsonNode audit = Json.parse(users.get(root, "/api/v1/audit?kind=model").body());
      assertThat(audit.at("/items/0/user").textValue()).isEqualTo("ann");
    }
  }

  private static Reply ok(Reply reply, int status) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return reply;
  }
}
