package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.core.problem.Finding;
import io.orrery.core.process.UserHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what is said of a file that is wrong, and where. */
class SpecFindingsTest extends SpecFixture {
  @Test
  void everythingWrongIsSaidAtOnce() {
    SpecReading reading =
        read(
            """
            trialComand: python3 trial.py
            trialCodeDirectory: nowhere
            trialConcurrency: two
            maxTrialNumber: 0
            maxExperimentDuration: soon
            searchSpace:
              lr: {_type: uniform, _value: [1, 0]}
              units: {_type: chose, _value: [1]}
            tuner: {name: TPE, classArgs: {optimize_mode: upwards}}
            trainingService: {platform: local, gpuIndices: [1, 1]}
            """);

    assertThat(reading.spec()).isNull();
    assertThat(reading.findings())
        .extracting(Finding::pointer, Finding::line)
        .containsExactlyInAnyOrder(
            tuple("/trialComand", 1),
            tuple("/trialCodeDirectory", 2),
            tuple("/trialConcurrency", 3),
            tuple("/maxTrialNumber", 4),
            tuple("/maxExperimentDuration", 5),
            tuple("/searchSpace/lr/_value", 7),
            tuple("/searchSpace/units/_type", 8),
            tuple("/tuner/classArgs/optimize_mode", 9),
            tuple("/trainingService/gpuIndices/1", 10));
  }

  @Test
  void anAssessorThatWantsTheOppositeOfTheTunerIsRemarkedOn() {
    SpecReading reading =
        read(
            GOOD
                + """
                assessor: {name: Medianstop, classArgs: {optimize_mode: maximize}}
                """);

    assertThat(reading.notices()).anyMatch(n -> n.contains("will stop what the tuner calls good"));
  }

  @Test
  void aNulCharacterIsFoundBeforeAnythingIsLaunched() {
    assertThat(fault(GOOD.replace("trialCommand: ", "trialCommand: \"a\\0b\" # ")).message())
        .contains("NUL");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          trialConcurrency: 2 | trialConcurrency: two | /trialConcurrency | trialConcurrency must be a whole number > 0, this is 'two'
          trialConcurrency: 2 | trialConcurrency: 2.5 | /trialConcurrency | trialConcurrency must be a whole number > 0, this is 2.5
          trialConcurrency: 2 | trialConcurrency: 0   | /trialConcurrency | trialConcurrency must be a whole number > 0, this is 0
          trialConcurrency: 2 | trialConcurrency: 99999999999 | /trialConcurrency | trialConcurrency must be a whole number of at most 2147483647, this is 99999999999
          trialConcurrency: 2 | debug: false          | /trialConcurrency | trialConcurrency is missing: how many trials may run at once
          maxTrialNumber: 10  | maxTrialNumber: -1    | /maxTrialNumber   | maxTrialNumber must be a whole number > 0, this is -1
          maxTrialNumber: 10  | maxTrialNumer: 10     | /maxTrialNumer    | 'maxTrialNumer' is not a known key (did you mean 'maxTrialNumber'?)
          maxTrialNumber: 10  | maxTrialNum: 10       | /maxTrialNum      | 'maxTrialNum' is not a known key: in v3 form it is maxTrialNumber
          maxTrialNumber: 10  | codeDir: code         | /codeDir          | 'codeDir' is not a known key: in v3 form it is trialCodeDirectory
          maxTrialNumber: 10  | gpuIndices: 1         | /gpuIndices       | 'gpuIndices' is not a known key: it belongs into trainingService
          maxTrialNumber: 10  | debug: 'yes'          | /debug            | debug must be true or false, this is 'yes'
          maxTrialNumber: 10  | experimentType: nas   | /experimentType   | experimentType must be hpo: architecture search is not supported
          maxTrialNumber: 10  | priority: 101         | /priority         | priority must be a whole number of at most 100, this is 101
          maxTrialNumber: 10  | weight: 0             | /weight           | weight must be a number > 0.0, this is 0
          maxTrialNumber: 10  | retry: {attempts: 0}  | /retry/attempts   | attempts must be a whole number > 0, this is 0
          maxTrialNumber: 10  | retry: {on: [fail]}   | /retry/on/0       | on[0] must be one of failed, lost, this is 'fail' (did you mean 'failed'?)
          maxTrialNumber: 10  | constraints: lr < 1   | /constraints      | constraints must be a list, this is 'lr < 1'
          maxTrialNumber: 10  | constraints: [lr <]   | /constraints/0    | constraints[0] is wrong at column 5: expected a number, a parameter, a function or a parenthesis, found the end
          maxTrialNumber: 10  | constraints: [rl < 1] | /constraints/0    | constraints[0] is wrong at column 1: there is no parameter 'rl' (did you mean 'lr'?); there is lr
          maxTrialNumber: 10  | metricRetention: {}   | /metricRetention/intermediate | intermediate is missing: how long every intermediate result is kept
          maxTrialNumber: 10  | metricRetention: {intermediate: 1d, rollup: 3} | /metricRetention/rollup | rollup must be a whole number > 3, this is 3
          maxTrialNumber: 10  | readEventFiles: 7     | /readEventFiles   | readEventFiles must be true or false, this is 7
          experimentName: twin| experimentName: 7     | /experimentName   | experimentName must be text, this is 7: put it in quotes
          trialCodeDirectory: code | trialCodeDirectory: space.json | /trialCodeDirectory | trialCodeDirectory must be a directory: DIR/space.json is not a directory
          trialCodeDirectory: code | trialCodeDirectory: gone | /trialCodeDirectory | trialCodeDirectory must be a directory: DIR/gone does not exist
          name: TPE           | nam: TPE              | /tuner/nam        | 'nam' is not a known key (did you mean 'name'?)
          name: TPE           | builtinTunerName: TPE | /tuner/builtinTunerName | 'builtinTunerName' is not a known key: in v3 form it is tuner.name
          platform: local     | platform: locl        | /trainingService/platform | platform is 'locl', which is no platform (did you mean 'local'?); this version runs trials on: local
          platform: local     | platform: pai         | /trainingService/platform | platform is openpai, which is not available: this version runs trials on: local
          platform: local     | debug: true           | /trainingService/platform | platform is missing; this version runs trials on: local
          """)
  void aFaultIsNamedWithItsPlace(String line, String instead, String pointer, String message) {
    Finding finding = fault(with(line, instead));

    assertThat(finding.pointer()).isEqualTo(pointer);
    assertThat(finding.message().replace(directory.toString(), "DIR")).isEqualTo(message);
    assertThat(finding.line()).isNotNull();
  }

  @Test
  void aPlatformThatCannotBeHadIsTheOnlyThingSaidAboutIt() {
    Finding finding =
        fault(
            GOOD.replace("trialCommand: python3 trial.py\n", "")
                .replace(
                    "  platform: local",
                    "  platform: kubeflow\n  operator: tf-operator\n  worker: {replicas: 2}"));

    assertThat(finding.pointer()).isEqualTo("/trainingService/platform");
    assertThat(finding.line()).isEqualTo(12);
  }

  @Test
  void severalPlatformsAtOnceCannotBeHad() {
    Finding finding =
        fault(
            with("  platform: local", "- platform: local\n- {platform: remote, machineList: []}"));

    assertThat(finding.message()).contains("hybrid").contains("runs trials on: local");
  }

  @Test
  void highBelowLowIsRefusedWhereItStands() {
    Finding finding = fault(with("_value: [0, 1]", "_value: [3, 1]"));

    assertThat(finding.pointer()).isEqualTo("/searchSpace/lr/_value");
    assertThat(finding.line()).isEqualTo(8);
    assertThat(finding.message()).isEqualTo("low 3 is not below high 1");
  }

  @Test
  void aMissingSearchSpaceIsMissed() {
    Finding finding = fault(with("searchSpace:\n  lr: {_type: uniform, _value: [0, 1]}\n", ""));

    assertThat(finding.pointer()).isEqualTo("/searchSpace");
    assertThat(finding.message()).contains("is missing").contains("{}");
  }

  @Test
  void theEmptySearchSpaceIsWrittenAsAnEmptyObject() {
    String text =
        with("searchSpace:\n  lr: {_type: uniform, _value: [0, 1]}\n", "searchSpace: {}\n");

    assertThat(spec(text).search().space().dimensions()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\n\"lr\": {\"_type\": \"uniform\",\n\"_value\": [2, 1]}}",
        "# as YAML\nlr:\n  _type: uniform\n  _value: [2, 1]\n",
      })
  void faultsOfASpaceFileNameItAndItsLine(String content) {
    write("space.json", content);

    Finding finding = fault(spaceFile("space.json"));

    assertThat(finding.pointer()).isEqualTo("/searchSpaceFile");
    assertThat(finding.line()).isEqualTo(7);
    assertThat(finding.message())
        .matches("in space.json, line [34], /lr/_value: low 2 is not below high 1");
  }

  @Test
  void aSpaceFileThatDoesNotParseIsRefusedWithItsOwnLine() {
    write("space.json", "{\n  \"lr\": [\"x\" \"y\"]}\n");

    assertThat(fault(spaceFile("space.json")).message())
        .startsWith("in space.json, line 2: not JSON");
  }

  @Test
  void aSpaceFileThatIsNotThereIsNamed() {
    assertThat(fault(spaceFile("gone.json")).message())
        .isEqualTo("searchSpaceFile must name a file: " + directory + "/gone.json does not exist");
    assertThat(fault(spaceFile("code")).message()).endsWith("code is not a file");
  }

  private static String spaceFile(String name) {
    return with(
        "searchSpace:\n  lr: {_type: uniform, _value: [0, 1]}\n",
        "searchSpaceFile: " + name + "\n");
  }

  @Test
  void yamlThatDoesNotParseIsRefusedWithItsLine() {
    Finding finding = fault("trialCommand: ok\ntuner: [1, 2\ntrialConcurrency: 1\n");

    assertThat(finding.message()).startsWith("not YAML");
    assertThat(finding.line()).isEqualTo(3);
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() {
    Finding same = fault(GOOD + "maxTrialNumber: 11\n");
    Finding alike = fault(GOOD + "max_trial_number: 11\n");

    assertThat(same.pointer()).isEqualTo("/maxTrialNumber");
    assertThat(same.line()).isEqualTo(14);
    assertThat(alike.pointer()).isEqualTo("/max_trial_number");
    assertThat(alike.line()).isEqualTo(14);
  }

  @Test
  void documentsThatBlowUpAreRefusedQuickly() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 40; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a" + i + ": &a" + i + " [" + alias + ", " + alias + "]\n");
    }

    assertThat(read(bomb.toString()).findings()).isNotEmpty();
    assertThat(read("a: &a [*a]\n").findings()).isNotEmpty();
    assertThat(read("[".repeat(100_000)).findings()).isNotEmpty();
    assertThat(read("x".repeat(SpaceSource.MOST_BYTES + 1)).findings()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "null", "7", "[1]", "--- a\n--- b\n"})
  void aTextWithoutKeysIsRefused(String text) {
    assertThat(fault(text).message()).isNotBlank();
  }

  @Test
  void relativePathsNeedABase() {
    SpecReading reading =
        new SpecReader(
                List.of("local"), Map.of(), () -> SEED, secret -> "sealed:" + secret.length())
            .read(GOOD, null);

    assertThat(reading.findings()).hasSize(1);
    assertThat(reading.findings().getFirst().pointer()).isEqualTo("/trialCodeDirectory");
    assertThat(reading.findings().getFirst().message()).contains("must be an absolute path");
    assertThat(
            new SpecReader(
                    List.of("local"), Map.of(), () -> SEED, secret -> "sealed:" + secret.length())
                .read(with("trialCodeDirectory: code", "trialCodeDirectory: " + directory), null)
                .findings())
        .isEmpty();
  }

  @Test
  void pathsAreCanonical() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("code"));
    String viaLink =
        with("trialCodeDirectory: code", "trialCodeDirectory: ./x/../" + link.getFileName());
    String none = with("trialCodeDirectory: code\n", "");
    String home = with("trialCodeDirectory: code", "trialCodeDirectory: \"~\"");

    assertThat(spec(viaLink).job().codeDirectory()).isEqualTo(directory.resolve("code").toString());
    assertThat(spec(none).job().codeDirectory()).isEqualTo(directory.toString());
    assertThat(spec(home).job().codeDirectory())
        .isEqualTo(UserHome.of(System.getenv()).toRealPath().toString());
  }
}
