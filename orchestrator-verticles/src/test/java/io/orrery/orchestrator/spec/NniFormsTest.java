package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads every form of an experiment file that NNI 1.9, 2.10 and 3.0 know, in small examples. */
class NniFormsTest extends SpecFixture {
  private static final String V1 =
      """
      authorName: ann
      experimentName: form
      trialConcurrency: 1
      maxExecDuration: 1h
      maxTrialNum: 2
      useAnnotation: false
      """;

  private static final String V3 =
      """
      trialCommand: python3 trial.py
      trialCodeDirectory: code
      trialConcurrency: 1
      maxTrialNumber: 2
      """;

  private static final String SPACE_KEYS = "searchSpace: {lr: {_type: uniform, _value: [0, 1]}}\n";

  @BeforeEach
  void files() throws IOException {
    Files.writeString(directory.resolve("key"), "a key");
    Files.writeString(directory.resolve("code/mine.py"), "");
    Files.writeString(directory.resolve("auth"), "{}");
    Files.writeString(directory.resolve("own.json"), "{\"x\": [1, 100]}");
    Files.writeString(directory.resolve("list.json"), "[1, 2]");
    Files.createDirectory(directory.resolve("mnt"));
    Files.writeString(
        directory.resolve("pai.yml"),
        """
        protocolVersion: 2
        name: mine
        type: job
        prerequisites: [{type: dockerimage, name: image, uri: "python:3"}]
        taskRoles:
          worker:
            instances: 1
            dockerImage: image
            resourcePerInstance: {cpu: 1, memoryMB: 512, gpu: 0}
            commands: [python3 trial.py]
        """);
    Files.writeString(
        directory.resolve("framework.yml"),
        """
        apiVersion: frameworkcontroller.microsoft.com/v1
        kind: Framework
        metadata: {name: mine, namespace: default}
        spec:
          executionType: Start
          taskRoles:
            - name: worker
              taskNumber: 1
              frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceededTaskCount: 1}
              task:
                pod:
                  spec:
                    containers:
                      - name: main
                        image: "python:3"
                        command: [python3, trial.py]
        """);
  }

  @Override
  SpecReading read(String text) {
    return new SpecReader(
            List.of(
                "local",
                "remote",
                "openpai",
                "kubeflow",
                "frameworkcontroller",
                "aml",
                "dlc",
                "dlts",
                "adl",
                "hybrid"),
            Map.of(),
            () -> SEED,
            secret -> "sealed:" + secret.length())
        .read(text, directory.toString());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          local | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {builtinTunerName: TPE, classArgs: {optimize_mode: maximize}}, searchSpacePath: space.json
          without GPUs, with an assessor | local | trial: {command: python3 t.py, codeDir: code}, tuner: {builtinTunerName: Random}, assessor: {builtinAssessorName: Medianstop, classArgs: {optimize_mode: maximize}}, searchSpacePath: space.json
          GPUs | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 1}, tuner: {builtinTunerName: TPE, gpuIndices: "0,1", includeIntermediateResults: true}, localConfig: {gpuIndices: "0,1", maxTrialNumPerGpu: 2, useActiveGpu: true}, searchSpacePath: space.json
          every key that does nothing | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0, nasMode: classic_mode}, tuner: {builtinTunerName: TPE}, description: d, multiPhase: false, multiThread: true, versionCheck: false, logCollection: http, logLevel: trace, debug: true, logDir: ., nniManagerIp: 10.0.0.1, searchSpacePath: space.json
          advisor | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, advisor: {builtinAdvisorName: Hyperband, classArgs: {optimize_mode: maximize, R: 60, eta: 3}}, searchSpacePath: space.json
          tuner of one's own | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {codeDir: code, classFileName: mine.py, className: Mine, classArgs: {a: 1}}, searchSpacePath: own.json
          tuner of one's own without a space | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {codeDir: code, classFileName: mine.py, className: Mine}
          advisor of one's own | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, advisor: {codeDir: code, classFileName: mine.py, className: Mine}, searchSpacePath: list.json
          assessor of one's own | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {builtinTunerName: TPE}, assessor: {codeDir: code, classFileName: mine.py, className: Mine}, searchSpacePath: space.json
          NetworkMorphism needs no space | local | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {builtinTunerName: NetworkMorphism, classArgs: {task: cv}}
          remote with passwords | remote | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {builtinTunerName: TPE}, machineList: [{ip: h, port: 22, username: u, passwd: p, gpuIndices: 0, maxTrialNumPerGpu: 1, useActiveGpu: false}], searchSpacePath: space.json
          remote with keys | remote | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {builtinTunerName: TPE}, machineList: [{ip: h, username: u, sshKeyPath: key, passphrase: p}], remoteConfig: {reuse: true}, searchSpacePath: space.json
          D9 preCommand | remote | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {builtinTunerName: TPE}, machineList: [{ip: h, username: u, passwd: p, preCommand: "source activate x"}], searchSpacePath: space.json
          pythonPath | remote | trial: {command: python3 t.py, codeDir: code, gpuNum: 0}, tuner: {builtinTunerName: TPE}, machineList: [{ip: h, username: u, passwd: p, pythonPath: /opt/bin}], searchSpacePath: space.json
          OpenPAI | pai | trial: {command: python3 t.py, codeDir: code, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i, virtualCluster: default, paiStorageConfigName: s, nniManagerNFSMountPath: mnt, containerNFSMountPath: /mnt/s}, paiConfig: {userName: u, token: t, host: h, reuse: true}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          OpenPAI with what a trial needs in its own section | pai | trial: {command: python3 t.py, codeDir: code, image: i, paiStorageConfigName: s, nniManagerNFSMountPath: mnt, containerNFSMountPath: /mnt/s}, paiConfig: {userName: u, passWord: t, host: h, gpuNum: 0, cpuNum: 1, memoryMB: 512, maxTrialNumPerGpu: 1, useActiveGpu: false}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          OpenPAI with a job file | pai | trial: {codeDir: code, nniManagerNFSMountPath: mnt, containerNFSMountPath: /mnt/s, paiConfigPath: pai.yml}, paiConfig: {userName: u, token: t, host: h}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          PAI on YARN | paiYarn | trial: {command: python3 t.py, codeDir: code, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i}, paiYarnConfig: {userName: u, passWord: p, host: h}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          D9 PAI on YARN with all | paiYarn | trial: {command: python3 t.py, codeDir: code, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i, virtualCluster: v, authFile: auth, shmMB: 64, dataDir: "hdfs://10.1.1.1:9000/d", outputDir: "hdfs://10.1.1.1:9000/o", portList: [{label: a, beginAt: 8000, portNumber: 2}]}, paiYarnConfig: {userName: u, token: t, host: h}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          TensorFlow on Kubeflow | kubeflow | trial: {codeDir: code, worker: {replicas: 1, command: c, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i, privateRegistryAuthPath: auth}, ps: {replicas: 1, command: c, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i}}, kubeflowConfig: {operator: tf-operator, apiVersion: v1, storage: nfs, nfs: {server: s, path: /p}}, tuner: {builtinTunerName: TPE}, nniManagerIp: 10.0.0.1, searchSpacePath: space.json
          PyTorch on Kubeflow, Azure | kubeflow | trial: {codeDir: code, master: {replicas: 1, command: c, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i}, worker: {replicas: 1, command: c, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i}}, kubeflowConfig: {operator: pytorch-operator, apiVersion: v1alpha2, storage: azureStorage, keyVault: {vaultName: v, name: n}, azureStorage: {accountName: acc, azureShare: share}, uploadRetryCount: 2}, tuner: {builtinTunerName: TPE}, nniManagerIp: 10.0.0.1, searchSpacePath: space.json
          FrameworkController | frameworkcontroller | trial: {codeDir: code, taskRoles: [{name: w, taskNum: 1, command: c, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i, frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceededTaskCount: 1}}]}, frameworkcontrollerConfig: {storage: nfs, serviceAccountName: a, nfs: {server: s, path: /p}}, tuner: {builtinTunerName: TPE}, nniManagerIp: 10.0.0.1, searchSpacePath: space.json
          FrameworkController from a template, claim | frameworkcontroller | trial: {codeDir: code}, frameworkcontrollerConfig: {storage: pvc, namespace: default, configPath: framework.yml, pvc: {path: /tmp/data}}, tuner: {builtinTunerName: TPE}, nniManagerIp: 10.0.0.1, searchSpacePath: space.json
          DLTS | dlts | trial: {command: c, codeDir: code, gpuNum: 1, image: i}, dltsConfig: {dashboard: "http://d/"}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          Azure ML | aml | trial: {command: c, codeDir: code, image: i, gpuNum: 1}, amlConfig: {subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c, maxTrialNumPerGpu: 1, useActiveGpu: false}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          AdaptDL | adl | trial: {command: c, codeDir: /in/the/image, gpuNum: 1, image: i, cpuNum: 1, memorySize: 1Gi, adaptive: true, namespace: n, checkpoint: {storageClass: c, storageSize: 1Gi}, imagePullSecrets: [{name: s}], nfs: {server: s, path: /, containerMountPath: /nfs}}, tuner: {builtinTunerName: TPE}, nniManagerIp: 10.0.0.1, searchSpacePath: space.json
          several at once | hybrid | trial: {command: c, codeDir: code, gpuNum: 0, cpuNum: 1, memoryMB: 512, image: i, paiStorageConfigName: s, nniManagerNFSMountPath: mnt, containerNFSMountPath: /mnt/s}, hybridConfig: {trainingServicePlatforms: [local, remote, pai, aml]}, machineList: [{ip: h, username: u, passwd: p}], remoteConfig: {reuse: true}, paiConfig: {userName: u, token: t, host: h}, amlConfig: {subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c}, tuner: {builtinTunerName: TPE}, searchSpacePath: space.json
          """)
  void aFormOfVersion1IsTaken(String form, String platform, String keys) {
    SpecReading reading =
        read(V1 + "trainingServicePlatform: " + platform + "\n" + blocks("{" + keys + "}"));

    assertThat(reading.findings()).as(form).extracting(Finding::toString).isEmpty();
    assertThat(reading.spec()).as(form).isNotNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          local | tuner: {name: TPE, classArgs: {optimize_mode: maximize}}, trainingService: {platform: local}
          GPUs | trialGpuNumber: 1, tunerGpuIndices: 0, tuner: {name: TPE}, trainingService: {platform: local, useActiveGpu: false, maxTrialNumberPerGpu: 2, gpuIndices: "1,2", reuseMode: true}
          snake case | trial_gpu_number: 0, tuner: {name: random}, assessor: {name: Medianstop}, training_service: {platform: local, use_active_gpu: true}
          every key of the top level | experimentName: e, experimentType: hpo, maxExperimentDuration: 1.5h, maxTrialDuration: 60, nniManagerIp: 1.2.3.4, debug: true, logLevel: warning, experimentWorkingDirectory: ., useAnnotation: false, tuner: {name: GridSearch}, trainingService: {platform: local}
          tuner of one's own | tuner: {className: mine.Mine, codeDirectory: code, classArgs: {seed: 0}}, trainingService: {platform: local}
          advisor | advisor: {name: BOHB, classArgs: {optimize_mode: maximize}}, trainingService: {platform: local}
          advisor of one's own | advisor: {className: mine.Mine, codeDirectory: code}, trainingService: {platform: local}
          remote | tuner: {name: TPE}, trainingService: {platform: remote, reuseMode: false, machineList: [{host: h, user: u, password: p, port: 22, pythonPath: /opt/bin}, {host: h2, user: u, ssh_key_file: key, ssh_passphrase: p}]}
          D5 blob storage | tuner: {name: TPE}, sharedStorage: {storageType: AzureBlob, localMountPoint: mnt, remoteMountPoint: /mnt/there, localMounted: nnimount, storageAccountName: trialstore, storageAccountKey: k, containerName: trial-outputs}, trainingService: {platform: remote, machineList: [{host: h, user: u, password: p}]}
          NFS | tuner: {name: TPE}, sharedStorage: {storageType: NFS, localMountPoint: mnt, remoteMountPoint: /mnt/there, localMounted: usermount, nfsServer: n, exportedDirectory: /e}, trainingService: {platform: remote, machineList: [{host: h, user: u, password: p}]}
          OpenPAI | trialGpuNumber: 0, tuner: {name: TPE}, trainingService: {platform: openpai, host: "http://123.123.123.123", username: u, token: t, dockerImage: i, trialCpuNumber: 1, trialMemorySize: 8GB, storageConfigName: s, localStorageMountPoint: mnt, containerStorageMountPoint: /mnt/s}
          Kubeflow | tuner: {name: TPE}, trainingService: {platform: kubeflow, operator: tf-operator, apiVersion: v1, namespace: n, reuseMode: true, storage: {storageType: nfs, server: s, path: /p}, worker: {command: c, code_directory: code, replicas: 1, gpuNumber: 0, cpuNumber: 1, memorySize: 8192, dockerImage: i}}
          Kubeflow, a unit of one letter | tuner: {name: TPE}, trainingService: {platform: kubeflow, operator: tf-operator, apiVersion: v1, storage: {storageType: nfs, server: s, path: /p}, worker: {command: c, code_directory: code, replicas: 1, gpuNumber: 0, cpuNumber: 1, memorySize: 4g, dockerImage: i}}
          FrameworkController | tuner: {name: TPE}, trainingService: {platform: frameworkcontroller, serviceAccountName: f, storage: {storageType: azureStorage, azureAccount: acc, azureShare: share, keyVaultName: v, keyVaultKey: k}, taskRoles: [{name: w, dockerImage: i, taskNumber: 1, command: c, gpuNumber: 0, cpuNumber: 1, memorySize: 8192, framework_attempt_completion_policy: {min_failed_task_count: 1, minSucceedTaskCount: 1}}]}
          Azure ML | tuner: {name: TPE}, trainingService: {platform: aml, dockerImage: i, subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c}
          PAI-DLC | tuner: {name: TPE}, trainingService: {platform: dlc, type: Worker, image: i, jobType: PyTorchJob, podCount: 1, ecsSpec: "{'cpu':2,'memory':8}", region: cn-hangzhou, workspaceId: w, accessKeyId: a, accessKeySecret: s, nasDataSourceId: n, ossDataSourceId: o, localStorageMountPoint: mnt, containerStorageMountPoint: /root/data/}
          several at once | trialGpuNumber: 0, tuner: {name: TPE}, trainingService: [{platform: local}, {platform: remote, machineList: [{host: h, user: u, ssh_key_file: key}]}, {platform: aml, dockerImage: i, subscriptionId: s, resourceGroup: g, workspaceName: w, computeTarget: c}]
          """)
  void aFormOfVersion2And3IsTaken(String form, String keys) {
    SpecReading reading = read(V3 + SPACE_KEYS + blocks("{" + keys + "}"));

    assertThat(reading.findings()).as(form).extracting(Finding::toString).isEmpty();
    assertThat(reading.spec()).as(form).isNotNull();
  }

  /** D3. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {className: mine.Mine, codeDirectory: code} | {"x":[1,100]}
          {className: mine.Mine, codeDirectory: code} | ["a",{"b":null}]
          {className: mine.Mine, codeDirectory: code} | {"x":{"_type":"layer_choice","_value":["a"]}}
          {className: mine.Mine, codeDirectory: code} | {"lr":{"_type":"uniform","_value":[1,0]}}
          {name: PPO} | {"cell":{"layer":{"layer_choice":["conv","pool"]}}}
          {name: "nni:TPE"} | {"x":{"_type":"choice","_value":[{"_name":"a","y":1}]}}
          """)
  void aTunerThatIsNotOursGetsItsSpaceAsItIs(String tuner, String space) {
    SpecReading reading =
        read(
            V3
                + "searchSpace: "
                + space
                + "\ntuner: "
                + tuner
                + "\ntrainingService: {platform: local}\n");

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.spec().search().space().toNniJson().toString()).isEqualTo(space);
    assertThat(reading.spec().description().config()).contains("\"searchSpace\":" + space);
    assertThat(reading.notices()).anyMatch(notice -> notice.contains("is not in NNI's form"));
    // What it makes of such a space cannot be told.
    assertThat(reading.spec().search().parameterShape().judge(Map.of("anything", 1)).findings())
        .isEmpty();
  }

  @Test
  void aTunerOfOursIsNotGivenWhatItCannotRead() {
    assertThat(
            fault(
                    V3
                        + "searchSpace: {x: [1, 100]}\n"
                        + "tuner: {name: TPE}\ntrainingService: {platform: local}\n")
                .pointer())
        .isEqualTo("/searchSpace/x");
  }

  @Test
  void keysOfVersion1WithoutEffectAreNamed() {
    // D9
    SpecReading reading =
        read(
            V1
                + """
                trainingServicePlatform: remote
                searchSpacePath: space.json
                tuner: {builtinTunerName: TPE}
                trial: {command: c, codeDir: code, gpuNum: 0}
                machineList: [{ip: h, username: u, passwd: p, preCommand: x}]
                """);

    assertThat(reading.notices())
        .contains("Keys of NNI v1 that have no effect: machineList.preCommand.");
  }

  /** As NNI does: the reason is the same, the words are not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          tuner: {name: TPE, className: a.B}, trainingService: {platform: local} | /tuner/name
          tuner: {name: TPE}, advisor: {name: BOHB}, trainingService: {platform: local} | /advisor
          tuner: {name: TPE}, trialConcurency: 1, trainingService: {platform: local} | /trialConcurency
          tuner: {name: TPE}, trialGpuNumber: -1, trainingService: {platform: local, useActiveGpu: true} | /trialGpuNumber
          tuner: {name: TPE}, trainingService: {platform: local, gpuIndices: "1,1"} | /trainingService/gpuIndices
          tuner: {name: TPE}, maxExperimentDuration: 1x, trainingService: {platform: local} | /maxExperimentDuration
          tuner: {name: TPE}, trainingService: {platform: remote, machineList: []} | /trainingService/machineList
          tuner: {name: TPE}, trainingService: {platform: remote, machineList: [{host: h, user: u, password: p, port: 65536}]} | /trainingService/machineList/0/port
          tuner: {name: TPE}, useAnnotation: true, trainingService: {platform: local} | /useAnnotation
          """)
  void whatNniRefusesIsRefused(String keys, String pointer) {
    SpecReading reading = read(V3 + SPACE_KEYS + blocks("{" + keys + "}"));

    assertThat(reading.findings()).extracting(Finding::pointer).contains(pointer);
  }

  /** NNI looks for it as well; nothing is told of files outside the directory. */
  @ParameterizedTest
  @ValueSource(strings = {"other.py", "mine", "sub/mine.py", "../space.json", "/etc/hostname"})
  void theFileOfAClassOfVersion1IsInItsDirectory(String name) {
    String v1 =
        V1
            + """
            trainingServicePlatform: local
            trial: {command: c, codeDir: code, gpuNum: 0}
            tuner: {codeDir: code, class_file_name: FILE, className: Mine}
            """
                .replace("FILE", name);

    Finding finding = fault(v1);

    assertThat(finding.pointer()).isEqualTo("/tuner/class_file_name");
    assertThat(finding.text()).contains("must be a file in codeDir: there is no '" + name + "'");
  }

  /** The members of an object in braces, each on a line. */
  private static String blocks(String object) {
    StringBuilder lines = new StringBuilder();
    io.orrery.core.json.Document.read(object)
        .root()
        .properties()
        .forEach(entry ->
            lines.append(entry.getKey()).append(": ").append(entry.getValue()).append('\n'));
    return lines.toString();
  }
}
