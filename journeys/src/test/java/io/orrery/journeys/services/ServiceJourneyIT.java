package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs services as processes of this machine: from a document to answers under a name. */
class ServiceJourneyIT extends ServiceJourney {
  /** A server of one line that tells its environment. */
  private static final String GREETER =
      """
      {"name": "greeter", "ports": [8080], "health": "8080:/healthz", "grace": "5s",
       "env": {"GREETING": "one"}, "code": "%s", "command": "exec python3 hello.py"}
      """
          .formatted(EXAMPLES.resolve("hello"));

  /** The examples that need no cluster. */
  private Path laptop() throws IOException {
    Path copy = Files.createDirectories(temp.resolve("examples"));
    for (String each : List.of("hello.yml", "hello/hello.py", "page.yml", "page/index.html")) {
      Path file = copy.resolve(each);
      Files.createDirectories(file.getParent());
      Files.copy(EXAMPLES.resolve(each), file, StandardCopyOption.REPLACE_EXISTING);
    }
    return copy;
  }

  // ---- tests --------------------------------------------------------------------------------

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theExamplesAnswerUnderTheirNamesAndAreUnchangedTheSecondTime() throws Exception {
    Ended first = orrery("apply", "-f", laptop().toString());
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out()).contains("created Service/hello").contains("created Service/page");

    ready("hello");
    ready("page");
    await().atMost(PATIENCE).until(() -> answer("hello").statusCode() == 200);
    await().atMost(PATIENCE).until(() -> answer("page").statusCode() == 200);
    assertThat(answer("hello").body()).isEqualTo("Hello from service/hello/1-0\n");
    assertThat(answer("page").body()).contains("<h1>A static page</h1>");

    Ended again = orrery("apply", "-f", laptop().toString());
    assertThat(again.out()).contains("unchanged Service/hello").contains("unchanged Service/page");
    assertThat(orrery("service", "list").out()).contains("hello").contains("1/1");
    assertThat(orrery("get", "services", "-o", "wide").out())
        .contains("REVISION")
        .contains("READY");
    assertThat(orrery("get", "models").code()).isZero();
    assertThat(orrery("get", "domains", "-o", "json").out()).contains("\"items\":[]");
    assertThat(orrery("get", "experiments").out()).contains("NAME");
    assertThat(orrery("get", "servces").err()).contains("did you mean 'service'");
    assertThat(orrery("get", "services", "-o", "tabel").err()).contains("did you mean 'table'");
    assertThat(orrery("describe", "service", "hello").out()).contains("READY").contains("1-0");
    assertThat(orrery("service", "logs", "hello").out()).contains("\"GET / HTTP/1.1\" 200");
  }

  @Test
  void aCheckOfANewServiceAndOfAChangeStoresNothing() throws Exception {
    assertThat(
            server
                .send("POST", "/services?dryRun=true", BodyPublishers.ofString(GREETER))
                .statusCode())
        .isEqualTo(200);
    assertThat(server.get("/services").get("items")).isEmpty();
    put(GREETER);
    for (String body : List.of("{\"replicas\": 2}", "{\"comand\": \"x\"}")) {
      assertThat(
              server
                  .send("PATCH", path("greeter") + "?dryRun=true", BodyPublishers.ofString(body))
                  .statusCode())
          .isEqualTo(body.contains("comand") ? 400 : 200);
    }
    assertThat(server.get(path("greeter")).has("replicas")).isFalse();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void changedCodeIsDeployedAndAnEarlierDocumentComesBack() throws Exception {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.copy(EXAMPLES.resolve("hello/hello.py"), code.resolve("hello.py"));
    Path file = temp.resolve("greeter.yml");
    Files.writeString(
        file,
        """
        kind: Service
        name: greeter
        code: ./code
        command: exec python3 hello.py
        ports: [8080]
        """);
    assertThat(orrery("apply", "-f", file.toString()).out()).contains("created");
    ready("greeter");
    await().atMost(PATIENCE).until(() -> answer("greeter").body().startsWith("Hello from"));

    Path program = code.resolve("hello.py");
    Files.writeString(program, Files.readString(program).replace("'Hello'", "'Changed'"));
    assertThat(orrery("apply", "-f", file.toString()).out()).contains("changed Service/greeter");
    await().atMost(PATIENCE).until(() -> answer("greeter").body().startsWith("Changed from"));
    ready("greeter");

    assertThat(orrery("service", "rollback", "greeter").code()).isZero();
    await().atMost(PATIENCE).until(() -> answer("greeter").body().startsWith("Hello from"));
    assertThat(server.get(path("greeter") + "/revisions").get("items")).hasSize(3);
  }

  @Test
  void replicasAreReplacedAndScaledWithoutALostRequest() throws Exception {
    put(GREETER);
    ready("greeter");
    await().atMost(PATIENCE).until(() -> answer("greeter").statusCode() == 200);
    try (Load load = new Load("greeter")) {
      for (String greeting : List.of("two", "three", "four")) {
        ObjectNode changed = (ObjectNode) Json.parse(GREETER);
        changed.putObject("env").put("GREETING", greeting);
        put(changed.toString());
        await().atMost(PATIENCE).until(() -> answer("greeter").body().startsWith(greeting));
        ready("greeter");
      }
      server.post(path("greeter") + "/scale", "{\"replicas\": 3}");
      ready("greeter", 3);
      server.post(path("greeter") + "/scale", "{\"replicas\": 1}");
      ready("greeter", 1);
      int before = load.answers.get();
      await().atMost(PATIENCE).until(() -> load.answers.get() > before + 100);
      assertThat(load.failures).isEmpty();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aNewGenerationThatNeverGetsReadyGetsNoRequest() throws Exception {
    put(GREETER);
    ready("greeter");
    await().atMost(PATIENCE).until(() -> answer("greeter").statusCode() == 200);
    ObjectNode broken = (ObjectNode) Json.parse(GREETER);
    broken.put("command", "echo no model here; exit 3");
    put(broken.toString());

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode state = state("greeter");
          assertThat(state.get("status").textValue()).isEqualTo("DEGRADED");
          assertThat(state.get("reason").textValue())
              .contains("exit code 3")
              .contains("generation 1 goes on serving");
        });
    assertThat(answer("greeter").body()).isEqualTo("one from service/greeter/1-0\n");
    JsonNode replica = state("greeter").get("replicas").get(1);
    assertThat(replica.get("exitCode").intValue()).isEqualTo(3);
    assertThat(replica.get("lastLines").toString()).contains("no model here");
    assertThat(orrery("describe", "service", "greeter").out()).contains("no model here");
    assertThat(server.get(path("greeter") + "/events").get("items").toString()).contains("BACKOFF");
  }

  @Test
  void aKilledServerLeavesReplicasRunningAndTheNextOneFindsThem() throws Exception {
    put(GREETER);
    JsonNode replica = ready("greeter").get("replicas").get(0);
    await().atMost(PATIENCE).until(() -> answer("greeter").statusCode() == 200);
    URI own = URI.create("http://" + replica.get("endpoint").textValue() + "/");

    server.kill();
    assertThat(ask(own).body()).isEqualTo("one from service/greeter/1-0\n");
    Files.deleteIfExists(home().resolve("server.json"));
    begin();

    JsonNode found = ready("greeter").get("replicas").get(0);
    assertThat(found.get("endpoint")).isEqualTo(replica.get("endpoint"));
    assertThat(found.get("restarts").intValue()).isZero();
    await().atMost(PATIENCE).until(() -> answer("greeter").statusCode() == 200);
  }

  @Test
  void aShellInAReplicaRunsWhatComesFromStdinAndTellsItsExitCode() throws Exception {
    put(GREETER);
    ready("greeter");

    Ended ended =
        orrery(
            new String[] {"service", "shell", "greeter"},
            "echo $GREETING in $ORRERY_REPLICA\nexit 5\n");

    assertThat(ended.out()).as(ended.err()).contains("one in service/greeter/1-0");
    assertThat(ended.code()).isEqualTo(5);
    // A line without an end, of a program that takes the first end of the input.
    assertThat(orrery(new String[] {"service", "shell", "greeter"}, "echo the end; cat").code())
        .isZero();
    assertThat(server.get(path("greeter") + "/events").get("items").toString())
        .contains("\"SHELL\"", "opened by " + System.getProperty("user.name"));
  }

  @Test
  void aServiceThatIsClearedOrDeletedLeavesNothing() throws Exception {
    put(GREETER);
    URI own =
        URI.create(
            "http://" + ready("greeter").get("replicas").get(0).get("endpoint").textValue() + "/");

    server.post(path("greeter") + "/clear", "");
    await().atMost(PATIENCE).until(() -> isRefused(own));
    assertThat(state("greeter").get("status").textValue()).isEqualTo("OFFLINE");
    server.post(path("greeter") + "/deploy", "{\"stage\":\"test\"}");
    await()
        .atMost(PATIENCE)
        .until(() -> state("greeter").get("status").textValue().equals("READY"));
    assertThat(state("greeter").get("url").textValue()).contains("//test.greeter.service.");

    server.send("DELETE", path("greeter"), BodyPublishers.noBody());
    await().atMost(PATIENCE).until(() -> server.get("/workloads").get("items").isEmpty());
    assertThat(server.get("/routes").get("services")).isEmpty();
    try (var left = Files.list(home().resolve("workloads"))) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .noneMatch(n -> n.contains("greeter"));
    }
  }

  private boolean isRefused(URI url) throws Exception {
    try {
      ask(url);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void everythingThatIsWrongIsSaidWithItsLineAndNothingIsChanged() throws Exception {
    Path file = temp.resolve("bad.yml");
    Files.writeString(
        file,
        """
        kind: Service
        name: fine
        command: sleep 100
        ---
        kind: Service
        name: bad
        comand: serve
        ports: [8080, 99999]
        health: 9090:/healthz
        replicas: {min: 3, max: 2}
        ---
        kind: Servise
        name: worse
        ---
        kind: Service
        name: lost
        code: ./nowhere
        command: serve
        ---
        kind: Service
        name: away
        command: sleep 100
        ports: [8080]
        host: away.example.com
        ---
        kind: Service
        name: elsewhere
        command: sleep 100
        cluster: moon
        """);

    Ended ended = orrery("apply", "-f", "bad.yml");

    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err())
        .contains("bad.yml:7: /comand: there is no key 'comand' here (did you mean 'command'?)")
        .contains("bad.yml:8: /ports: a port is a number from 1 to 65,535, not '99999'")
        .contains("bad.yml:9: /health: port 9090 of health is not among the ports")
        .contains("bad.yml:10: /replicas/max: max is at least min, which is 3")
        .contains(
            "bad.yml:12: /kind: there is no kind 'Servise'; there is Project, Registry, ImageBuild,"
                + " Template, Model, Pipeline, Service, Domain")
        .contains("bad.yml:17: /code: there is no directory")
        .contains("bad.yml:24: /host:")
        .contains("bad.yml:29: /cluster: there is no cluster 'moon'");
    assertThat(server.get("/services").get("items")).isEmpty();
  }
}
