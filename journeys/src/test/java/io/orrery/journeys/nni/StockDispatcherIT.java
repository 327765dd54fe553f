package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * NNI's dispatcher, {@code python3 -m nni}, in place of a tuner: a strict stand-in, which speaks
 * the protocol of the release that it says it is.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class StockDispatcherIT {
  private static final Path STAND_IN =
      Path.of("src/test/resources/nni/dispatcher").toAbsolutePath();

  private static final String EXPERIMENT =
      """
      trialCommand: 'sleep ${PAUSE:-0}; echo orrery: final $ORRERY_PARAM_X'
      trialCodeDirectory: %s
      trialConcurrency: 2
      maxTrialNumber: %d
      searchSpace: {x: {_type: randint, _value: [0, 1000]}}
      tuner: %s
      trainingService: {platform: local}
      """;

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"3.0", "2.7"})
  @Timeout(120)
  void aTunerThatOnlyNniHasRunsInItsDispatcher(String release) throws Exception {
    try (ServerProcess server = serverBeside(release, Map.of())) {
      String id = create(server, 4, "{name: DNGO, classArgs: {start: 5}}");
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
      assertThat(ended.get("tuner").textValue()).isEqualTo("DNGO");
      assertThat(server.trials(id))
          .extracting(trial -> trial.at("/parameters/x").intValue())
          .containsExactlyInAnyOrder(5, 6, 7, 8);
      List<String> said = within60Seconds(() -> said(id), lines -> lines.contains("terminate"));
      assertThat(said)
          .startsWith(
              "mode start", "initialize {\"x\": {\"_type\": \"randint\", \"_value\": [0, 1000]}}")
          .contains("result 0 5.0", "end 0 SUCCEEDED", "result 3 8.0", "end 3 SUCCEEDED");
    }
    assertThat(dispatchers()).isEmpty();
  }

  @Test
  @Timeout(120)
  void oneThatCrashesOrHangsIsStartedAgainAndKnowsTheResults() throws Exception {
    try (ServerProcess server = serverBeside("3.0", Map.of())) {
      String crashing = create(server, 6, "{name: 'nni:TPE', classArgs: {crash_at: 3}}");
      String hanging = create(server, 6, "{name: DNGO, classArgs: {hang_at: 3}}");
      for (String id : List.of(crashing, hanging)) {
        JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");
        assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
        assertThat(server.trials(id))
            .extracting(trial -> trial.at("/parameters/x").intValue())
            .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        assertThat(said(id)).contains("mode resume").anyMatch(line -> line.startsWith("import [("));
      }
      assertThat(server.log()).contains("ValueError: cannot think of 3");
    }
    // They are told to go, and end by themselves: NNI's may save what it knows.
    within60Seconds(this::dispatchers, List::isEmpty);
  }

  /** D4; its verdict comes when it likes, and counts when the trial next reports. */
  @ParameterizedTest
  @ValueSource(strings = {"3.0", "2.7"})
  @Timeout(120)
  void whereNniIsInstalledAnAdvisorOfOnesOwnRunsInItsDispatcher(String release) throws Exception {
    Files.writeString(
        temp.resolve("trial.sh"),
        """
        for i in $(seq 200); do
          echo "orrery: intermediate $ORRERY_PARAM_X"
          [ $ORRERY_PARAM_X = 1 ] || break
          sleep 0.2
        done
        echo "orrery: final $ORRERY_PARAM_X"
        """);
    try (ServerProcess server = serverBeside(release, Map.of())) {
      String config =
          config(3, "").replaceFirst("(?m)^tuner:.*$", "")
              + "advisor: {className: mine.Advisor, codeDirectory: %s, classArgs: {kill_at: 1}}\n"
                  .formatted(temp);
      String id =
          server
              .post(
                  "/experiments",
                  config.replaceFirst("(?m)^trialCommand:.*$", "trialCommand: bash trial.sh"))
              .get("id")
              .textValue();
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
      assertThat(server.trials(id))
          .extracting(t -> t.at("/parameters/x") + " " + t.get("status").textValue())
          .containsExactlyInAnyOrder("0 SUCCEEDED", "1 EARLY_STOPPED", "2 SUCCEEDED");
      assertThat(within60Seconds(() -> said(id), lines -> lines.contains("terminate")))
          .contains("report 1 0 1.0", "end 1 EARLY_STOPPED", "result 2 2.0");
    }
  }

  @Test
  @Timeout(120)
  void oneThatRunsOutEndsTheExperiment() throws Exception {
    try (ServerProcess server = serverBeside("3.0", Map.of())) {
      String id = create(server, 10, "{name: DNGO, classArgs: {most: 3}}");
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
      assertThat(server.trials(id)).hasSize(3);
    }
  }

  @Test
  @Timeout(120)
  void aDispatcherThatComesByItselfSearchesUntilItLeaves() throws Exception {
    try (ServerProcess server = serverBeside("3.0", Map.of("PAUSE", "0.2"))) {
      String id = create(server, 1_000, "{name: Random}");
      within60Seconds(() -> server.trials(id), trials -> trials.size() >= 3);
      Path out = temp.resolve("guest.out");
      Process guest = dispatcher(server, "/tuner", out);
      within60Seconds(
          () -> Files.readAllLines(out),
          lines -> lines.stream().filter(line -> line.startsWith("end ")).count() >= 3);
      assertThat(Files.readAllLines(out))
          .anyMatch(line -> line.startsWith("import [("))
          .anyMatch(line -> line.startsWith("unfinished ["));

      Path refused = temp.resolve("second.out");
      Process second = dispatcher(server, "/experiments/" + id + "/tuner", refused);
      assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(refused)).contains("closed (1008, 'Another dispatcher");

      server.patch(
          "/experiments/" + id,
          "{\"searchSpace\":{\"x\":{\"_type\":\"randint\",\"_value\":[0,2000]}}}");
      within60Seconds(
          () -> Files.readAllLines(out),
          lines -> lines.stream().anyMatch(line -> line.startsWith("space {\"x\"")));

      server.post("/experiments/" + id + "/stop", "");
      server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
      assertThat(guest.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(guest.exitValue()).isZero();
      assertThat(Files.readAllLines(out)).contains("terminate").doesNotHaveDuplicates();
    }
  }

  @Test
  @Timeout(120)
  void whereNniIsNotInstalledItsTunersAreRefusedAndAStrangerIsSentAway() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home"))) {
      String body = config(1, "{name: DNGO}");
      assertThat(server.send("POST", "/experiments", BodyPublishers.ofString(body)).body())
          .contains("/tuner/name")
          .contains("'DNGO' is an algorithm of NNI itself")
          .contains("pip install nni");
      Path out = temp.resolve("stranger.out");
      Process stranger = dispatcher(server, "/tuner", out);
      assertThat(stranger.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(out)).contains("closed (1008, 'No experiment");
      Process liar = dispatcher(server, "/tuner/0123456789abcdef0123456789abcdef", out);
      assertThat(liar.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(out)).contains("closed (1008, 'No experiment expects");
    }
  }

  /** A server that finds an NNI of that release. */
  private ServerProcess serverBeside(String release, Map<String, String> more) throws Exception {
    Path installed = temp.resolve("site");
    copy(STAND_IN.resolve("nni"), installed.resolve("nni"));
    Path metadata = Files.createDirectories(installed.resolve("nni-" + release + ".dist-info"));
    Files.writeString(
        metadata.resolve("METADATA"),
        "Metadata-Version: 2.1\nName: nni\nVersion: " + release + "\n");
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "tuner: {patience: 6}\n");
    Map<String, String> environment = new HashMap<>(more);
    environment.put("PYTHONPATH", installed.toString());
    return ServerProcess.begin(home, List.of("--port", "0", "--router-port", "off"), environment)
        .ready();
  }

  /** Starts a dispatcher by hand, as NNI's manager would. */
  private Process dispatcher(ServerProcess server, String path, Path out) throws IOException {
    String parameters =
        "{\"tuner\": {\"name\": \"TPE\", \"classArgs\": {\"optimize_mode\": \"maximize\"}}}";
    ProcessBuilder builder =
        new ProcessBuilder(
                "python3",
                "-u",
                "-m",
                "nni",
                "--exp_params",
                Base64.getEncoder().encodeToString(parameters.getBytes(StandardCharsets.UTF_8)))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "PYTHONPATH",
                STAND_IN.toString(),
                "SDK_PROCESS",
                "dispatcher",
                "NNI_MODE",
                "start",
                "NNI_CHECKPOINT_DIRECTORY",
                temp.toString(),
                "NNI_TUNER_COMMAND_CHANNEL",
                "ws://localhost:" + server.url().getPort() + path));
    return builder.start();
  }

  private String create(ServerProcess server, int trials, String tuner) throws Exception {
    return server.post("/experiments", config(trials, tuner)).get("id").textValue();
  }

  private String config(int trials, String tuner) {
    return EXPERIMENT.formatted(temp, trials, tuner);
  }

  private List<String> said(String experiment) throws IOException {
    return Files.readAllLines(temp.resolve("home/experiments/" + experiment + "/log/tuner.stdout"));
  }

  /** The living processes of children. */
  private List<String> dispatchers() {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains("orrery_algorithms.stock " + temp))
        .toList();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      files
          .filter(Files::isRegularFile)
          .forEach(file -> {
            try {
              Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  private static <T> T within60Seconds(Callable<T> question, Predicate<T> condition)
      throws Exception {
    for (long end = System.nanoTime() + 60_000_000_000L; ; Thread.sleep(20)) {
      T answer = question.call();
      if (condition.test(answer)) {
        return answer;
      }
      assertThat(System.nanoTime()).as("%s", answer).isLessThan(end);
    }
  }
}
