package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.core.constraint.Constraint;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objective;
import io.orrery.core.problem.Finding;
import io.orrery.core.process.UserHome;
import io.orrery.core.trial.Parameters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecReaderTest extends SpecFixture {
  /** C6. */
  @Test
  void aWholeNumberMayBeWrittenWithAPoint() {
    assertThat(spec(with("maxTrialNumber: 10", "maxTrialNumber: 10.0")))
        .isEqualTo(spec(with("maxTrialNumber: 10", "maxTrialNumber: 10")));
  }

  @Test
  void aSoundFileBecomesASpecification() {
    ExperimentSpec spec = spec(GOOD);

    assertThat(spec.description().name()).isEqualTo("twin");
    assertThat(spec.job().command()).isEqualTo("python3 trial.py");
    assertThat(spec.job().codeDirectory()).isEqualTo(directory.resolve("code").toString());
    assertThat(spec.limits().trialConcurrency()).isEqualTo(2);
    assertThat(spec.job().gpuNumber()).isNull();
    assertThat(spec.limits().maxTrialNumber()).isEqualTo(10);
    assertThat(spec.limits().maxExperimentDuration()).isEqualTo(Duration.ofHours(1));
    assertThat(spec.limits().maxTrialDuration()).isNull();
    assertThat(spec.search().space().dimensions()).containsOnlyKeys("lr");
    assertThat(spec.search().tuner())
        .isEqualTo(
            new AlgorithmSpec(
                "TPE", null, null, new Parameters(Map.of("optimize_mode", "minimize"))));
    assertThat(spec.search().assessor()).isNull();
    assertThat(spec.search().direction()).isEqualTo(Direction.MINIMIZE);
    assertThat(spec.search().seed()).isEqualTo(SEED);
    assertThat(spec.limits().retry()).isEqualTo(RetryPolicy.NONE);
    assertThat(spec.job().trainingService().platform()).isEqualTo("local");
    assertThat(spec.job().trainingService().settings().values())
        .containsEntry("maxTrialNumberPerGpu", 1L)
        .containsEntry("trialCommand", "python3 trial.py");
  }

  @Test
  void theCanonicalFormHasDefaultsAndAbsolutePathsAndTheSpaceInline() {
    String text =
        with(
            "searchSpace:\n  lr: {_type: uniform, _value: [0, 1]}\n",
            "searchSpaceFile: space.json\nassessor: null\n");

    JsonNode config = Json.parse(spec(text).description().config());

    assertThat(config.path("trialCodeDirectory").asText())
        .isEqualTo(directory.resolve("code").toString());
    assertThat(config.path("searchSpace")).isEqualTo(Json.parse(SPACE));
    assertThat(config.has("searchSpaceFile")).isFalse();
    assertThat(config.has("assessor")).isFalse();
    assertThat(config.path("maxExperimentDuration").asInt()).isEqualTo(3600);
    assertThat(config.path("debug").booleanValue()).isFalse();
    assertThat(config.path("logLevel").asText()).isEqualTo("info");
    assertThat(config.path("trainingService").path("reuseMode").isBoolean()).isTrue();
  }

  @Test
  void theCanonicalFormReadsAsTheSameExperiment() {
    ExperimentSpec spec = spec(GOOD);

    assertThat(spec(spec.description().config())).isEqualTo(spec);
  }

  @Test
  void keysMatchWhateverTheirCaseAndUnderscores() {
    String text =
        GOOD.replace("trialCommand", "trial_command")
            .replace("trialConcurrency", "TRIALCONCURRENCY")
            .replace("trainingService", "Training_Service")
            .replace("platform", "Platform")
            .replace("classArgs", "class_args");

    assertThat(spec(text)).isEqualTo(spec(GOOD));
  }

  @Test
  void aFindingSpellsThePointerAsItsAuthorDid() {
    Finding finding =
        fault(
            GOOD.replace(
                "trainingService:\n  platform: local",
                "training_service:\n  platform: local\n  max_trial_number_per_gpu: 0"));

    assertThat(finding.pointer()).isEqualTo("/training_service/max_trial_number_per_gpu");
    assertThat(finding.line()).isEqualTo(14);
    assertThat(finding.message())
        .isEqualTo("max_trial_number_per_gpu must be a whole number > 0, this is 0");
  }

  @Test
  void aCommandNamesOnlyParametersThatEveryTrialHas() {
    String command = "trialCommand: python3 trial.py";

    assertThat(spec(with(command, command + " {{params.lr}}")).job().command())
        .endsWith("{{params.lr}}");
    assertThat(fault(with(command, command + " {{ params.lrr }}")))
        .isEqualTo(
            new Finding(
                "/trialCommand",
                "trialCommand has {{params.lrr}}, but the search space has no 'lrr' (did you mean"
                    + " 'lr'?); it has lr",
                2));
    assertThat(fault(with("platform: local", "platform: local\n  trialCommand: x {{params.y}}")))
        .extracting(Finding::pointer)
        .isEqualTo("/trainingService/trialCommand");
  }

  @Test
  void aCommandMayNameWhatEveryBranchHas() {
    String nested =
        with(
            "  lr: {_type: uniform, _value: [0, 1]}",
            """
              opt:
                _type: choice
                _value:
                  - {_name: a, lr: {_type: uniform, _value: [0, 1]}, only: {_type: choice, _value: [1]}}
                  - {_name: b, lr: {_type: uniform, _value: [0, 1]}}
            """
                .stripTrailing());

    assertThat(read(nested.replace("trial.py", "{{params.opt}} {{params.opt.lr}}")).findings())
        .isEmpty();
    assertThat(fault(nested.replace("trial.py", "{{params.opt.only}}")).message())
        .contains("not every trial has 'opt.only'");
    assertThat(fault(nested.replace("trial.py", "{{params.lr}}")).message())
        .contains("the search space has no 'lr'");
  }

  @Test
  void theNamesOfAListAreThoseOfItsSets() {
    String list =
        with("  lr: {_type: uniform, _value: [0, 1]}", "  all: {_type: choice, _value: [{a: 1}]}")
            .replace("name: TPE", "name: BatchTuner");

    assertThat(read(list.replace("trial.py", "{{params.a}}")).findings()).isEmpty();
    assertThat(fault(list.replace("trial.py", "{{params.all}}")).pointer())
        .isEqualTo("/trialCommand");
  }

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

  @Test
  void aClassOfOnesOwnNeedsItsDirectoryAndNoName() {
    String own = with("name: TPE", "className: mine.Tuner\n  codeDirectory: code");
    String both = with("name: TPE", "name: TPE\n  className: mine.Tuner");
    String neither = with("  name: TPE\n", "  codeDirectory: code\n");

    assertThat(spec(own).search().tuner().className()).isEqualTo("mine.Tuner");
    assertThat(spec(own).search().tuner().codeDirectory())
        .isEqualTo(directory.resolve("code").toString());
    assertThat(fault(both).message()).contains("exclude each other");
    assertThat(fault(neither).pointer()).isEqualTo("/tuner/name");
  }

  @Test
  void anAdvisorIsATuner() {
    SpecReading reading = read(GOOD.replace("tuner:", "advisor:"));

    assertThat(reading.spec()).isNotNull().isEqualTo(spec(GOOD));
    assertThat(reading.with(List.of(new Finding("/tuner/classArgs/R", "is odd"))).findings())
        .containsExactly(new Finding("/advisor/classArgs/R", "is odd", 11));
    assertThat(fault(GOOD + "advisor: {name: BOHB}\n").pointer()).isEqualTo("/advisor");
  }

  @Test
  void anAdvisorOfOnesOwnIsTunerAndAssessorAtOnce() {
    String own =
        GOOD.replace("tuner:", "advisor:")
            .replace("name: TPE", "className: mine.Advisor\n  codeDirectory: code");
    assertThat(spec(own).search().tuner().className()).isEqualTo("mine.Advisor");
    assertThat(spec(own).search().assessor()).isEqualTo(spec(own).search().tuner());
    assertThat(spec(own).description().config()).contains("\"advisor\":{\"className\"");
    assertThat(spec(spec(own).description().config())).isEqualTo(spec(own));
    assertThat(fault(own + "assessor: {name: Medianstop}\n").pointer()).isEqualTo("/assessor");
  }

  @Test
  void constraintsAreAPartOfTheSpaceInEitherForm() {
    ExperimentSpec constrained = spec(GOOD + "constraints: ['lr < 0.05']\n");
    assertThat(constrained.search().space().constraints())
        .containsExactly(Constraint.read("lr < 0.05"));
    assertThat(spec(constrained.description().config())).isEqualTo(constrained);
    ExperimentSpec changed =
        LimitsPatch.read(
                "{\"searchSpace\": {\"lr\": {\"_type\": \"uniform\", \"_value\": [0, 2]}}}",
                constrained.search().tuner())
            .applyTo(constrained);
    assertThat(changed.search().space().constraints())
        .isEqualTo(constrained.search().space().constraints());
    assertThatThrownBy(() ->
            LimitsPatch.read(
                    "{\"searchSpace\": {\"n\": {\"_type\": \"uniform\", \"_value\": [0, 2]}}}",
                    constrained.search().tuner())
                .applyTo(constrained))
        .hasMessageContaining("there is no parameter 'lr'");
  }

  @Test
  void whoeverNamesNoTunerGetsTheDefault() {
    String tuner = "tuner:\n  name: TPE\n  classArgs: {optimize_mode: minimize}\n";
    ExperimentSpec unnamed = spec(with("  name: TPE\n", ""));
    assertThat(unnamed.search().tuner().name()).isEqualTo(AlgorithmSpec.DEFAULT_TUNER);
    assertThat(unnamed.search().direction()).isEqualTo(Direction.MINIMIZE);

    SpecReading reading = read(with(tuner, ""));

    assertThat(reading.findings()).isEmpty();
    assertThat(spec(with(tuner, "")).search().tuner())
        .isEqualTo(AlgorithmSpec.named(AlgorithmSpec.DEFAULT_TUNER));
    assertThat(reading.notices())
        .anyMatch(n -> n.contains("No tuner"))
        .anyMatch(n -> n.contains("No direction"));
  }

  @Test
  void theDirectionIsTheTunersElseTheAssessorsElseTheObjectives() {
    String plain = with("  classArgs: {optimize_mode: minimize}\n", "");
    String assessor = "assessor: {name: Medianstop, classArgs: {optimize_mode: minimize}}\n";
    String objective = "objectives: [{metric: default, goal: minimize}]\n";

    assertThat(spec(plain).search().direction()).isEqualTo(Direction.MAXIMIZE);
    assertThat(spec(plain + assessor).search().direction()).isEqualTo(Direction.MINIMIZE);
    assertThat(spec(plain + objective).search().direction()).isEqualTo(Direction.MINIMIZE);
    assertThat(fault(GOOD + objective.replace("minimize", "maximize")).pointer())
        .isEqualTo("/objectives/0/goal");
  }

  @Test
  void severalObjectivesAreKeptInTheirOrder() {
    String two = "objectives: [{metric: loss, goal: minimize}, {metric: size, goal: maximize}]\n";

    assertThat(spec(GOOD + two).search().objectives().all())
        .containsExactly(
            new Objective("loss", Direction.MINIMIZE), new Objective("size", Direction.MAXIMIZE));
    assertThat(spec(GOOD + two).search().direction()).isEqualTo(Direction.MINIMIZE);
    assertThat(fault(GOOD + two.replace("size", "loss")).pointer())
        .isEqualTo("/objectives/1/metric");
    assertThat(fault(GOOD + two.replace("maximize", "more")).pointer())
        .isEqualTo("/objectives/1/goal");
    assertThat(read(GOOD + two + "assessor: {name: Medianstop}\n").notices())
        .anyMatch(notice -> notice.contains("first objective, 'loss', alone"));
  }

  @Test
  void keysOfOursAreTaken() {
    ExperimentSpec spec =
        spec(
            GOOD
                + """
                seed: 7
                retry: {attempts: 3, backoff: 1m, on: [lost]}
                quota: 1
                parametersAsArguments: true
                priority: 70
                weight: 2.5
                """);

    assertThat(spec.search().seed()).isEqualTo(7);
    assertThat(spec.limits().retry())
        .isEqualTo(new RetryPolicy(3, Duration.ofMinutes(1), Set.of(RetryPolicy.Cause.LOST)));
    assertThat(spec.limits().slots()).isEqualTo(1);
    assertThat(spec.job().parametersAsArguments()).isTrue();
  }

  @Test
  void whatTheTrainingServiceSaysItselfCounts() {
    ExperimentSpec spec =
        spec(
            with(
                "platform: local",
                "platform: local\n  trialCommand: ./other\n  trialGpuNumber: 0"));

    assertThat(spec.job().command()).isEqualTo("./other");
    assertThat(spec.job().gpuNumber()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          trialGpuNumber: 1, maxTrialNumberPerGpu: 0 | maxTrialNumberPerGpu | maxTrialNumberPerGpu must be a whole number > 0, this is 0
          trialGpuNumber: -1                         | trialGpuNumber       | trialGpuNumber must be a whole number >= 0, this is -1
          trialGpuNumber: 1, gpuIndices: [0, -2]     | gpuIndices/1         | gpuIndices[1] must be GPU numbers from 0 such as [0, 2], '0,2' or 2; this has -2
          trialGpuNumber: 1, gpuIndices: '1, 1'      | gpuIndices           | gpuIndices names GPU 1 twice
          trialGpuNumber: 3, gpuIndices: '0,2'       | gpuIndices           | gpuIndices must name at least as many GPUs as a trial needs, 3; this names 2
          trialGpuNumber: 1, gpuIndices: []          | gpuIndices           | gpuIndices must name at least as many GPUs as a trial needs, 1; this names 0
          trialGpuNumber: 1, useActiveGpu: 1         | useActiveGpu         | useActiveGpu must be true or false, this is 1
          """)
  void aFaultyGpuSettingIsRefused(String settings, String key, String message) {
    Finding finding =
        fault(GOOD.replace("  platform: local", "  {platform: local, " + settings + "}"));

    assertThat(finding.pointer()).isEqualTo("/trainingService/" + key);
    assertThat(finding.message()).isEqualTo(message);
  }

  @Test
  void parametersThatShareAnEnvironmentVariableAreRemarkedOn() {
    SpecReading reading =
        read(
            GOOD.replace(
                "  lr: {",
                "  a-b: {_type: uniform, _value: [0, 1]}\n"
                    + "  A_B: {_type: uniform, _value: [0, 1]}\n  lr: {"));

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices())
        .anyMatch(notice ->
            notice.startsWith(
                "The parameters a-b, A_B share the environment variable ORRERY_PARAM_A_B"));
  }

  @Test
  void aTrialMayAskForGpus() {
    SpecReading reading =
        read(
            GOOD.replace("  platform: local", "  {platform: local, gpuIndices: '2, 0'}")
                + "trialGpuNumber: 2\n");

    assertThat(reading.findings()).isEmpty();
    ExperimentSpec spec = Objects.requireNonNull(reading.spec());
    assertThat(spec.job().gpuNumber()).isEqualTo(2);
    assertThat(GpuRequest.of(spec)).contains(new GpuRequest(2, List.of(2, 0), 1, false));
    assertThat(reading.notices()).anyMatch(notice -> notice.startsWith("useActiveGpu is not set"));
  }

  @Test
  void gpuSettingsWithoutGpusAreNoticed() {
    SpecReading reading =
        read(
            GOOD.replace(
                "  platform: local", "  {platform: local, gpuIndices: 1, use_active_gpu: true}"));

    assertThat(reading.findings()).isEmpty();
    assertThat(GpuRequest.of(Objects.requireNonNull(reading.spec()))).isEmpty();
    assertThat(reading.notices())
        .contains(
            "gpuIndices has no effect: trials are given no GPUs without trialGpuNumber.",
            "use_active_gpu has no effect: trials are given no GPUs without trialGpuNumber.");
  }

  @Test
  void whatHasNoEffectIsSaid() {
    SpecReading reading =
        read(
            GOOD
                + "experimentWorkingDirectory: /tmp/x\n"
                + "nniManagerIp: 10.0.0.1\n"
                + "tunerGpuIndices: 0\n");

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices()).hasSize(3).allMatch(notice -> notice.contains("has no effect"));
  }

  @ParameterizedTest
  @CsvSource({
    "10m, 600",
    "1.5h, 5400",
    "2d, 172800",
    "90s, 90",
    "90, 90",
    "1.2, 2",
    "0.001s, 1",
    "'1 H', 3600",
    "999d, 86313600",
    "99999d, 8639913600",
    ".5m, 30",
  })
  void timesAreRoundedUpToSeconds(String text, long seconds) {
    assertThat(spec(with("Duration: 1h", "Duration: " + text)).limits().maxExperimentDuration())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "0s",
        "soon",
        "10 weeks",
        "1h30m",
        "true",
        "[1]",
        ".inf",
        ".nan",
        "1 000s"
      })
  void whatIsNoTimeIsRefused(String text) {
    assertThat(fault(with("Duration: 1h", "Duration: " + text)).pointer())
        .isEqualTo("/maxExperimentDuration");
  }

  @Test
  void jsonIsReadAsWell() {
    String json =
        spec(GOOD)
            .description()
            .config()
            .replace("\"trialConcurrency\":2", "\"trialConcurrency\":\"2\"");

    assertThat(fault(json).pointer()).isEqualTo("/trialConcurrency");
  }
}
