package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.run.ValueText;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.quota.TrialCharge;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Charges of trials and steps, as documents for each kind of platform say them. */
class TrialChargeTest extends SpecFixture {
  @Override
  SpecReading read(String text) {
    return new SpecReader(
            List.of("local", "kubernetes", "kubeflow", "frameworkcontroller", "adl", "openpai"),
            Map.of(),
            () -> SEED,
            secret -> "sealed:" + secret.length())
        .read(text, directory.toString());
  }

  private Amounts charge(String service) {
    return TrialCharge.of(
        spec(with("platform: local\n", service.strip().replace("\n", "\n  ") + "\n")).job());
  }

  private static Amounts amounts(double cores, long megabytes, long gpus, long trials) {
    return new Amounts(
        Map.of(
            QuotaResource.CPU,
            (long) (cores * 1_000),
            QuotaResource.MEMORY,
            megabytes << 20,
            QuotaResource.GPU,
            gpus,
            QuotaResource.TRIALS,
            trials));
  }

  @Test
  void aPodIsChargedWhatItRequests() {
    assertThat(
            charge(
                """
                platform: kubernetes
                cpuNumber: 1.5
                memorySize: 2gb
                gpuNumber: 1
                """))
        .isEqualTo(amounts(1.5, 2_048, 1, 1));
  }

  @Test
  void whatSaysNothingIsChargedATrialOnly() {
    assertThat(charge("platform: local")).isEqualTo(amounts(0, 0, 0, 1));
    assertThat(charge("platform: kubernetes")).isEqualTo(amounts(0, 0, 0, 1));
  }

  @Test
  void allPodsOfAllRolesAreCharged() {
    assertThat(
            charge(
                """
                platform: kubeflow
                operator: tf-operator
                ps:
                  replicas: 1
                  cpuNumber: 1
                  memorySize: 1gb
                worker:
                  replicas: 3
                  cpuNumber: 2
                  memorySize: 4gb
                  gpuNumber: 2
                """))
        .isEqualTo(amounts(7, 13 * 1_024, 6, 1));
    assertThat(
            charge(
                """
                platform: frameworkcontroller
                taskRoles:
                  - name: worker
                    taskNumber: 2
                    cpuNumber: 4
                    memorySize: 512mb
                    gpuNumber: 1
                """))
        .isEqualTo(amounts(8, 1_024, 2, 1));
  }

  @Test
  void aJobOfOpenPaiIsChargedItsDocument() throws IOException {
    write(
        "job.yaml",
        """
        protocolVersion: 2
        name: job
        type: job
        prerequisites: [{type: dockerimage, uri: "python:3", name: image}]
        taskRoles:
          train:
            instances: 2
            dockerImage: image
            resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 1}
            commands: [python train.py]
        """);
    assertThat(
            charge(
                """
                platform: openpai
                host: http://pai.example.org
                username: ada
                token: secret
                localStorageMountPoint: .
                containerStorageMountPoint: /mnt
                openpaiConfigFile: job.yaml
                """))
        .isEqualTo(amounts(8, 16_384, 2, 1));
  }

  private static StepSpec step(StepWork work, Parameters settings, String platform) {
    return new StepSpec(
        "train",
        "train",
        Map.of(),
        work,
        null,
        null,
        platform,
        settings,
        1,
        List.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        RetryPolicy.NONE,
        null,
        null,
        null);
  }

  @Test
  void aStepIsChargedTheLimitsOfItsContainer() {
    StepCommand command = new StepCommand(List.of(ValueText.of("true")), true);
    Parameters container =
        new StepContainer("", "python:3", "", 2_500, 3L << 30, "", null, null).settings();

    assertThat(TrialCharge.of(step(command, container, StepContainer.PODS)))
        .isEqualTo(amounts(2.5, 3 << 10, 1, 0));
    assertThat(TrialCharge.of(step(command, Parameters.EMPTY, "local")))
        .isEqualTo(amounts(0, 0, 1, 0));
    // The program for shells has no limits.
    assertThat(TrialCharge.of(step(new StepWork.Debugging(command), container, "server")))
        .isEqualTo(amounts(0, 0, 1, 0));
  }
}
