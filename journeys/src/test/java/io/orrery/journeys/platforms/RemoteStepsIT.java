package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.remote.SshMachine;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs of pipelines whose steps are processes of a machine behind an SSH server. */
class RemoteStepsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String HOSTILE = "{{7*7}} '\" $(id) `id` $$ \\ ; rm -rf / #\nnext é";

  @TempDir Path temp;
  private SshMachine machine;
  private Path home;

  @BeforeEach
  void start() throws IOException {
    machine = new SshMachine(temp.resolve("machine"));
    Files.writeString(temp.resolve("known_hosts"), machine.knownHost());
    home = temp.resolve("home").toAbsolutePath();
  }

  @AfterEach
  void stop() throws IOException {
    machine.close();
  }

  private Map<String, Object> remote(String password) {
    Map<String, Object> entry = new HashMap<>(machine.entry());
    entry.put("password", password);
    return Map.of(
        "platform",
        "remote",
        "machineList",
        List.of(entry),
        "knownHosts",
        temp.resolve("known_hosts").toString());
  }

  /** A pipeline: a task of this machine, one of a training service, and one that reads both. */
  private String pipeline(Object service, String more) {
    ObjectNode document = Json.MAPPER.createObjectNode();
    document.put("project", "public");
    document.putObject("parameters").putObject("word").put("type", "text").put("default", "w");
    var tasks = document.putArray("tasks");
    tasks
        .addObject()
        .put("name", "make")
        .put("command", "mkdir $ORRERY_OUTPUTS/data; echo 600 > $ORRERY_OUTPUTS/data/rows")
        .putObject("outputs")
        .putObject("data")
        .put("path", "data");
    ObjectNode far = tasks.addObject().put("name", "far");
    far.put(
        "command",
        "printf %s \"$WORD\" > $ORRERY_OUTPUTS/word; printf %s {{parameters.word}} >>"
            + " $ORRERY_OUTPUTS/word; cp -r $ORRERY_INPUTS/data $ORRERY_OUTPUTS/copy; "
            + "printf %s \"${#HUB}\" > $ORRERY_OUTPUTS/length; echo 'orrery: final 0.5'; "
            + more);
    far.putObject("inputs").put("data", "{{tasks.make.outputs.data}}");
    far.putObject("env").put("WORD", "{{parameters.word}}").put("HUB", "secret:hub");
    far.set("trainingService", Json.MAPPER.valueToTree(service));
    ObjectNode outputs = far.putObject("outputs");
    outputs.putObject("copy").put("path", "copy");
    outputs.putObject("word").put("value", "word");
    outputs.putObject("length").put("value", "length");
    ObjectNode check = tasks.addObject().put("name", "check");
    check.put("command", "echo \"orrery: output rows $(cat $ORRERY_INPUTS/copy/rows)\"");
    check.putObject("inputs").put("copy", "{{tasks.far.outputs.copy}}");
    check.putObject("outputs").putObject("rows").put("value", "rows");
    return Json.write(document);
  }

  private static void secret(ServerProcess server, String name, String value) throws Exception {
    HttpResponse<String> put =
        server.send(
            "PUT",
            "/projects/public/secrets/" + name,
            BodyPublishers.ofString(Json.write(Map.of("value", value))));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
  }

  private static HttpResponse<String> put(ServerProcess server, String document) throws Exception {
    return server.send("PUT", "/pipelines/far", BodyPublishers.ofString(document));
  }

  private static String run(ServerProcess server, String word) throws Exception {
    return server
        .post("/pipelines/far/run", Json.write(Map.of("parameters", Map.of("word", word))))
        .get("id")
        .textValue();
  }

  private static JsonNode awaitEnd(ServerProcess server, String run) throws Exception {
    await()
        .atMost(PATIENCE)
        .until(() ->
            List.of("SUCCEEDED", "FAILED", "STOPPED")
                .contains(server.get("/runs/" + run).path("status").asText()));
    return server.get("/runs/" + run);
  }

  private static String value(JsonNode run, int step, String name) {
    return run.at("/steps/" + step + "/outputs/" + name + "/value").asText();
  }

  @Test
  @Timeout(240)
  void aStepRunsThereWithTextAsTextAndSecretsOnlyWhereTheDocumentNamesThem() throws Exception {
    try (ServerProcess server = ServerProcess.start(home)) {
      secret(server, "ssh", SshMachine.PASSWORD);
      secret(server, "hub", "kestrel-77");
      HttpResponse<String> put = put(server, pipeline(remote("secret:ssh"), "true"));
      assertThat(put.statusCode()).as(put.body()).isIn(200, 201);

      for (String word : List.of(HOSTILE, "secret:hub")) {
        JsonNode run = awaitEnd(server, run(server, word));
        assertThat(run.path("status").asText()).as("%s", run).isEqualTo("SUCCEEDED");
        assertThat(value(run, 1, "word")).isEqualTo(word + word);
        assertThat(value(run, 1, "length")).isEqualTo("10");
        assertThat(value(run, 2, "rows")).isEqualTo("600");
      }
    }
    assertThatNothingHas(home, SshMachine.PASSWORD);
    assertThatNothingHas(home, "kestrel-77");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(240)
  void aServerThatIsKilledFindsTheStepOfAHybridPipelineAgain() throws Exception {
    Map<String, Object> far = new HashMap<>(remote("secret:ssh"));
    far.put("weight", 1_000);
    Map<String, Object> service =
        Map.of("platform", "hybrid", "services", List.of(far, Map.of("platform", "local")));
    Path runs = temp.resolve("runs");
    Path go = temp.resolve("go");
    String waits = "echo run >> '%s'; until [ -e '%s' ]; do sleep 0.05; done".formatted(runs, go);
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      secret(server, "ssh", SshMachine.PASSWORD);
      secret(server, "hub", "kestrel-77");
      HttpResponse<String> put = put(server, pipeline(service, waits));
      assertThat(put.statusCode()).as(put.body()).isIn(200, 201);
      id = run(server, "w");
      await().atMost(PATIENCE).until(() -> Files.exists(runs));
      server.kill();
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      Files.createFile(go);
      JsonNode run = awaitEnd(server, id);
      assertThat(run.path("status").asText()).as("%s", run).isEqualTo("SUCCEEDED");
      assertThat(value(run, 2, "rows")).isEqualTo("600");
      assertThat(Files.readAllLines(runs)).hasSize(1);
    }
  }

  @Test
  @Timeout(120)
  void everythingThatIsWrongWithATrainingServiceIsSaidAtOnce() throws Exception {
    try (ServerProcess server = ServerProcess.start(home)) {
      secret(server, "hub", "kestrel-77");
      HttpResponse<String> plain = put(server, pipeline(remote(SshMachine.PASSWORD), "true"));
      assertThat(plain.statusCode()).isEqualTo(400);
      assertThat(plain.body())
          .contains("/tasks/1/trainingService", "write secret:NAME")
          .doesNotContain(SshMachine.PASSWORD);

      Map<String, Object> wrong = new HashMap<>(remote("secret:none"));
      wrong.put("machines", 3);
      wrong.put("trialCommand", "true");
      assertThat(put(server, pipeline(wrong, "true")).body())
          .contains("machines", "belongs to trials", "no secret none");

      HttpResponse<String> shown =
          put(
              server,
              pipeline(
                  Map.of(
                      "platform",
                      "dlts",
                      "dashboard",
                      "http://127.0.0.1:1/",
                      "cluster",
                      "eu",
                      "team",
                      "vision",
                      "email",
                      "me@example.org",
                      "password",
                      "secret:hub",
                      "dockerImage",
                      "python:3"),
                  "true"));
      assertThat(shown.body()).contains("a variable of the step is a secret");
      assertThat(put(server, pipeline(Map.of("platform", "moon"), "true")).body())
          .contains("steps run on", "remote", "not on 'moon'");
    }
  }

  private static void assertThatNothingHas(Path home, String secret) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as("what is stored in %s", file)
            .doesNotContain(secret);
      }
    }
  }
}
