package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.orrery.core.code.RepositoryServer;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Builds environments of Python packages from wheels of a folder, and runs programs in them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EnvironmentIT extends EnvironmentJourney {
  @TempDir Path shared;

  private String answered(String name) throws Exception {
    ready(name);
    return ask(URI.create(state(name).get("url").textValue())).body();
  }

  @Test
  void aServiceRunsInAnEnvironmentThatIsBuiltOnceFromAFolderOfWheels() throws Exception {
    ObjectNode service = python("hello", SERVER).put("image", "env:tool");
    JsonNode early = send("PUT", "/services/hello", service, 400);
    assertThat(early.toString()).contains("/image").contains("no environment env:tool");

    String place = workspace(context("1.0"));
    JsonNode stored =
        send("PUT", "/builds/tool", document("requirements.txt", "workspace", place), 201);
    assertThat(stored.path("target").asText()).isEqualTo("env:tool");
    JsonNode first = ended("tool");
    assertThat(first.path("status").asText()).as(first + "\n" + log("tool")).isEqualTo("SUCCEEDED");
    assertThat(first.path("digest").asText()).matches("sha256:[0-9a-f]{64}");
    assertThat(first.path("bytes").asLong()).isPositive();
    assertThat(log("tool")).contains("greeting==1.0");

    put(service.toString());
    Path directory =
        home()
            .resolve("builds/public/environments")
            .resolve(first.path("digest").asText().substring("sha256:".length()));
    assertThat(answered("hello")).isEqualTo("hello from 1.0 " + directory);

    // The same content under another name is not made again.
    send("PUT", "/builds/same", document("requirements.txt", "workspace", place), 201);
    assertThat(ended("same").path("digest")).isEqualTo(first.path("digest"));
    assertThat(log("same")).contains("There is an environment of these requirements already.");

    // A new build does not change what runs, and a new deployment takes it.
    workspace(context("2.0"));
    send("POST", "/builds/tool/start", "", 200);
    JsonNode second = ended("tool");
    assertThat(second.path("status").asText()).as(log("tool")).isEqualTo("SUCCEEDED");
    assertThat(second.path("digest")).isNotEqualTo(first.path("digest"));
    assertThat(answered("hello")).startsWith("hello from 1.0 ");
    send("POST", "/services/hello/restart", "{}", 200);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(answered("hello")).startsWith("hello from 2.0 "));
  }

  private String experiment(String image) throws IOException {
    Path code = Files.createDirectories(temp.resolve("trial"));
    return """
    {"trialCommand": "%s && %s",
     "trialCodeDirectory": "%s", "trialConcurrency": 1, "maxTrialNumber": 1,
     "searchSpace": {"x": {"_type": "choice", "_value": [1]}}, "tuner": {"name": "Random"},
     "trainingService": {"platform": "local", "image": "%s"}}
    """
        .formatted(SAYING, REPORTING, code, image);
  }

  /** A platform is checked with the environments of the project that the experiment is for. */
  private void checkIsOfAProject(String place) throws Exception {
    send("PUT", "/projects/vision", "{\"title\": \"Vision\"}", 201);
    send(
        "PUT",
        "/builds/seen",
        document("requirements.txt", "workspace", place).put("project", "vision"),
        201);
    assertThat(ended("seen").path("status").asText()).as(log("seen")).isEqualTo("SUCCEEDED");

    JsonNode right = send("POST", "/platforms/check?project=vision", experiment("env:seen"), 200);
    assertThat(right.path("works").booleanValue()).as("%s", right).isTrue();
    assertThat(send("POST", "/platforms/check", experiment("env:seen"), 400).toString())
        .contains("/trainingService/image")
        .contains("no environment env:seen");
  }

  @Test
  void stepsAndTrialsRunInAnEnvironment() throws Exception {
    ObjectNode greet = task("greet", "env:tool");
    greet.putObject("outputs").putObject("said").put("value", "said");
    ObjectNode elsewhere = task("elsewhere", "env:tool").put("cluster", "lab");
    ObjectNode wrong = task("wrong", "env:No Such");
    assertThat(send("PUT", "/pipelines/early", pipeline(greet), 400).toString())
        .contains("/tasks/0/image")
        .contains("no environment env:tool");
    assertThat(send("PUT", "/pipelines/early", pipeline(elsewhere, wrong), 400).toString())
        .contains("/tasks/0/cluster")
        .contains("/tasks/1/image")
        .contains("an environment is named env:<name>");
    assertThat(send("POST", "/experiments", experiment("env:tool"), 400).toString())
        .contains("/trainingService/image")
        .contains("no environment env:tool");
    assertThat(send("POST", "/experiments", experiment("busybox"), 400).toString())
        .contains("/trainingService/image")
        .contains("runs no containers");

    String place = workspace(context("1.0"));
    send("PUT", "/builds/tool", document("requirements.txt", "workspace", place), 201);
    JsonNode built = ended("tool");
    assertThat(built.path("status").asText()).as(log("tool")).isEqualTo("SUCCEEDED");
    String digest = built.path("digest").asText();
    Path directory =
        home().resolve("builds/public/environments").resolve(digest.substring("sha256:".length()));
    String said = "hello from 1.0 %s %s".formatted(directory, directory);

    send("PUT", "/pipelines/greeting", pipeline(greet), 201);
    JsonNode run = over(server.post("/pipelines/greeting/run", "{}").path("id").asText());
    assertThat(run.path("status").asText()).as("%s", run).isEqualTo("SUCCEEDED");
    assertThat(run.toString()).contains(said);

    checkIsOfAProject(place);

    String id = server.post("/experiments", experiment("env:tool")).path("id").asText();
    server.awaitStatus(id, PATIENCE, "DONE");
    String trial = server.trials(id).getFirst().path("id").asText();
    String log = "/experiments/" + id + "/trials/" + trial + "/logs/stdout";
    assertThat(server.send("GET", log, BodyPublishers.noBody()).body()).contains(said);

    // What is gone from this machine is a reason before anything starts.
    Files.delete(directory.resolve("complete"));
    assertThat(send("POST", "/experiments", experiment("env:tool"), 400).toString())
        .contains("is not on this machine any more");
    JsonNode failed = over(server.post("/pipelines/greeting/run", "{}").path("id").asText());
    assertThat(failed.toString()).contains("is not on this machine any more");
  }

  @Test
  void requirementsThatAreNotThereAreAReasonAndLeaveNothingToRunIn() throws Exception {
    ObjectNode body =
        Json.MAPPER.createObjectNode().put("requirements", "--no-index\nno-such-package==1\n");
    send("PUT", "/builds/tool", body, 201);
    JsonNode state = ended("tool");
    assertThat(state.path("status").asText()).isEqualTo("FAILED");
    assertThat(state.path("reason").asText()).contains("no-such-package");
    try (Stream<Path> all = Files.list(home().resolve("builds/public/environments"))) {
      assertThat(all.filter(each -> Files.exists(each.resolve("complete")))).isEmpty();
    }
    JsonNode refused =
        send("PUT", "/services/hello", python("hello", SERVER).put("image", "env:tool"), 400);
    assertThat(refused.toString()).contains("never complete");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aContextComesFromAProtectedRepository() throws Exception {
    assumeTrue(RepositoryServer.isPossible(), "needs git");
    try (RepositoryServer git =
        new RepositoryServer(Files.createDirectory(shared.resolve("git")))) {
      String commit = git.commit("tool.git", context("3.0"));
      git.protect("robot", "wren-44-schist");
      send("PUT", "/projects/public/secrets/git", "{\"value\": \"wren-44-schist\"}", 200);
      ObjectNode body = document("requirements.txt", "git", git.url("tool.git"));
      ((ObjectNode) body.get("context")).put("ref", "main");
      send("PUT", "/builds/tool", body, 201);
      assertThat(ended("tool").path("reason").asText()).contains("asks for a login");

      ((ObjectNode) body.get("context")).put("user", "robot").put("password", "secret:git");
      send("PUT", "/builds/tool", body, 200);
      JsonNode state = ended("tool");
      assertThat(state.path("status").asText())
          .as(state + "\n" + log("tool"))
          .isEqualTo("SUCCEEDED");
      assertThat(log("tool")).contains("commit " + commit).contains("greeting==3.0");
      assertThat(server.log() + log("tool") + server.get("/builds/tool"))
          .doesNotContain("wren-44-schist");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aBuildIsCanceledWhileItsRepositoryIsFetched() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    HttpServer silent = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    silent.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    silent.createContext(
        "/",
        request -> {
          asked.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          request.close();
        });
    silent.start();
    try {
      String url = "http://127.0.0.1:" + silent.getAddress().getPort() + "/tool.git";
      ObjectNode body = document("requirements.txt", "git", url);
      ((ObjectNode) body.get("context")).put("ref", "main");
      send("PUT", "/builds/tool", body, 201);
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();

      send("POST", "/builds/tool/cancel", "", 200);

      await()
          .atMost(PATIENCE)
          .until(() -> server.get("/builds/tool").at("/state/status").asText().equals("CANCELED"));
    } finally {
      never.countDown();
      silent.stop(0);
    }
  }

  @Test
  void whatABuildOfThisMachineCannotHaveIsAFinding() throws Exception {
    ObjectNode body =
        Json.MAPPER
            .createObjectNode()
            .put("target", "hub.example.com/tool:1")
            .put("dockerfile", "FROM scratch")
            .put("volume_mount", "kubeflow-user-workspace");
    body.putObject("resources").put("gpu", 1).put("cpu", "many");
    body.putObject("context").put("git", "ext::sh -c id").put("ref", "--upload-pack=id");
    JsonNode refused = send("PUT", "/builds/tool", body, 400);
    List<String> pointers =
        refused.path("errors").findValues("pointer").stream().map(JsonNode::asText).toList();
    assertThat(pointers)
        .as("%s", refused)
        .contains(
            "/volume_mount", "/resources/gpu", "/resources/cpu", "/context/git", "/context/ref");
  }
}
