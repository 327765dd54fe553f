package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import io.orrery.cli.server.Interrupts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RunExperimentIT {
  private static final String CREATE = "POST /api/v1/experiments";
  private static final String ONE = "GET /api/v1/experiments/abcdefgh";
  private static final String TRIALS = ONE + "/trials";

  @TempDir Path directory;

  private final FakeServer server = new FakeServer();
  private CommandLineRun run;
  private Path file;

  @BeforeEach
  void writeTheExperiment() throws IOException {
    run = new CommandLineRun(directory).at(server);
    file = Files.createDirectories(directory.resolve("my folder")).resolve("exp.yml");
    Files.writeString(file, "searchSpace:\n  lr:\n    _type: unform\ntrialCommand: ''\n");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void theLastLineIsTheBestTrial() {
    server
        .on(CREATE, 201, state("RUNNING", "{}", "null", "\"notices\":[\"Mind the step.\"]"))
        .on(ONE, 200, state("RUNNING", "{\"RUNNING\":1}", "null", "\"error\":null"))
        .on(ONE, 200, state("DONE", "{\"SUCCEEDED\":1}", BEST, "\"error\":null"))
        .on(
            TRIALS,
            200,
            "{\"items\":[{\"id\":\"trial\",\"status\":\"SUCCEEDED\",\"metric\":0.9567}],\"next\":null}");

    Result result = run.run("experiment", "run", "my folder/exp.yml");

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("best: trial 0.9567 {\"lr\":0.1,\"name\":\"a b\"}\n");
    assertThat(result.err())
        .contains("Mind the step.")
        .contains("trial trial SUCCEEDED 0.9567 (1/1)");
    assertThat(server.lines())
        .contains(
            CREATE
                + "?base="
                + directory
                    .resolve("my folder")
                    .toString()
                    .replace("/", "%2F")
                    .replace(" ", "%20"));
  }

  @Test
  void aServerThatTellsIsNotAsked() {
    String done = state("DONE", "{\"SUCCEEDED\":1}", BEST, "\"error\":null");
    server
        .on(CREATE, 201, state("RUNNING", "{}", "null", "\"notices\":[]"))
        .on(
            ONE + "/events",
            200,
            "retry: 2000\n\nevent: trials\nid: a-1\ndata: {}\n\n"
                + "event: experiment\nid: a-2\ndata: "
                + done
                + "\n\n");

    Result result = run.run("experiment", "run", file.toString(), "--json");

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo(done + "\n");
    assertThat(server.lines()).doesNotContain(ONE);
  }

  @Test
  void whenTheStreamBreaksOffTheServerIsAsked() {
    String done = state("DONE", "{\"SUCCEEDED\":1}", BEST, "\"error\":null");
    server
        .on(CREATE, 201, state("RUNNING", "{}", "null", "\"notices\":[]"))
        .on(
            ONE + "/events",
            200,
            "event: experiment\nid: a-2\ndata: "
                + state("RUNNING", "{}", "null", "\"error\":null")
                + "\n\n")
        .on(ONE, 200, done);

    Result result = run.run("experiment", "run", file.toString(), "--json");

    assertThat(result.code()).isZero();
    assertThat(server.lines()).contains(ONE);
  }

  @Test
  void jsonPrintsTheExperimentAndNothingElse() {
    String done = state("DONE", "{\"SUCCEEDED\":1}", BEST, "\"error\":null");
    server.on(CREATE, 201, done).on(ONE, 200, done);

    Result result = run.run("experiment", "run", file.toString(), "--json");

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo(done + "\n");
  }

  @ParameterizedTest
  @CsvSource({
    "FAILED, every trial failed, every trial failed",
    "DONE, , no trial reported",
    "STOPPED, , was stopped",
    "ERROR, the tuner died, the tuner died"
  })
  void anEndWithoutABestTrialIsAFailureWithItsReason(String status, String error, String said) {
    String state =
        state(status, "{}", "null", "\"error\":" + (error == null ? "null" : "\"" + error + "\""));
    server.on(CREATE, 201, state).on(ONE, 200, state);

    Result result = run.run("experiment", "run", file.toString());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(said);
  }

  @Test
  void everyFindingIsPlacedInTheFile() {
    server.on(
        CREATE,
        400,
        """
        {"type":"/problems/refused","title":"The input was refused","status":400,"detail":"2 things",
         "errors":[{"pointer":"/searchSpace/lr/_type","message":"unknown type"},
                   {"pointer":"/trialCommand","message":"is empty"}]}\
        """);

    Result result = run.run("experiment", "run", "my folder/exp.yml");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            """
            my folder/exp.yml:3: /searchSpace/lr/_type: unknown type
            my folder/exp.yml:4: /trialCommand: is empty
            """);
  }

  @Test
  void aRefusalIsOneJsonDocumentWhenAskedFor() {
    server.on(CREATE, 400, "{\"title\":\"no\",\"status\":400,\"errors\":[]}");

    Result result = run.run("--json", "experiment", "create", file.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEqualTo("{\"title\":\"no\",\"status\":400,\"errors\":[]}\n");
    assertThat(result.err()).contains("exp.yml: no");
  }

  @Test
  void aFileThatIsNotThereIsRefusedBeforeAnyServerIsAsked() {
    Result result = run.run("experiment", "run", "nowhere.yml");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("nowhere.yml: there is no such file");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void ctrlCStopsTheExperimentAndWaitsForItsEnd() {
    server
        .on(CREATE, 201, state("RUNNING", "{}", "null", "\"notices\":[]"))
        .on(ONE, 200, state("RUNNING", "{}", "null", "\"error\":null"))
        .on(ONE, 200, state("STOPPING", "{}", BEST, "\"error\":null"))
        .on(ONE, 200, state("STOPPED", "{}", BEST, "\"error\":null"))
        .on("POST /api/v1/experiments/abcdefgh/stop", 200, "{}");
    pressWhen(run.interrupts, ONE);

    Result result = run.run("experiment", "run", file.toString());

    assertThat(result.code()).isEqualTo(130);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("press Ctrl-C again to kill")
        .contains("best until then: trial");
    assertThat(server.lines()).containsOnlyOnce("POST /api/v1/experiments/abcdefgh/stop");
  }

  @Test
  void theSecondCtrlCEndsTheProcessAtOnce() {
    List<Object> events = new ArrayList<>();
    Interrupts interrupts = new Interrupts(events::add);
    interrupts.beforeHalt(() -> events.add("server killed"));

    interrupts.arrived();
    assertThat(events).isEmpty();
    interrupts.arrived();

    assertThat(events).containsExactly("server killed", 130);
  }

  @Test
  void aServerThatComesBackIsWaitedFor() {
    run.clock = InstantSource.system();
    server
        .on(CREATE, 201, state("RUNNING", "{}", "null", "\"notices\":[]"))
        .on(ONE, 503, "")
        .on(ONE, 200, state("DONE", "{}", BEST, "\"error\":null"));

    Result result = run.run("experiment", "run", file.toString());

    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("does not answer").contains("the server is back");
  }

  @Test
  void aPersonSeesOneLineRedrawn() {
    run.interactive = true;
    run.environment.put("COLUMNS", "80");
    server
        .on(CREATE, 201, state("RUNNING", "{}", "null", "\"notices\":[]"))
        .on(ONE, 200, state("RUNNING", "{\"RUNNING\":2}", "null", "\"error\":null"))
        .on(ONE, 200, state("DONE", "{\"SUCCEEDED\":1}", BEST, "\"error\":null"));

    Result result = run.run("experiment", "run", file.toString());

    assertThat(result.err()).contains("\r\u001b[K▕").contains("0/1 trials · 2 running");
    assertThat(result.err()).endsWith("\r\u001b[K");
    assertThat(result.out()).startsWith("best: ");
  }

  private static final String BEST =
      "{\"trial\":\"trial\",\"metric\":0.9567,\"parameters\":{\"lr\":0.1,\"name\":\"a b\"}}";

  private static String state(String status, String counts, String best, String more) {
    return "{\"id\":\"abcdefgh\",\"name\":\"digits\",\"status\":\"%s\",\"trialCounts\":%s,\"maxTrialNumber\":1,\"best\":%s,%s}"
        .formatted(status, counts, best, more);
  }

  /** Presses the key as soon as the server has been asked for a line. */
  private void pressWhen(Interrupts interrupts, String line) {
    Thread.ofVirtual()
        .start(() -> {
          while (!server.lines().contains(line)) {
            Thread.onSpinWait();
          }
          interrupts.arrived();
        });
  }
}
