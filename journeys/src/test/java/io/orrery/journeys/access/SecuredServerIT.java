package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that asks for tokens, from the command that makes one to the trial that needs none. */
class SecuredServerIT {
  private static final String EXPERIMENT =
      """
      trialCommand: 'env; echo "orrery: final 1"'
      trialCodeDirectory: .
      trialConcurrency: 1
      maxTrialNumber: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;

  private record Ended(int code, String out, String err) {}

  @Test
  void anAddressBeyondLoopbackIsRefusedWithWhatToWrite() throws Exception {
    Ended up = orrery("up", "--host", "0.0.0.0", "--port", "0", "--router-port", "off");

    assertThat(up.code()).isEqualTo(2);
    assertThat(up.err())
        .contains("http.host is 0.0.0.0")
        .contains("orrery token create")
        .contains(home().resolve("orrery.yml").toString())
        .contains("- {name: me, role: admin, sha256:");
  }

  @Test
  void aMadeTokenOpensTheServerAndThisMachinesClientsNeedNone() throws Exception {
    Ended made = orrery("token", "create", "ci");
    String token = made.out().strip();
    Files.createDirectories(home());
    Files.writeString(
        home().resolve("orrery.yml"), made.err().substring(made.err().indexOf("auth:")));
    Files.writeString(temp.resolve("experiment.yml"), EXPERIMENT);

    try (ServerProcess server = ServerProcess.start(home())) {
      JsonNode announced = Json.parse(Files.readString(home().resolve("server.json")));
      String own = announced.get("token").textValue();
      assertThat(ask(server.url(), "")).isEqualTo(401);
      assertThat(ask(server.url(), token)).isEqualTo(200);
      assertThat(ask(server.url(), own)).isEqualTo(200);

      Ended run = orrery("experiment", "run", temp.resolve("experiment.yml").toString());
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("best:");
      String id =
          Json.parse(orrery("experiment", "list", "--json").out()).at("/items/0/id").asText();
      String trial =
          Json.parse(orrery("trial", "list", id, "--json").out()).at("/items/0/id").asText();
      String seen = orrery("trial", "logs", trial, "--experiment", id).out();
      assertThat(seen).contains("NNI_TRIAL_JOB_ID=" + trial).doesNotContain(own, token);

      Ended foreign = orrery("--server", server.url().toString(), "--token", "x", "tuner", "list");
      assertThat(foreign.code()).isEqualTo(1);
      assertThat(foreign.err()).contains("--token");
      assertThat(server.log()).doesNotContain(own, token);
    }
  }

  @Test
  void everyStartHasATokenOfItsOwn() throws Exception {
    secure();
    String first;
    try (ServerProcess server = ServerProcess.start(home())) {
      first = Json.parse(Files.readString(home().resolve("server.json"))).get("token").textValue();
      assertThat(ask(server.url(), first)).isEqualTo(200);
    }
    try (ServerProcess server = ServerProcess.start(home())) {
      assertThat(ask(server.url(), first)).isEqualTo(401);
    }
  }

  private void secure() throws IOException {
    Files.createDirectories(home());
    Files.writeString(
        home().resolve("orrery.yml"),
        "auth: {tokens: [{name: ci, role: admin, sha256: "
            + new BearerToken("known").sha256()
            + "}]}\n");
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  private static int ask(URI url, String token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve("/api/v1/tuners"));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
      return answer.statusCode();
    }
  }

  private Ended orrery(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(ServerProcess.command());
    command.addAll(Arrays.asList(arguments));
    Path err = Files.createTempFile(temp, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("ORRERY_HOME", home().toString());
    builder.redirectInput(Path.of("/dev/null").toFile()).redirectError(err.toFile());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }
}
