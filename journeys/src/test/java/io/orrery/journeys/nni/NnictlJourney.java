package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery;
import io.orrery.cli.print.Prompt;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** NNI's command in a user's home of its own, and the server that it starts there. */
abstract class NnictlJourney {
  static final String CONFIG =
      """
      trialCommand: %s
      trialCodeDirectory: .
      trialConcurrency: 1
      maxTrialNumber: %d
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir Path directory;

  /** The folder of a program called tensorboard; null when there is none. */
  @Nullable String tensorBoards;

  /** Whether the user presses Ctrl-C as soon as a command would wait. */
  boolean impatient;

  /** The file that ends trials which run until a command waits for them; null when none do. */
  @Nullable Path awaited;

  final Map<String, String> environment = new HashMap<>(System.getenv());

  @BeforeEach
  void prepare() {
    environment.remove("ORRERY_URL");
    environment.remove("ORRERY_TOKEN");
    environment.put("ORRERY_HOME", directory.resolve("home").toString());
  }

  @AfterEach
  void end() {
    run("down");
  }

  record Result(int code, String out, String err) {
    JsonNode json() {
      return Json.parse(out);
    }
  }

  Result run(String... arguments) {
    return runAs("nnictl", arguments);
  }

  Result runAs(String name, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            environment,
            directory,
            InstantSource.system(),
            false,
            Prompt.NONE);
    int code =
        Orrery.run(
            name,
            arguments,
            options -> 1,
            (file, followed) -> 1,
            new ServerProgram(program()),
            terminal,
            this::interrupts);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private Interrupts interrupts() {
    Interrupts interrupts = new Interrupts(status -> {});
    if (impatient) {
      interrupts.arrived();
    }
    if (awaited != null) {
      touch(awaited);
    }
    return interrupts;
  }

  private static void touch(Path file) {
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the program with a home that is not that of the user who runs this test. */
  private List<String> program() {
    String path = (tensorBoards == null ? "" : tensorBoards + ":") + System.getenv("PATH");
    List<String> command = new ArrayList<>(List.of("env", "HOME=" + directory, "PATH=" + path));
    command.addAll(ServerProcess.command());
    return command;
  }

  Result well(String... arguments) {
    Result result = run(arguments);
    assertThat(result.code()).as(String.join(" ", arguments) + "\n" + result.err()).isZero();
    return result;
  }

  void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  static String id(String said) {
    return said.replaceFirst("(?s).*The experiment id is (\\w+)\\n.*", "$1");
  }

  static double metric(JsonNode trial) {
    String data = trial.path("finalMetricData").get(0).path("data").textValue();
    return Json.parse(Json.parse(data).textValue()).doubleValue();
  }

  /** Until an experiment has a status, in NNI's words. */
  void awaitStatus(String id, String status) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> well("experiment", "status", id).json().path("status").asText().equals(status));
  }

  /** NNI's index of experiments. */
  JsonNode index() throws IOException {
    return Json.parse(Files.readString(directory.resolve("nni-experiments/.experiment")));
  }
}
