package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what people read of the command line, and what they get for a mistake of their own (H). */
final class PleasureIT {
  private static final String V1 = "/api/v1/experiments";
  private static final String EXPERIMENT =
      """
      {"id":"abcdefgh","name":"digits","status":"RUNNING","maxTrialNumber":20,"trialConcurrency":2,
       "maxExperimentDuration":null,"trialCounts":{"SUCCEEDED":3},
       "best":{"trial":"trial","metric":0.956749123456789,"parameters":{"lr":9.6E-4,"n":12}},
       "createdAt":"2026-03-01T11:57:00Z"}\
      """;

  @TempDir Path directory;

  private final FakeServer server = new FakeServer();
  private CommandLineRun run;

  @BeforeEach
  void prepare() {
    run = new CommandLineRun(directory).at(server);
    server
        .on("GET " + V1, 200, "{\"items\":[" + EXPERIMENT + "],\"next\":null}")
        .on("GET " + V1 + "/abcdefgh", 200, EXPERIMENT)
        .on("GET " + V1 + "/abcdefgh/trials", 200, "{\"items\":[],\"next\":null}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void numbersAreShortAndFullWithJson() {
    assertThat(run.run("experiment", "show", "abcdefgh").out())
        .contains("best        0.956749 by trial with {\"lr\":0.00096,\"n\":12}");
    assertThat(run.run("experiment", "show", "abcdefgh", "--json").out())
        .contains("0.956749123456789");
  }

  @Test
  void colourIsForScreensAndForThoseWhoWantIt() {
    assertThat(run.run("experiment", "list").out()).doesNotContain("\u001b");
    run.screen = true;
    assertThat(run.run("experiment", "list").out()).contains("\u001b[36mRUNNING\u001b[0m");
    assertThat(run.run("--help").out()).contains("\u001b[");
    run.environment.put("NO_COLOR", "1");
    assertThat(run.run("experiment", "list").out()).doesNotContain("\u001b");
    assertThat(run.run("--help").out()).doesNotContain("\u001b");
  }

  @Test
  void topIsPrintedOnceWithoutATerminal() {
    assertThat(run.run("top").out()).contains("abcdefgh  digits  RUNNING");
    assertThat(run.run("experiment", "top", "abcdefgh").out())
        .startsWith("abcdefgh digits  RUNNING\n")
        .contains("3/20 trials");
  }

  @Test
  void topIsDrawnAgainOnAScreenUntilCtrlC() {
    run.screen = true;
    server.on(
        "GET " + V1 + "/ended",
        200,
        EXPERIMENT.replace("RUNNING", "DONE").replace("abcdefgh", "ended"));
    server.on("GET " + V1 + "/ended/trials", 200, "{\"items\":[],\"next\":null}");
    run.interrupts.arrived();

    assertThat(run.run("top").out()).startsWith("\u001b[2J\u001b[H").endsWith("\u001b[J");
    assertThat(run.run("experiment", "top", "ended").out())
        .as("an experiment that has ended is drawn for the last time")
        .contains("DONE");
  }

  @Test
  void anUpdateSaysWhatItChanged() {
    server.on(
        "PATCH " + V1 + "/abcdefgh",
        200,
        EXPERIMENT
            .replace("\"trialConcurrency\":2", "\"trialConcurrency\":8")
            .replace("\"maxExperimentDuration\":null", "\"maxExperimentDuration\":7200"));

    Result result =
        run.run(
            "experiment",
            "update",
            "abcdefgh",
            "--concurrency",
            "8",
            "--max-duration",
            "2h",
            "--max-trials",
            "20");

    assertThat(result.out())
        .isEqualTo(
            """
            trialConcurrency: 2 → 8
            maxTrialNumber: 20, as before
            maxExperimentDuration: unlimited → 2 h 0 min
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trial list --sort nope | --sort is 'nope'",
        "trial list --limit -5 | --limit: '-5' is not a whole number of 0 or more",
        "experiment create exp.yml --port 70000 | --port is a whole number from 0 to 65,535",
      })
  void whatIsWrongWithAnOptionIsSaidOfTheOption(String line, String said) throws IOException {
    Files.writeString(directory.resolve("exp.yml"), "trialCommand: x\n");
    refuse("GET " + V1 + "/abcdefgh/trials", "the query parameter 'sort' is 'nope': no such thing");
    refuse(
        "POST " + V1, "the query parameter 'port' is a whole number from 0 to 65,535, not '70000'");

    Result result = run.run(line.split(" "));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("orrery: " + said)
        .doesNotContain("query parameter", "refused", "exp.yml:1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"trial ls abcdefgh --head -1", "log stdout abcdefgh --head -1"})
  void aNegativeNumberOfLinesIsSaidOfTheOption(String line) {
    run.name = "nnictl";

    Result result = run.run(line.split(" "));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .contains("--head: '-1' is not a whole number of 0 or more")
        .doesNotContain("Exception", "\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "experiment pause abcdefgh | POST /api/v1/experiments/abcdefgh/pause",
        "experiment update abcdefgh --max-trials 30 | PATCH /api/v1/experiments/abcdefgh",
        "experiment import abcdefgh r.json | POST /api/v1/experiments/abcdefgh/import",
        "trial add abcdefgh --param lr=0.1 | POST /api/v1/experiments/abcdefgh/trials",
        "trial kill abcdefgh/trial | POST /api/v1/experiments/abcdefgh/trials/trial/cancel",
        "run stop r1 | POST /api/v1/runs/r1/stop",
        "run retry r1 --step train | POST /api/v1/runs/r1/retry",
        "run approve r1 ask --why good | POST /api/v1/runs/r1/steps/ask/approve",
        "task run digits train | POST /api/v1/pipelines/digits/tasks/train/run",
        "task debug digits train | POST /api/v1/pipelines/digits/tasks/train/debug",
        "task clear digits train | POST /api/v1/pipelines/digits/tasks/train/clear",
        "schedule pause digits | POST /api/v1/pipelines/digits/schedule/pause",
        "schedule resume digits | POST /api/v1/pipelines/digits/schedule/resume",
        "retention set runs 30 | PUT /api/v1/retention/runs",
        "retention run | POST /api/v1/retention/run",
      })
  void aDryRunAsksForACheckAndSaysThatNothingIsChanged(String verb, String asked)
      throws IOException {
    Files.writeString(directory.resolve("r.json"), "[]");
    server
        .on("GET " + V1 + "/abcdefgh/trials/trial", 200, "{\"id\":\"trial\"}")
        .on(asked, 200, "{\"id\":\"x\",\"status\":\"RUNNING\"}");

    Result result = run.run((verb + " --dry-run").split(" "));

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains("only checked, nothing is changed");
    assertThat(server.lines().getLast()).isEqualTo(asked + "?dryRun=true");
  }

  private void refuse(String line, String words) {
    FakeServer other = server;
    other.replace(
        line,
        400,
        "{\"title\":\"The input was refused\",\"status\":400,\"detail\":\"%s\",\"errors\":[{\"pointer\":\"\",\"message\":\"%s\"}]}"
            .formatted(words, words));
  }

  @Test
  void aFileThatIsNoConfigurationGetsOneSentence() throws IOException {
    Files.writeString(directory.resolve("train.py"), "import nni\nx: int = 3\n");
    Files.writeString(directory.resolve("notes.txt"), "remember: the milk\n");
    Files.writeString(directory.resolve("list.yml"), "- a\n- b\n");

    Result program = run.run("experiment", "run", "train.py");
    assertThat(program.code()).isEqualTo(2);
    assertThat(program.err())
        .startsWith("orrery: train.py is a program, not an experiment's configuration")
        .contains("`trialCommand: python3 train.py`")
        .hasLineCount(1);
    assertThat(run.run("experiment", "create", "notes.txt").err())
        .startsWith("orrery: notes.txt is not an experiment's configuration")
        .hasLineCount(1);
    assertThat(run.run("experiment", "create", "list.yml").err()).hasLineCount(1);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void everyVerbHasWholeSentencesAndAnExample() {
    List<String> groups =
        List.of(
            "experiment",
            "trial",
            "tuner",
            "platform",
            "token",
            "schema",
            "user",
            "project",
            "service",
            "notebook",
            "files",
            "domain",
            "registry",
            "retention",
            "image",
            "import",
            "export",
            "build",
            "model",
            "pipeline",
            "run",
            "schedule",
            "task",
            "template");
    List<List<String>> verbs = new ArrayList<>();
    for (String top : names(run.run("--help").out())) {
      verbs.add(List.of(top));
      if (groups.contains(top)) {
        names(run.run(top, "--help").out()).forEach(verb -> verbs.add(List.of(top, verb)));
      }
    }
    assertThat(verbs).hasSizeGreaterThan(35);
    for (List<String> verb : verbs) {
      List<String> line = new ArrayList<>(verb);
      line.add("--help");
      String help = run.run(line.toArray(String[]::new)).out();
      boolean group = verb.size() == 1 && groups.contains(verb.getFirst());
      if (!group) {
        assertThat(help).as("%s", verb).containsPattern("Examples?:\\n  \\S*.*orrery");
      }
      assertThat(help).as("%s", verb).doesNotContain("Commands:");
    }
    assertThat(run.run("experiment", "--help").out())
        .as("a summary is a whole sentence")
        .contains("none.");
  }

  /** The first words of the list of verbs in a help text. */
  private static List<String> names(String help) {
    return help.lines()
        .dropWhile(line -> !line.equals("Verbs:") && !line.equals("Files:"))
        .skip(1)
        .takeWhile(line -> line.startsWith("  "))
        .filter(line -> line.matches("  [a-z].*"))
        .map(line -> line.strip().split("[ ,]")[0])
        .toList();
  }

  @Test
  void shellsAreHelpedToCompleteVerbsAndOptions() {
    assertThat(run.run("completion", "bash").out())
        .contains("complete -F", "experiment", "--max-trials")
        .isEqualTo(run.run("completion", "zsh").out());
    assertThat(run.run("completion", "fish").out())
        .contains("complete -c orrery -n '__fish_use_subcommand' -a experiment -d ")
        .containsPattern("__fish_seen_subcommand_from logs' -l stderr -d ");
    assertThat(run.run("completion", "tcsh").code()).isEqualTo(2);
  }

  @Test
  void theSchemaOfAnExperimentIsForEditors() {
    assertThat(run.run("schema", "experiment").out())
        .startsWith("{")
        .contains(
            "https://json-schema.org/draft/2020-12/schema", "\"trialCommand\"", "maxFailedTrials");
  }
}
