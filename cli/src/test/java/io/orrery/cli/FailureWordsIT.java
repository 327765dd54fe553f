package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests why a trial failed, wherever a user looks, and whatever of the server is left (B1, A5). */
final class FailureWordsIT {
  private static final String V1 = "/api/v1/experiments";
  private static final String OLD =
      """
      {"id":"oldoldol","name":"old","status":"DONE","trialCounts":{},"best":null}\
      """;
  private static final String ENDED =
      """
      {"id":"abcdefgh","name":"digits","status":"FAILED","maxTrialNumber":1,"trialCounts":{"FAILED":1},
       "best":null,"executionSeconds":0.42,"startedAt":"2026-03-01T11:59:00Z",
       "endedAt":"2026-03-01T11:59:30Z","error":"the only trial failed; the last: trial xyz, its \
      command ended with exit code 1; its last lines on stderr:\\nValueError: bad"}\
      """;
  private static final String TRIAL =
      """
      {"id":"xyz","experiment":"abcdefgh","sequenceId":0,"status":"FAILED","metric":null,"attempt":1,
       "reason":"its command ended with exit code 1; its last lines on stderr:\\nTraceback\\nValueError: bad",
       "directory":"/home/me/.orrery/experiments/abcdefgh/trials/xyz","parameters":{"lr":0.1},
       "startedAt":"2026-03-01T11:59:00Z","endedAt":"2026-03-01T11:59:00.400Z"}\
      """;

  @TempDir Path directory;

  private final FakeServer server = new FakeServer();

  @AfterEach
  void close() {
    server.close();
  }

  private CommandLineRun run() {
    server
        .on("GET " + V1, 200, "{\"items\":[" + ENDED + "," + OLD + "],\"next\":null}")
        .on("GET " + V1 + "/abcdefgh", 200, ENDED)
        .on("GET " + V1 + "/abcdefgh/trials", 200, "{\"items\":[" + TRIAL + "],\"next\":null}")
        .on("GET " + V1 + "/abcdefgh/trials/xyz", 200, TRIAL);
    return new CommandLineRun(directory).at(server);
  }

  @Test
  void aRunThatFailedNamesTheLogAndTheCommandThatShowsIt() throws IOException {
    Files.writeString(directory.resolve("exp.yml"), "trialCommand: x\n");
    server.on("POST " + V1, 201, ENDED);

    Result result = run().run("experiment", "run", "exp.yml");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .contains("trial xyz FAILED (1/1): exit code 1: ValueError: bad\n")
        .contains("ended as FAILED: the only trial failed")
        .contains("\nValueError: bad\n")
        .contains("stderr of trial xyz: /home/me/.orrery/experiments/abcdefgh/trials/xyz/stderr\n")
        .endsWith("`orrery trial logs abcdefgh/xyz --stderr` shows it\n");
  }

  @Test
  void aListSaysInOneLineWhyATrialFailedAndTheTrialItselfInAll() {
    assertThat(run().run("trial", "list", "abcdefgh").out())
        .contains("WHY")
        .contains("exit code 1: ValueError: bad");
    assertThat(run().run("trial", "show", "abcdefgh/xyz").out())
        .contains("reason      its command ended with exit code 1; its last lines on stderr:\n")
        .contains("            Traceback\n            ValueError: bad\n")
        .contains("files       /home/me/.orrery/experiments/abcdefgh/trials/xyz\n")
        .contains("ran for     0.4 s\n");
  }

  @Test
  void afterTheEndTheNewestExperimentIsMeantAndNamed() { // A5
    Result shown = run().run("experiment", "show");
    assertThat(shown.code()).isZero();
    assertThat(shown.err()).isEqualTo("orrery: experiment abcdefgh (digits), the newest one\n");
    assertThat(shown.out()).startsWith("id          abcdefgh\n").contains("ran for     0.4 s");
    assertThat(run().run("trial", "list", "--json").out())
        .startsWith("{\"items\":[{\"id\":\"xyz\"");
    assertThat(run().run("experiment", "stop").err())
        .as("what changes something wants to be told of what")
        .contains("no experiment is active; say which one");
  }

  @Test
  void theLogsOfATrialAreReadFromTheHomeWhenNoServerIsThere() throws IOException {
    Path home = directory.resolve("home");
    Path trial = Files.createDirectories(home.resolve("experiments/abcdefgh/trials/xyz12"));
    Files.writeString(trial.resolve("stderr"), "first\n");
    Files.writeString(home.resolve("server.json"), "{\"pid\":1,\"url\":\"http://127.0.0.1:1\"}");
    CommandLineRun run = new CommandLineRun(directory);

    Result whole = run.run("trial", "logs", "abcd/xyz", "--stderr");
    assertThat(whole.code()).as(whole.err()).isZero();
    assertThat(whole.out()).isEqualTo("first\n");
    assertThat(whole.err()).contains("no server answers; this is " + trial.resolve("stderr"));

    Path second = Files.createDirectories(trial.resolve("attempt-2"));
    Files.writeString(second.resolve("stderr"), "second\n");
    assertThat(run.run("trial", "logs", "xyz12", "--stderr").out())
        .as("the last attempt of the newest experiment")
        .isEqualTo("second\n");

    Result unknown = run.run("trial", "logs", "abcd/nope");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err()).contains("has no trial 'nope'");

    run.environment.put("ORRERY_URL", "http://127.0.0.1:1");
    assertThat(run.run("trial", "logs", "abcd/xyz").code())
        .as("a server that was named is another one's")
        .isEqualTo(1);
  }

  @Test
  void aLogThatATrialMadeALinkIsNotFollowed() throws IOException {
    Path home = directory.resolve("home");
    Path trial = Files.createDirectories(home.resolve("experiments/abcdefgh/trials/xyz12"));
    Files.writeString(home.resolve("server.json"), "{\"pid\":1,\"url\":\"http://127.0.0.1:1\"}");
    Files.createSymbolicLink(trial.resolve("stderr"), home.resolve("server.json"));

    assertThat(new CommandLineRun(directory).run("trial", "logs", "xyz12", "--stderr").out())
        .isEmpty();
  }

  @Test
  void anExperimentSaysWhatItsFirstWaitingTrialWaitsFor() { // B2
    server
        .on("GET " + V1 + "/waits", 200, OLD.replace("{}", "{\"WAITING\":2}"))
        .on(
            "GET " + V1 + "/oldoldol/trials",
            200,
            "{\"items\":[{\"id\":\"w1\",\"reason\":\"waits for 2 GPUs\"}],\"next\":null}");
    CommandLineRun run = new CommandLineRun(directory).at(server);

    assertThat(run.run("experiment", "show", "waits").out())
        .contains("waiting     w1: waits for 2 GPUs\n");
  }
}
