package io.orrery.journeys.access;

import static io.orrery.journeys.ServerUsers.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.auth.BearerToken;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import io.orrery.journeys.ServersTogether;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Takes the steps of "Move from tokens" in {@code docs/people.md}, with its configuration. */
@Timeout(600)
class MoveFromTokensIT {
  private static final Path PAGE = Path.of("..", "docs/people.md");
  private static final BearerToken CI = new BearerToken("orrery_the-token-of-ci");
  private static final BearerToken WALL = new BearerToken("orrery_the-token-of-the-wall");
  private static final String CI_LINE = "    - {name: ci, role: admin, sha256: …}\n";
  private static final String EXPERIMENT =
      """
      trialCommand: 'echo "orrery: final 1"'
      trialConcurrency: 1
      maxTrialNumber: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;
  private final HttpClient http = HttpClient.newHttpClient();
  private ServerProcess server;

  @AfterEach
  void stop() {
    http.close();
  }

  private static List<String> blocks() throws IOException {
    String page = Files.readString(PAGE);
    return Arrays.stream(page.substring(page.indexOf("## Move from tokens")).split("```"))
        .map(block -> block.replaceAll("(?m)^   ", ""))
        .toList();
  }

  private ServerProcess start(String configuration) throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"),
        configuration
            .replace("/srv/code", code().toString())
            .replace("role: admin, sha256: …", "role: admin, sha256: " + CI.sha256())
            .replace("role: viewer, sha256: …", "role: viewer, sha256: " + WALL.sha256())
            .replace(
                "sandbox: bwrap",
                Files.isExecutable(Path.of("/usr/bin/bwrap"))
                    ? "sandbox: bwrap"
                    : "sandbox: none"));
    server = ServerProcess.start(home);
    return server;
  }

  private Reply by(BearerToken token, String method, String path, String body) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
                .header("Authorization", "Bearer " + token.text())
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    return new Reply(answer.statusCode(), answer.body(), "");
  }

  private Path code() throws IOException {
    return Files.createDirectories(temp.toAbsolutePath().resolve("code"));
  }

  private String create() throws Exception {
    String base = code().toString().replace(" ", "%20");
    Reply created = by(CI, "POST", "/experiments?base=" + base, EXPERIMENT);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    String id = created.json().get("id").textValue();
    ServersTogether.await(
        "the end",
        () -> by(CI, "GET", "/experiments/" + id, "").json().get("status").asText().equals("DONE"));
    return id;
  }

  /** Runs a command as on another machine: with a home of its own. */
  private String orrery(String input, List<String> words) throws Exception {
    Path err = Files.createTempFile(temp, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(ServerProcess.command(words.toArray(String[]::new)));
    builder.environment().put("ORRERY_HOME", temp.toAbsolutePath().resolve("laptop").toString());
    Process process = builder.redirectError(err.toFile()).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s %s", words, Files.readString(err)).isZero();
    return out.strip();
  }

  /** The command lines of a block of the page; those that ask for a password read it from stdin. */
  private List<List<String>> commands(String block) {
    return block
        .lines()
        .filter(line -> line.startsWith("orrery "))
        .map(line -> line.replace("https://orrery.example.com", server.url().toString()))
        .map(line ->
            line.matches("orrery (login|token create) .*") ? line + " --password-stdin" : line)
        .map(line -> List.of(line.substring("orrery ".length()).split(" ")))
        .toList();
  }

  @Test
  void theStepsOfThePageGiveAServerAccountsWhileItsTokensGoOn() throws Exception {
    List<String> blocks = blocks();
    String accounts = blocks.get(1).substring("yaml\n".length());
    assertThat(accounts).contains("users: true", CI_LINE);
    String before;
    Person session;
    String tokensAlone = accounts.replaceAll("(?m)^  (users|sandbox|sandboxRead): .*\\R", "");
    try (ServerProcess alone = start(tokensAlone);
        ServerUsers users = new ServerUsers(alone)) {
      before = create();
      session = users.signIn("ci", CI);
    }

    BearerToken nightly;
    try (ServerProcess both = start(accounts);
        ServerUsers users = new ServerUsers(both)) {
      assertThat(by(CI, "GET", "/me", "").json().get("kind").textValue()).isEqualTo("service");
      assertThat(users.get(session, "/api/v1/me").json().get("user").textValue()).isEqualTo("ci");
      assertThat(create()).isNotEqualTo(before);
      assertThat(by(WALL, "GET", "/experiments/" + before, "").status()).isEqualTo(200);
      assertThat(by(WALL, "POST", "/experiments", EXPERIMENT).status()).isEqualTo(403);

      users.administrator();
      String code = "";
      for (List<String> command : commands(blocks.get(3))) {
        String out = orrery(PASSWORD + "\n", command);
        code = command.getFirst().equals("user") ? out : code;
      }
      users.setUp(code, "bob");
      Person bob = users.signIn("bob");
      assertThat(users.get(bob, "/api/v1/projects/vision").json().get("role").textValue())
          .isEqualTo("member");
      JsonNode old = users.get(bob, "/api/v1/experiments/" + before).json();
      assertThat(old.get("project").textValue()).isEqualTo("public");
      assertThat(old.path("owner").asText("")).isEqualTo("ci");
      assertThat(users.send(bob, "DELETE", "/api/v1/experiments/" + before, "").status())
          .isEqualTo(403);
      nightly = new BearerToken(orrery(PASSWORD + "\n", commands(blocks.get(5)).getFirst()));
      assertThat(by(nightly, "GET", "/me", "").json().get("user").textValue()).isEqualTo("root");
    }

    try (ServerProcess last = start(accounts.replace(CI_LINE, ""));
        ServerUsers users = new ServerUsers(last)) {
      assertThat(by(CI, "GET", "/me", "").status()).isEqualTo(401);
      assertThat(users.get(session, "/api/v1/me").status()).isEqualTo(401);
      assertThat(by(WALL, "GET", "/experiments/" + before, "").status()).isEqualTo(200);
      assertThat(by(nightly, "DELETE", "/experiments/" + before, "").status()).isEqualTo(200);
      assertThat(users.get(users.signIn("bob"), "/api/v1/projects/vision").status()).isEqualTo(200);
    }
  }
}
