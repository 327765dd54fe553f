package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.core.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConversionTest {
  private static final String HEAD =
      """
      authorName: ann
      experimentName: old
      trialConcurrency: 2
      maxExecDuration: 1h
      maxTrialDuration: 10m
      maxTrialNum: 5
      searchSpacePath: space.json
      useAnnotation: false
      tuner: {builtinTunerName: TPE, classArgs: {optimize_mode: maximize}}
      """;

  @Test
  void aLocalFileIsSaidInNewWordsAndEveryChangeIsNamed() {
    Conversion conversion =
        Conversion.of(
            HEAD
                + """
                trainingServicePlatform: local
                trial: {command: python3 t.py, codeDir: ., gpuNum: 1}
                localConfig: {maxTrialNumPerGpu: 2, useActiveGpu: true}
                """);

    assertThat(conversion.config())
        .isEqualTo(
            json(
                """
                experimentName: old
                trialConcurrency: 2
                maxExperimentDuration: 1h
                maxTrialDuration: 10m
                maxTrialNumber: 5
                searchSpaceFile: space.json
                useAnnotation: false
                trialCommand: python3 t.py
                trialCodeDirectory: .
                trialGpuNumber: 1
                tuner: {name: TPE, classArgs: {optimize_mode: maximize}}
                trainingService: {platform: local, maxTrialNumberPerGpu: 2, useActiveGpu: true}
                """));
    assertThat(conversion.changes())
        .contains(
            "authorName is left out: it has no effect.",
            "maxExecDuration is maxExperimentDuration now.",
            "trial.gpuNum is trialGpuNumber now.",
            "tuner.builtinTunerName is tuner.name now.",
            "localConfig.maxTrialNumPerGpu is trainingService.maxTrialNumberPerGpu now.")
        .noneMatch(change -> change.startsWith("experimentName"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          remote | trial: {command: x, codeDir: .}, machineList: [{ip: h, username: u, sshKeyPath: k, passphrase: p, maxTrialNumPerGpu: 2}], remoteConfig: {reuse: true} | {platform: remote, reuseMode: true, machineList: [{host: h, user: u, sshKeyFile: k, sshPassphrase: p, maxTrialNumberPerGpu: 2}]}
          pai | trial: {command: x, codeDir: ., cpuNum: 2, memoryMB: 512, image: i, paiStorageConfigName: s, nniManagerNFSMountPath: /a, containerNFSMountPath: /b}, paiConfig: {userName: u, token: t, host: h} | {platform: openpai, host: h, username: u, token: t, trialCpuNumber: 2, trialMemorySize: 512mb, dockerImage: i, storageConfigName: s, localStorageMountPoint: /a, containerStorageMountPoint: /b}
          paiYarn | trial: {command: x, codeDir: ., cpuNum: 2, memoryMB: 512, image: i, shmMB: 64, portList: [{label: a, beginAt: 8000, portNumber: 2}]}, paiYarnConfig: {userName: u, passWord: p, host: h} | {platform: openpai, host: h, username: u, password: p, trialCpuNumber: 2, trialMemorySize: 512mb, dockerImage: i}
          kubeflow | trial: {codeDir: ., worker: {replicas: 1, command: x, gpuNum: 1, cpuNum: 2, memoryMB: 64, image: i, privateRegistryAuthPath: /r}}, kubeflowConfig: {operator: tf-operator, apiVersion: v1, storage: nfs, nfs: {server: s, path: /p}} | {platform: kubeflow, operator: tf-operator, apiVersion: v1, storage: {storageType: nfs, server: s, path: /p}, worker: {replicas: 1, command: x, gpuNumber: 1, cpuNumber: 2, memorySize: 64mb, dockerImage: i, privateRegistryAuthPath: /r, codeDirectory: .}}
          frameworkcontroller | trial: {codeDir: ., taskRoles: [{name: w, taskNum: 2, command: x, frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceededTaskCount: 2}}]}, frameworkcontrollerConfig: {storage: pvc, pvc: {path: outputs}, serviceAccountName: a} | {platform: frameworkcontroller, serviceAccountName: a, storage: {storageType: pvc, claimName: outputs}, taskRoles: [{name: w, taskNumber: 2, command: x, frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceedTaskCount: 2}}]}
          frameworkcontroller | trial: {codeDir: .}, frameworkcontrollerConfig: {storage: pvc, pvc: {path: /mnt/claim}, configPath: f.yml} | {platform: frameworkcontroller, configPath: f.yml, storage: {storageType: server}}
          kubeflow | trial: {codeDir: .}, kubeflowConfig: {operator: tf-operator, apiVersion: v1, storage: azureStorage, keyVault: {vaultName: v, name: k}, azureStorage: {accountName: acc, azureShare: share}, uploadRetryCount: 5} | {platform: kubeflow, operator: tf-operator, apiVersion: v1, storage: {storageType: azureStorage, azureAccount: acc, azureShare: share, keyVaultName: v, keyVaultKey: k, uploadRetryCount: 5}}
          aml | trial: {command: x, codeDir: ., image: i}, amlConfig: {subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c} | {platform: aml, subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c, dockerImage: i}
          dlts | trial: {command: x, codeDir: ., gpuNum: 1, image: i}, dltsConfig: {dashboard: d, team: t} | {platform: dlts, dashboard: d, team: t, dockerImage: i}
          adl | trial: {command: x, codeDir: ., gpuNum: 1, image: i, adaptive: true, checkpoint: {storageClass: c, storageSize: 1Gi}} | {platform: adl, codeDirectory: ., dockerImage: i, adaptive: true, checkpoint: {storageClass: c, storageSize: 1Gi}}
          hybrid | trial: {command: x, codeDir: .}, localConfig: {useActiveGpu: true}, machineList: [{ip: h, username: u, passwd: p}], hybridConfig: {trainingServicePlatforms: [local, remote]} | [{platform: local, useActiveGpu: true}, {platform: remote, machineList: [{host: h, user: u, password: p}]}]
          """)
  void everyPlatformOfNniIsSaidInNewWords(String platform, String sections, String expected) {
    String v1 =
        "{trainingServicePlatform: "
            + platform
            + ", trialConcurrency: 1, useAnnotation: false, "
            + sections
            + "}";

    assertThat(Conversion.of(v1).config().get("trainingService")).isEqualTo(json(expected));
  }

  @Test
  void theSectionOfPaiYarnIsNamedAmongTheChanges() {
    // D10
    Conversion conversion =
        Conversion.of(
            HEAD
                + """
                trainingServicePlatform: paiYarn
                trial: {command: x, codeDir: ., gpuNum: 0, cpuNum: 1, memoryMB: 8, image: i}
                paiYarnConfig: {userName: u, passWord: p, host: h}
                """);

    assertThat(conversion.changes()).contains("paiYarnConfig is a part of trainingService now.");
    assertThat(conversion.config().at("/trainingService/host").textValue()).isEqualTo("h");
  }

  @Test
  void aNewFileStaysAsItIs() {
    Conversion conversion = Conversion.of("{trialCommand: x, trialConcurrency: 1}");

    assertThat(conversion.changes()).isEmpty();
    assertThat(conversion.config()).isEqualTo(json("{trialCommand: x, trialConcurrency: 1}"));
  }

  @Test
  void whatIsNoKeyIsNamed() {
    assertThatThrownBy(
            () -> Conversion.of(HEAD + "trainingServicePlatform: local\nmaxTrialNumm: 3\n"))
        .isInstanceOf(ProblemException.class);
  }

  private static JsonNode json(String yaml) {
    return Document.read(yaml).root();
  }
}
