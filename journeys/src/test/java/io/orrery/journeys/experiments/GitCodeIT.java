package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Experiments and pipelines with code of Git repositories, which a real server of Git serves. */
@Timeout(180)
class GitCodeIT {
  @TempDir Path temp;
  private GitServer git;
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    git = GitServer.start(temp.resolve("repositories").toAbsolutePath());
    Path home = Files.createDirectories(home());
    Files.writeString(home.resolve("orrery.yml"), "git: {networks: [127.0.0.1]}\n");
    server = ServerProcess.start(home);
  }

  @AfterEach
  void stop() {
    server.close();
    git.close();
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  private HttpResponse<String> create(String code, boolean check) throws Exception {
    String config =
        """
        experimentName: from git
        searchSpace: {x: {_type: choice, _value: [1]}}
        trialCommand: sh train.sh
        trialCodeDirectory: %s
        trialConcurrency: 1
        maxTrialNumber: 1
        tuner: {name: Random}
        trainingService: {platform: local}
        """
            .formatted(code);
    return server.send(
        "POST", "/experiments" + (check ? "?dryRun=true" : ""), BodyPublishers.ofString(config));
  }

  private JsonNode created(String code) throws Exception {
    HttpResponse<String> answer = create(code, false);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return Json.parse(answer.body());
  }

  private String result(JsonNode created) {
    String id = created.path("id").textValue();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.get("/experiments/" + id).path("status").asText().equals("DONE"));
    try {
      String trial = server.trials(id).getFirst().path("id").asText();
      return server
          .send(
              "GET",
              "/experiments/" + id + "/trials/" + trial + "/logs/stdout",
              BodyPublishers.noBody())
          .body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void refused(String code, String pointer, String words) throws Exception {
    HttpResponse<String> answer = create(code, false);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    JsonNode error = Json.parse(answer.body()).at("/errors/0");
    assertThat(error.path("pointer").textValue()).as(answer.body()).isEqualTo(pointer);
    assertThat(error.path("message").textValue()).contains(words);
    assertThat(error.path("line").asInt()).isEqualTo(4);
  }

  private List<Path> checkouts() throws Exception {
    try (Stream<Path> users = Files.list(home().resolve("workspaces"))) {
      return users
          .map(user -> user.resolve("code"))
          .filter(Files::isDirectory)
          .flatMap(code -> Stream.of(code.toFile().listFiles()).map(file -> file.toPath()))
          .toList();
    }
  }

  @Test
  void theCodeOfABranchATagOrACommitRunsAndNothingElseOfTheRepository() throws Exception {
    String first =
        git.repository(
            "open",
            Map.of(
                "search/train.sh",
                "cat lib/word; ls -A; echo orrery: final 1\n",
                "search/lib/word",
                "first\n",
                "search/.gitattributes",
                "* filter=evil\n",
                "elsewhere/large",
                "x"));
    Path work = git.work("open");
    Files.writeString(work.resolve("search/lib/word"), "second\n");
    Files.createSymbolicLink(work.resolve("search/link"), Path.of("lib/word"));
    Files.createSymbolicLink(work.resolve("away"), Path.of("/etc"));
    GitServer.git(work, "tag", "one", first);
    String second = git.commit("open");
    String url = git.url("open");

    String branch = "{git: \"%s\", ref: main, directory: search}".formatted(url);
    assertThat(create(branch, true).statusCode()).isEqualTo(200);
    assertThat(checkouts()).isEmpty();
    JsonNode created = created(branch);
    assertThat(created.path("notices").toString()).contains(second).contains(url);
    String said = result(created);
    assertThat(said).contains("second").contains("link").doesNotContain("elsewhere");

    assertThat(result(created("{git: \"%s\", ref: one, directory: search}".formatted(url))))
        .contains("first");
    assertThat(result(created("{git: \"%s\", ref: %s, directory: search}".formatted(url, second))))
        .contains("second");
    assertThat(checkouts()).hasSize(3).allMatch(path -> !Files.exists(path.resolve(".git")));
    try (Stream<Path> drafts = Files.list(home().resolve("git-drafts"))) {
      assertThat(drafts.map(path -> path.getFileName().toString())).containsOnly("none");
    }

    refused(
        "{git: \"%s\", ref: main, directory: away}".formatted(url),
        "/trialCodeDirectory",
        "cannot");
    refused(
        "{git: \"%s\", ref: nothing, directory: search}".formatted(url),
        "/trialCodeDirectory",
        "nothing");
  }

  @Test
  void aPrivateRepositoryIsReadWithAHiddenSecretOfTheProject() throws Exception {
    git.repository("closed", Map.of("train.sh", "echo orrery: final 2\n"));
    String code = "{git: \"%s\", ref: main, secret: \"secret:git\"}".formatted(git.url("closed"));

    refused(
        "{git: \"%s\", ref: main}".formatted(git.url("closed")), "/trialCodeDirectory", "cannot");
    refused(code, "/trialCodeDirectory/secret", "project public has no secret git");
    server.send(
        "PUT",
        "/projects/public/secrets/git",
        BodyPublishers.ofString("{\"value\": \"robin:wrong\"}"));
    refused(code, "/trialCodeDirectory", "cannot be fetched");
    server.send(
        "PUT",
        "/projects/public/secrets/git",
        BodyPublishers.ofString("{\"value\": \"%s\"}".formatted(GitServer.LOGIN)));

    JsonNode created = created(code);

    assertThat(result(created)).contains("final 2");
    assertThat(server.log() + created).doesNotContain("larch-91-canal");
  }

  private void put(String code) throws Exception {
    String document =
        """
        kind: Pipeline
        name: two
        tasks:
          - {name: one, command: 'cat word; echo $ORRERY_CODE_COMMIT', code: %s}
          - {name: stop, command: 'test -e %s', after: [one]}
        """
            .formatted(code, temp.toAbsolutePath().resolve("go"));
    HttpResponse<String> answer =
        server.send("PUT", "/pipelines/two", BodyPublishers.ofString(document));
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  private JsonNode ended(String run) throws Exception {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() ->
            List.of("SUCCEEDED", "FAILED")
                .contains(server.get("/runs/" + run).path("status").asText()));
    return server.get("/runs/" + run);
  }

  private String said(String run) throws Exception {
    return server
        .send("GET", "/runs/" + run + "/steps/one/logs/stdout", BodyPublishers.noBody())
        .body();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aRunOfAPipelineKeepsTheCommitThatItsBranchHadWhenItWasStarted() throws Exception {
    String first = git.repository("open", Map.of("sub/word", "first\n", "other", "x"));
    put("{git: \"%s\", ref: main, directory: sub}".formatted(git.url("open")));

    String run = server.post("/pipelines/two/run", "{}").path("id").textValue();
    JsonNode failed = ended(run);
    Files.writeString(git.work("open").resolve("sub/word"), "second\n");
    String second = git.commit("open");
    Files.createFile(temp.toAbsolutePath().resolve("go"));
    server.post("/runs/" + run + "/retry", "{\"steps\": [\"one\"]}");
    JsonNode again = ended(run);
    String next = server.post("/pipelines/two/run", "{}").path("id").textValue();

    assertThat(failed.path("status").asText()).as(failed.toPrettyString()).isEqualTo("FAILED");
    assertThat(again.at("/steps/0/attempt").asInt()).as(again.toPrettyString()).isEqualTo(2);
    assertThat(again.at("/steps/0/commit").textValue()).isEqualTo(first);
    assertThat(said(run)).contains("first").contains(first).doesNotContain("second");
    assertThat(ended(next).at("/steps/0/commit").textValue()).isEqualTo(second);
    assertThat(said(next)).contains("second").contains(second);
    put("{git: \"%s\", ref: none}".formatted(git.url("open")));
    HttpResponse<String> refused =
        server.send("POST", "/pipelines/two/run", BodyPublishers.ofString("{}"));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    assertThat(refused.body()).contains(git.url("open") + " at none: the code cannot be fetched");
  }

  @Test
  void whatHasTooManyFilesIsNotUnpackedAndNoRedirectIsFollowed() throws Exception {
    git.repository("open", Map.of("train.sh", "echo orrery: final 3\n"));
    git.repository("large", Map.of("train.sh", "true\n"));
    git.manyFiles("large", 10_001);

    refused(
        "{git: \"%s\", ref: main}".formatted(git.url("large")),
        "/trialCodeDirectory",
        "more than 10,000 files");
    refused("{git: \"%s\", ref: main}".formatted(git.url("moved")), "/trialCodeDirectory", "302");
    assertThat(checkouts()).isEmpty();
  }

  @Test
  void otherNetworksAndOtherWordsAreRefused() throws Exception {
    for (String host : List.of("10.0.0.7", "169.254.169.254", "192.168.1.1:8080", "[::1]")) {
      refused(
          "{git: \"http://%s/team/code.git\", ref: main}".formatted(host),
          "/trialCodeDirectory",
          "git.networks");
    }
    for (String url :
        List.of(
            "file:///etc",
            "ext::sh -c id",
            "ssh://example.com/a",
            "https://ann:secret@example.com/a",
            "-u",
            "https://example.com/a?b")) {
      refused(
          "{git: \"%s\", ref: main}".formatted(url), "/trialCodeDirectory/git", "must be a URL");
    }
    for (String ref : List.of("--upload-pack=id", "a..b", "+main:main", "")) {
      refused(
          "{git: \"%s\", ref: \"%s\"}".formatted(git.url("open"), ref),
          "/trialCodeDirectory/ref",
          "ref must be");
    }
    refused(
        "{git: \"%s\", ref: main, directory: \"../x\"}".formatted(git.url("open")),
        "/trialCodeDirectory/directory",
        "below the root");
    refused(
        "{git: \"%s\", ref: main, branch: x}".formatted(git.url("open")),
        "/trialCodeDirectory",
        "'branch' is no key");
  }
}
