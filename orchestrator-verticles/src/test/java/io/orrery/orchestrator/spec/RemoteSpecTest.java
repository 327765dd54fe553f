package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The platform {@code remote} in experiment files of both forms. */
class RemoteSpecTest extends SpecFixture {
  private static final String V3 =
      """
      trialCommand: python3 trial.py
      trialCodeDirectory: code
      trialConcurrency: 2
      trialGpuNumber: 1
      searchSpace:
        lr: {_type: uniform, _value: [0, 1]}
      tuner: {name: Random}
      trainingService:
        platform: remote
        machineList:
          - host: gpu1
            user: me
            sshKeyFile: key
            sshPassphrase: open sesame
            gpuIndices: 0,1
            useActiveGpu: true
            maxTrialNumberPerGpu: 2
            pythonPath: /opt/python/bin
          - {host: 10.0.0.7, port: 2222, user: you, password: env:SECOND}
      """;

  private static final String V1 =
      """
      authorName: me
      experimentName: e
      trialConcurrency: 2
      trainingServicePlatform: remote
      searchSpacePath: space.json
      useAnnotation: false
      tuner: {builtinTunerName: Random}
      trial:
        command: python3 trial.py
        codeDir: code
        gpuNum: 1
      machineList:
        - ip: gpu1
          username: me
          sshKeyPath: key
          passphrase: open sesame
          gpuIndices: 0,1
          useActiveGpu: true
          maxTrialNumPerGpu: 2
          pythonPath: /opt/python/bin
        - {ip: 10.0.0.7, port: 2222, username: you, passwd: env:SECOND}
      """;

  @Override
  SpecReading read(String text) {
    write("key", "a key");
    return new SpecReader(List.of("local", "remote"), Map.of(), () -> 1, secret -> sealed(secret))
        .read(text, directory.toString());
  }

  private static String sealed(String secret) {
    return secret.startsWith("env:") ? secret : "sealed:" + secret.length();
  }

  @Test
  void reuseIsTakenWithoutAWordAndHasATimeToWait() {
    String reusing = V3 + "  reuseMode: true\n  environmentIdle: 5m\n";

    assertThat(spec(reusing).job().trainingService().settings().values())
        .containsEntry("reuseMode", true)
        .containsEntry("environmentIdle", 300L);
    assertThat(read(reusing).notices()).isEqualTo(read(V3).notices());
    assertThat(spec(V3).job().trainingService().settings().values())
        .containsEntry("reuseMode", false)
        .containsEntry("environmentIdle", 120L);
  }

  @Test
  void bothFormsSayTheSame() {
    ExperimentSpec spec = spec(V3);

    assertThat(spec(V1).job().trainingService()).isEqualTo(spec.job().trainingService());
    assertThat(spec.job().trainingService().settings().values())
        .containsEntry("awayLimit", 600L)
        .containsEntry("trustOnFirstUse", false);
    List<?> machines =
        (List<?>) spec.job().trainingService().settings().values().get("machineList");
    assertThat(machines)
        .isEqualTo(
            List.of(
                Map.of(
                    "host",
                    "gpu1",
                    "port",
                    22L,
                    "user",
                    "me",
                    "sshKeyFile",
                    directory.resolve("key").toString(),
                    "sshPassphrase",
                    "sealed:11",
                    "gpuIndices",
                    List.of(0, 1),
                    "useActiveGpu",
                    true,
                    "maxTrialNumberPerGpu",
                    2L,
                    "pythonPath",
                    "/opt/python/bin"),
                Map.of(
                    "host",
                    "10.0.0.7",
                    "port",
                    2222L,
                    "user",
                    "you",
                    "password",
                    "env:SECOND",
                    "useActiveGpu",
                    false,
                    "maxTrialNumberPerGpu",
                    1L)));
  }

  @Test
  void aSecretIsNowhereInWhatIsStored() {
    ExperimentSpec spec = spec(V3);

    assertThat(spec.toString()).doesNotContain("sesame");
    assertThat(spec.description().config()).contains("sealed:11").doesNotContain("sesame");
  }

  @Test
  void aSecretThatIsNoTextIsNotRepeated() {
    Finding fault = fault(V3.replace("password: env:SECOND", "password: 271828"));

    assertThat(fault.pointer()).isEqualTo("/trainingService/machineList/1/password");
    assertThat(fault.text()).contains("put it in quotes").doesNotContain("271828");
  }

  @Test
  void aSecretWithoutAPromptIsNotTakenForOne() {
    Finding fault = fault(V3.replace("password: env:SECOND", "password: prompt:second"));

    assertThat(fault.pointer()).isEqualTo("/trainingService/machineList/1/password");
    assertThat(fault.text()).contains("env:NAME").contains("on a terminal");
  }

  @Test
  void theAddressToCallBackHasNoEffect() {
    assertThat(read("nniManagerIp: 10.1.1.1\n" + V3).notices())
        .anyMatch(notice -> notice.contains("through the SSH connection"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "host: gpu1| hast: gpu1| machineList/0/hast",
        "user: me| user: ''| machineList/0/user",
        "user: me| user: a b| machineList/0/user",
        "host: gpu1| host: -oProxyCommand=x| machineList/0/host",
        "port: 2222| port: 70000| machineList/1/port",
        "sshKeyFile: key| sshKeyFile: nowhere| machineList/0/sshKeyFile",
        "trialGpuNumber: 1| trialGpuNumber: 3| machineList/0/gpuIndices",
      })
  void whatIsWrongIsSaidWhereItIs(String line, String instead, String place) {
    assertThat(V3).contains(line);
    assertThat(fault(V3.replace(line, instead)).pointer()).isEqualTo("/trainingService/" + place);
  }

  @Test
  void aV1FaultIsToldInV1Terms() {
    Finding fault = fault(V1.replace("sshKeyPath: key", "sshKeyPath: nowhere"));

    assertThat(fault.pointer()).isEqualTo("/machineList/0/sshKeyPath");
    assertThat(fault.text()).contains("sshKeyPath").contains("must be a file");
  }

  @Test
  void aListWithoutMachinesIsRefused() {
    String empty = V3.substring(0, V3.indexOf("  machineList:")) + "  machineList: []\n";

    assertThat(fault(empty).text()).contains("at least one machine");
  }

  @Test
  void aMachineIsNamedOnce() {
    String twice = V3.replace("{host: 10.0.0.7, port: 2222, user: you,", "{host: gpu1, user: me,");

    assertThat(fault(twice).text()).contains("same machine as number 1").contains("me@gpu1:22");
  }
}
