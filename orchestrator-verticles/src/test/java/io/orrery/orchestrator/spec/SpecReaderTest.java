package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void anExperimentWithoutATunerGetsTheDefault() {
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
    assertThat(GpuRequest.of(spec.job())).contains(new GpuRequest(2, List.of(2, 0), 1, false));
    assertThat(reading.notices()).anyMatch(notice -> notice.startsWith("useActiveGpu is not set"));
  }

  @Test
  void gpuSettingsWithoutGpusAreNoticed() {
    SpecReading reading =
        read(
            GOOD.replace(
                "  platform: local", "  {platform: local, gpuIndices: 1, use_active_gpu: true}"));

    assertThat(reading.findings()).isEmpty();
    assertThat(GpuRequest.of(Objects.requireNonNull(reading.spec()).job())).isEmpty();
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
