package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Accounts of a registry are tried on a real one, and images are found there by their digests. */
class RegistryIT {
  private static final String PASSWORD = "plover-31-quartz";
  private static final String WRONG = "heron-58-basalt";

  private final List<String> answers = new ArrayList<>();

  private JsonNode send(ServerProcess server, String method, String path, String body, int status)
      throws Exception {
    HttpResponse<String> answer = server.send(method, path, BodyPublishers.ofString(body));
    answers.add(answer.body());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? Json.MAPPER.missingNode() : Json.parse(answer.body());
  }

  private JsonNode put(ServerProcess server, DockerRegistry hub, String password, int status)
      throws Exception {
    ObjectNode body =
        Json.MAPPER.createObjectNode().put("server", hub.host()).put("user", DockerRegistry.USER);
    if (!password.isEmpty()) {
      body.put("password", password);
    }
    return send(server, "PUT", "/registries/hub", body.toString(), status);
  }

  private JsonNode check(ServerProcess server) throws Exception {
    return send(server, "POST", "/registries/hub/check", "", 200);
  }

  /** Runs a command of the product; its output with the exit code. */
  private String orrery(ServerProcess server, String input, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(ServerProcess.command(arguments));
    command.addAll(List.of("--server", server.url().toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    answers.add(output);
    return output + "exit " + process.waitFor();
  }

  /** The files below a directory that have a text. */
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

  private void assertNowhere(ServerProcess server, Path home, String password) throws Exception {
    String basic =
        Base64.getEncoder()
            .encodeToString(
                (DockerRegistry.USER + ":" + password).getBytes(StandardCharsets.UTF_8));
    for (String text : List.of(password, basic)) {
      assertThat(having(home, text)).isEmpty();
      assertThat(server.log()).doesNotContain(text);
      assertThat(answers).noneMatch(answer -> answer.contains(text));
    }
  }

  /** A server that may ask registries of this machine. */
  private static ServerProcess started(Path home) throws Exception {
    Files.createDirectories(home);
    Files.writeString(home.resolve("orrery.yml"), "registries: {networks: [127.0.0.1]}\n");
    return ServerProcess.start(home);
  }

  @Test
  @Timeout(180)
  void aLoginIsTriedAndAWrongPasswordIsAReasonAndNowhere(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (DockerRegistry hub = DockerRegistry.start(temp.resolve("registry"), PASSWORD);
        ServerProcess server = started(home)) {
      assertThat(put(server, hub, WRONG, 201).path("outcome").asText()).isEqualTo("created");
      assertThat(check(server).path("ok").asBoolean()).isFalse();
      assertThat(check(server).path("reason").asText())
          .isEqualTo(hub.host() + " refused the user robot (status 401): check user and password");

      assertThat(put(server, hub, PASSWORD, 200).path("outcome").asText()).isEqualTo("changed");
      assertThat(put(server, hub, PASSWORD, 200).path("outcome").asText()).isEqualTo("unchanged");
      assertThat(put(server, hub, "", 200).path("outcome").asText()).isEqualTo("unchanged");
      JsonNode checked = check(server);
      assertThat(checked.path("ok").asBoolean()).as(checked.toString()).isTrue();

      // A user who may change the account cannot have its password sent elsewhere.
      JsonNode moved = send(server, "PUT", "/registries/hub", "{\"server\": \"localhost:1\"}", 400);
      assertThat(moved.toString()).contains("needs the password to be given again");
      assertThat(check(server).path("ok").asBoolean()).isTrue();

      send(server, "PUT", "/projects/public/secrets/hub", "{\"value\": \"" + WRONG + "\"}", 200);
      put(server, hub, "secret:hub", 200);
      assertThat(check(server).path("ok").asBoolean()).isFalse();
      send(server, "PUT", "/projects/public/secrets/hub", "{\"value\": \"" + PASSWORD + "\"}", 200);
      assertThat(check(server).path("ok").asBoolean()).isTrue();
      send(server, "DELETE", "/projects/public/secrets/hub", "", 204);
      assertThat(check(server).path("reason").asText()).contains("has no secret hub");

      send(server, "GET", "/registries", "", 200);
      JsonNode shown = send(server, "GET", "/registries/hub", "", 200);
      assertThat(send(server, "PUT", "/registries/hub", shown.toString(), 200).path("outcome"))
          .hasToString("\"unchanged\"");
      String misspelt = "kind: Registry\nname: hub\nserfer: x\n";
      assertThat(send(server, "PUT", "/registries/hub", misspelt, 400).at("/errors/0"))
          .hasToString(
              "{\"pointer\":\"/serfer\",\"message\":\"there is no key 'serfer' here (did you mean"
                  + " 'server'?)\",\"line\":3}");
      assertThat(send(server, "GET", "/audit", "", 200).toString()).contains("\"registry\"");
      assertNowhere(server, home, WRONG);
      assertNowhere(server, home, PASSWORD);
    }
  }

  @Test
  @Timeout(180)
  void anImageIsThereWithItsDigestThenMovedThenGone(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (DockerRegistry hub = DockerRegistry.start(temp.resolve("registry"), PASSWORD);
        ServerProcess server = started(home)) {
      String image = hub.host() + "/vision/tool:1";
      String body = "{\"name\": \"" + image + "\"}";
      String digest = hub.push("vision/tool", "1", "one");
      assertThat(send(server, "POST", "/images", body, 400).toString())
          .contains("asks for a login, and the project has no account there");
      put(server, hub, PASSWORD, 201);

      JsonNode added = send(server, "POST", "/images", body, 201);
      assertThat(added.path("digest").asText()).isEqualTo(digest);
      String check = "/images/" + added.path("id").asText() + "/check";
      assertThat(send(server, "POST", check, "", 200).at("/state/status").asText())
          .isEqualTo("PRESENT");

      String second = hub.push("vision/tool", "1", "two");
      JsonNode moved = send(server, "POST", check, "", 200);
      assertThat(moved.at("/state/status").asText()).isEqualTo("MOVED");
      assertThat(moved.at("/state/digest").asText()).isEqualTo(second).isNotEqualTo(digest);
      assertThat(moved.path("digest").asText()).isEqualTo(digest);
      assertThat(send(server, "POST", "/images", body, 200).path("digest").asText())
          .isEqualTo(second);

      hub.delete("vision/tool", second);
      assertThat(send(server, "POST", check, "", 200).at("/state/status").asText())
          .isEqualTo("GONE");
      put(server, hub, WRONG, 200);
      JsonNode unknown = send(server, "POST", check, "", 200);
      assertThat(unknown.at("/state/status").asText()).isEqualTo("UNKNOWN");
      assertThat(unknown.at("/state/reason").asText()).contains("refused the user robot");
      assertThat(send(server, "GET", "/images?status=unknown", "", 200).path("items")).hasSize(1);
      assertThat(send(server, "GET", "/images?status=present", "", 200).path("items")).isEmpty();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(180)
  void theCommandLineAndDocumentsDoTheSame(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (DockerRegistry hub = DockerRegistry.start(temp.resolve("registry"), PASSWORD);
        ServerProcess server = started(home)) {
      String add = "registry add hub " + hub.host() + " --user robot --password-stdin";
      assertThat(orrery(server, WRONG + "\n", add.split(" "))).contains("created hub", "exit 0");
      assertThat(orrery(server, "", "registry", "check", "hub"))
          .contains("refused the user robot", "exit 1");

      send(server, "PUT", "/projects/public/secrets/hub", "{\"value\": \"" + PASSWORD + "\"}", 200);
      Path document =
          Files.writeString(
              temp.resolve("registry.yml"),
              """
              kind: Registry
              name: hub
              server: %s
              user: robot
              password: secret:hub
              """
                  .formatted(hub.host()));
      String apply = "apply -f " + document;
      assertThat(orrery(server, "", apply.split(" "))).contains("changed Registry/hub", "exit 0");
      assertThat(orrery(server, "", apply.split(" "))).contains("unchanged Registry/hub");
      assertThat(orrery(server, "", "registry", "check", "hub"))
          .contains("accepts the user robot", "exit 0");
      assertThat(orrery(server, "", "registry", "list")).contains("secret:hub", "robot");
      assertThat(orrery(server, "", "get", "registries")).contains("hub", "robot");

      String digest = hub.push("tool", "1", "one");
      String image = hub.host() + "/tool:1";
      assertThat(orrery(server, "", "image", "add", image)).contains(digest, "PRESENT", "exit 0");
      hub.push("tool", "1", "two");
      assertThat(orrery(server, "", "image", "check")).contains("MOVED", "exit 1");
      assertThat(orrery(server, "", "image", "delete", image)).contains("exit 0");
      assertThat(orrery(server, "", "registry", "delete", "hub")).contains("exit 0");
      assertThat(orrery(server, "", "registry", "check", "hub")).contains("exit 1");
      assertNowhere(server, home, WRONG);
      assertNowhere(server, home, PASSWORD);
    }
  }
}
