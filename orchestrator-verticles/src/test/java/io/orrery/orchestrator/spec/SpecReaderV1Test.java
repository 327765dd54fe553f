package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.compute.gpu.GpuRequest;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The older form of NNI's experiment files. */
class SpecReaderV1Test extends SpecFixture {
  private static final String V1 =
      """
      authorName: default
      experimentName: twin
      trialConcurrency: 2
      maxExecDuration: 1h
      maxTrialNum: 10
      trainingServicePlatform: local
      searchSpacePath: space.json
      useAnnotation: false
      tuner:
        builtinTunerName: TPE
        classArgs:
          optimize_mode: minimize
      trial:
        command: python3 trial.py
        codeDir: code
      """;

  private static String v1With(String line, String instead) {
    assertThat(V1).contains(line);
    return V1.replace(line, instead);
  }

  @Test
  void aV1FileMeansWhatItsV3TwinMeans() {
    assertThat(spec(V1)).isEqualTo(spec(GOOD));
    assertThat(read(V1).notices())
        .containsExactly("Keys of NNI v1 that have no effect: authorName.");
  }

  @Test
  void adaptDlHasItsCodeInTheImage() {
    String v1 =
        V1.replace("trainingServicePlatform: local", "trainingServicePlatform: adl")
            .replace(
                "  codeDir: code",
                """
                  codeDir: /workspace/mnist
                  image: trial:1
                  gpuNum: 1
                  cpuNum: 2
                  memorySize: 4Gi
                  namespace: team
                  adaptive: true
                  checkpoint: {storageClass: fast, storageSize: 2Gi}
                  imagePullSecrets: [{name: registry}]
                  nfs: {server: 10.0.0.9, path: /data, containerMountPath: /nfs}\
                """);
    SpecReading reading =
        new SpecReader(List.of("local", "adl"), Map.of(), () -> SEED, secret -> secret)
            .read(v1, directory.toString());

    assertThat(reading.findings()).isEmpty();
    var settings = reading.spec().job().trainingService().settings().values();
    assertThat(settings)
        .containsEntry("codeDirectory", "/workspace/mnist")
        .containsEntry("dockerImage", "trial:1")
        .containsEntry("gpuNumber", 1L)
        .containsEntry("memorySize", 4096L)
        .containsEntry("namespace", "team")
        .containsEntry("adaptive", true)
        .containsEntry("tensorboard", true);
    assertThat(settings.get("nfs")).asString().contains("containerMountPath");
  }

  @Test
  void aV1FileOfAdaptDlIsCorrectedInItsOwnTerms() {
    String v1 =
        V1.replace("trainingServicePlatform: local", "trainingServicePlatform: adl")
            .replace("  codeDir: code", "  codeDir: /w\n  image: 7\n  adaptive: maybe");
    SpecReading reading =
        new SpecReader(List.of("local", "adl"), Map.of(), () -> SEED, secret -> secret)
            .read(v1, directory.toString());

    assertThat(reading.findings()).extracting(Finding::pointer).contains("/trial/adaptive");
  }

  private SpecReading kubeflow(String config) {
    String v1 =
        V1.replace("trainingServicePlatform: local", "trainingServicePlatform: kubeflow")
                .replace("  command: python3 trial.py\n", "")
            + """
              worker: {replicas: 1, command: python3 trial.py, gpuNum: 0, cpuNum: 1, memoryMB: 64, image: i}
            kubeflowConfig: {operator: tf-operator, apiVersion: v1, %s}
            """
                .formatted(config);
    return new SpecReader(List.of("local", "kubeflow"), Map.of(), () -> SEED, secret -> secret)
        .read(v1, directory.toString());
  }

  /** Of NNI's own page on its configuration: the example of Kubeflow with Azure's storage. */
  @Test
  void theKindOfStorageThatIsNotNamedIsTheOneWhoseKeysAreThere() {
    SpecReading azure =
        kubeflow(
            "keyVault: {vaultName: team-vault, name: key},"
                + " azureStorage: {accountName: trialstore, azureShare: outputs}");
    SpecReading nfs = kubeflow("nfs: {server: 10.10.10.10, path: /var/nfs}");

    assertThat(azure.findings()).isEmpty();
    assertThat(azure.spec().job().trainingService().settings().values().get("storage"))
        .asString()
        .contains("storageType=azureStorage");
    assertThat(nfs.spec().job().trainingService().settings().values().get("storage"))
        .asString()
        .contains("storageType=nfs");
  }

  @Test
  void keysOfAStorageThatIsNotUsedAreTold() {
    assertThat(kubeflow("nfs: {path: /var/nfs}").notices())
        .anyMatch(notice -> notice.startsWith("storage: path is without effect"));
  }

  @Test
  void anAzureShareOfKubeflowNeedsNoSecretOfTheCluster() {
    String v1 =
        V1.replace("trainingServicePlatform: local", "trainingServicePlatform: kubeflow")
                .replace("  command: python3 trial.py\n", "")
            + """
              worker: {replicas: 1, command: python3 trial.py, gpuNum: 0, cpuNum: 1, memoryMB: 64, image: i}
            kubeflowConfig:
              operator: tf-operator
              apiVersion: v1alpha2
              storage: azureStorage
              keyVault: {vaultName: team-vault, name: storage-key}
              azureStorage: {accountName: trialstore, azureShare: outputs}
              uploadRetryCount: 5
            """;
    SpecReading reading =
        new SpecReader(List.of("local", "kubeflow"), Map.of(), () -> SEED, secret -> secret)
            .read(v1, directory.toString());

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices()).noneMatch(notice -> notice.contains("uploadRetryCount"));
    assertThat(reading.spec().job().trainingService().settings().values().get("storage"))
        .asString()
        .contains("keyVaultName=team-vault", "azureAccount=trialstore", "uploadRetryCount=5");

    SpecReading without =
        new SpecReader(List.of("local", "kubeflow"), Map.of(), () -> SEED, secret -> secret)
            .read(
                v1.replace("  keyVault: {vaultName: team-vault, name: storage-key}\n", ""),
                directory.toString());
    assertThat(without.findings())
        .extracting(Finding::message)
        .anyMatch(message -> message.contains("vaultName is missing"));
  }

  @Test
  void anExperimentWithoutATunerGetsTheDefault() {
    String named = "  builtinTunerName: TPE\n";
    String whole = "tuner:\n" + named + "  classArgs:\n    optimize_mode: minimize\n";
    assertThat(spec(v1With(whole, "")).search().tuner().name())
        .isEqualTo(AlgorithmSpec.DEFAULT_TUNER);
    assertThat(spec(v1With(named, "")).search().tuner().name())
        .isEqualTo(AlgorithmSpec.DEFAULT_TUNER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[0, 3]", "'0,3'", "\"0, 3\""})
  void gpusAreAskedForInV1Terms(String indices) {
    String v1 =
        V1.replace("  codeDir: code", "  codeDir: code\n  gpuNum: 2")
            + "localConfig: {gpuIndices: "
            + indices
            + ", maxTrialNumPerGpu: 3, useActiveGpu: true}\n";

    assertThat(GpuRequest.of(spec(v1).job())).contains(new GpuRequest(2, List.of(0, 3), 3, true));
  }

  @Test
  void aFaultyGpuSettingIsToldInV1Terms() {
    String v1 = V1.replace("  codeDir: code", "  codeDir: code\n  gpuNum: 2");

    Finding few = fault(v1 + "localConfig: {gpuIndices: 1}\n");
    Finding none = fault(v1 + "localConfig: {maxTrialNumPerGpu: 0}\n");

    assertThat(few.pointer()).isEqualTo("/localConfig/gpuIndices");
    assertThat(few.message())
        .isEqualTo("gpuIndices must name at least as many GPUs as a trial needs, 2; this names 1");
    assertThat(none.message()).isEqualTo("maxTrialNumPerGpu must be a whole number > 0, this is 0");
  }

  @Test
  void everyMovedKeyArrives() {
    String v1 =
        V1.replace("  codeDir: code", "  codeDir: code\n  gpuNum: 0")
            + """
            maxTrialDuration: 5m
            debug: true
            seed: 3
            retry: {attempts: 2}
            localConfig: {maxTrialNumPerGpu: 2, useActiveGpu: true}
            assessor: {builtinAssessorName: Medianstop}
            """;
    String v3 =
        GOOD.replace(
                "  platform: local",
                "  platform: local\n  maxTrialNumberPerGpu: 2\n  useActiveGpu: true")
            + """
            maxTrialDuration: 5m
            trialGpuNumber: 0
            debug: true
            seed: 3
            retry: {attempts: 2}
            assessor: {name: Medianstop}
            """;

    assertThat(spec(v1)).isEqualTo(spec(v3));
  }

  @Test
  void aClassOfOnesOwnIsNamedByFileAndClass() {
    String v1 =
        v1With(
            "builtinTunerName: TPE", "codeDir: code\n  classFileName: mine.py\n  className: Tuner");
    String v3 = with("name: TPE", "className: mine.Tuner\n  codeDirectory: code");
    write("code/mine.py", "");

    assertThat(spec(v1)).isEqualTo(spec(v3));
    assertThat(fault(v1.replace("  classFileName: mine.py\n", "")).pointer())
        .isEqualTo("/tuner/classFileName");
  }

  @Test
  void findingsSpeakOfV1Keys() {
    SpecReading reading =
        read(
            """
            authorName: default
            trialConcurrency: 2
            maxExecDuration: soon
            max_trial_num: 0
            trainingServicePlatform: local
            searchSpacePath: gone.json
            tuner:
              builtinTunerNam: TPE
            trial:
              codeDir: gone
            """);

    assertThat(reading.findings())
        .extracting(Finding::pointer, Finding::line)
        .containsExactlyInAnyOrder(
            tuple("/maxExecDuration", 3),
            tuple("/max_trial_num", 4),
            tuple("/searchSpacePath", 6),
            tuple("/tuner/builtinTunerNam", 8),
            tuple("/trial/command", 9),
            tuple("/trial/codeDir", 10));
    assertThat(reading.findings())
        .extracting(Finding::message)
        .anyMatch(m -> m.startsWith("max_trial_num must be a whole number > 0"))
        .anyMatch(m -> m.startsWith("command is missing"))
        .anyMatch(m -> m.contains("did you mean 'builtinTunerName'?"));
  }

  private SpecReading onPlatform(String platform, String trial, String sections) {
    return new SpecReader(
            List.of("local", "remote", "openpai", "aml", "kubeflow", "frameworkcontroller", "adl"),
            Map.of(),
            () -> SEED,
            secret -> secret)
        .read(
            V1.replace("Platform: local", "Platform: " + platform)
                    .replace("  codeDir: code\n", "  codeDir: code\n" + trial)
                + sections,
            directory.toString());
  }

  @Test // D
  void localConfigHasNoEffectOnAnotherPlatform() {
    SpecReading reading =
        onPlatform(
            "remote",
            "",
            "localConfig: {gpuIndices: 0, unheardOf: 1}\n"
                + "machineList: [{ip: 10.1.1.1, username: me, passwd: x}]\n");

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices()).contains("localConfig has no effect: trials run on remote.");
  }

  @ParameterizedTest // D
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          aml     |               | amlConfig: {subscriptionId: s, resourceGroup: g, workspaceNam: w, computeTarget: c} | /amlConfig/workspaceNam | did you mean 'workspaceName'?
          aml     | imag: i | amlConfig: {subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c} | /trial/imag | did you mean 'image'?
          aml     |               | amlConfig: {subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c, maxTrialNumPerGpu: 0} | /amlConfig/maxTrialNumPerGpu | maxTrialNumPerGpu must be a whole number > 0, this is 0
          pai     | cpuNum: 1; memoryMB: 64 | paiConfig: {userName: u, token: t, host: h, machine: m} | /paiConfig/machine | the keys here are host, userName, token, passWord, reuse, gpuNum, cpuNum, memoryMB, maxTrialNumPerGpu, useActiveGpu
          pai     | memoryMB: 64 | paiConfig: {userName: u, token: t, host: h} | /trial/cpuNum | cpuNum is missing: processors of a trial, or paiConfigPath
          remote  |               | machineList: [{ip: 10.1.1.1, usernam: me, passwd: x}] | /machineList/0/usernam | did you mean 'username'?
          remote  |               | machineList: [{username: me, passwd: x}] | /machineList/0/ip | ip is missing
          kubeflow | worker: {replicas: 1, command: c, gpuNum: 0, cpuNum: 1, memory: 64, image: i} | kubeflowConfig: {operator: tf-operator, apiVersion: v1, nfs: {server: s, path: /p}} | /trial/worker/memory | did you mean 'memoryMB'?
          kubeflow | worker: {replicas: 1, command: c, gpuNum: 0, cpuNum: 1, memoryMB: 64, image: i} | kubeflowConfig: {operator: tf-operator, apiVersion: v1, nfs: {server: s, path: /p, mount: x}} | /kubeflowConfig/nfs/mount | the keys here are
          kubeflow | worker: {replicas: 1, command: c, gpuNum: 0, cpuNum: 1, memoryMB: 64, image: i} | kubeflowConfig: {operator: tf-operator, apiVersion: v1, nfs: {server: s}} | /kubeflowConfig/nfs/path | path is missing
          adl     |               | adlConfig: {} | /trial/image | image is missing
          """)
  void aFaultOfAPlatformsSectionNamesTheKeysOfTheFile(
      String platform, String trial, String sections, String pointer, String message) {
    String lines = trial == null ? "" : "  " + trial.replace("; ", "\n  ") + "\n";
    SpecReading reading = onPlatform(platform, lines, sections + "\n");

    assertThat(reading.findings())
        .filteredOn(finding -> finding.pointer().equals(pointer))
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .contains(message)
        .doesNotContain("dockerImage", "trialMemorySize", "memorySize", "hostname");
    assertThat(reading.findings())
        .extracting(Finding::text)
        .noneMatch(text -> text.contains("trainingService/"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          useAnnotation: false | useAnnotation: true | /useAnnotation | useAnnotation is not supported
          useAnnotation: false | multiPhase: 1       | /multiPhase    | multiPhase must be true or false
          useAnnotation: false | machineList: []     | /machineList   | 'machineList' is not a known key of the local platform
          useAnnotation: false | maxTrialNumber: 3   | /maxTrialNumber | 'maxTrialNumber' is not a known key: in v1 form it is maxTrialNum
          useAnnotation: false | advisor: {builtinAdvisorName: BOHB} | /advisor | advisor and tuner exclude each other
          maxTrialNum: 10      | maxTrialNum: 100000 | /maxTrialNum   | maxTrialNum must be at most 99999
          trialConcurrency: 2  | trialConcurrency: 0 | /trialConcurrency | trialConcurrency must be a whole number > 0
          command: python3 trial.py | trialCommand: x | /trial/trialCommand | 'trialCommand' is not a known key
          trial:               | trail:              | /trail         | 'trail' is not a known key (did you mean 'trial'?)
          trainingServicePlatform: local | trainingServicePlatfrm: local | /trainingServicePlatfrm | 'trainingServicePlatfrm' is not a known key (did you mean 'trainingServicePlatform'?)
          Platform: local      | Platform: remote    | /trainingServicePlatform | trainingServicePlatform is remote, which is not available
          Platform: local      | Platform: kubflow   | /trainingServicePlatform | trainingServicePlatform is 'kubflow', which is no platform (did you mean 'kubeflow'?)
          """)
  void aFaultIsNamedWithItsPlace(String line, String instead, String pointer, String message) {
    Finding finding = fault(v1With(line, instead));

    assertThat(finding.pointer()).isEqualTo(pointer);
    assertThat(finding.message()).startsWith(message);
    assertThat(finding.line()).isNotNull();
  }

  @Test
  void aMissingPlatformIsMissedUnderItsV1Name() {
    Finding finding = fault(v1With("trainingServicePlatform: local\n", ""));

    assertThat(finding.pointer()).isEqualTo("/trainingServicePlatform");
    assertThat(finding.message()).startsWith("trainingServicePlatform is missing");
  }

  @Test
  void keysOfAPlatformThatCannotBeHadGoUnread() {
    String remote =
        v1With("Platform: local", "Platform: pai")
                .replace("  command: python3 trial.py\n", "  image: x\n  memoryMB: 100\n")
            + "paiConfig: {userName: me}\n";

    assertThat(fault(remote).pointer()).isEqualTo("/trainingServicePlatform");
  }

  @Test
  void findingsOfOthersAreBroughtToV1Keys() {
    SpecReading reading = read(V1);

    assertThat(
            reading
                .places()
                .placed(
                    List.of(
                        new Finding("/tuner/name", "is unknown"),
                        new Finding("/searchSpace/lr", "is odd"))))
        .containsExactly(
            new Finding("/tuner/builtinTunerName", "is unknown", 10),
            new Finding("/searchSpacePath", "in space.json, line 1, /lr: is odd", 7));
  }
}
