package io.orrery.orchestrator.spec;

import static io.orrery.orchestrator.spec.ClusterFiles.ADAPTIVE;
import static io.orrery.orchestrator.spec.ClusterFiles.BY_TEMPLATE;
import static io.orrery.orchestrator.spec.ClusterFiles.CLAIM;
import static io.orrery.orchestrator.spec.ClusterFiles.FRAMEWORK;
import static io.orrery.orchestrator.spec.ClusterFiles.PYTORCH;
import static io.orrery.orchestrator.spec.ClusterFiles.TEMPLATE;
import static io.orrery.orchestrator.spec.ClusterFiles.TENSORFLOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.adl.AdaptDlKinds;
import io.orrery.compute.frameworkcontroller.FrameworkKinds;
import io.orrery.compute.kubeflow.KubeflowKinds;
import io.orrery.compute.kubernetes.Blueprint;
import io.orrery.compute.kubernetes.ClusterSettings;
import io.orrery.compute.kubernetes.Definitions;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.compute.kubernetes.JobObjects;
import io.orrery.compute.kubernetes.Role;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.kubernetes.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files as people write them to the job of a trial: every key has its effect. */
class FileToObjectsTest {
  /** Others' definitions of the operators' kinds; not part of this repository. */
  private static final Path DEFINITIONS =
      Path.of(System.getProperty("orrery.definitions", "../../shared/crds"));

  private static final List<String> PLATFORMS =
      List.of("kubernetes", "kubeflow", "frameworkcontroller", "adl");

  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(new ExperimentId("exp"), new TrialId("abcde")), 1);

  @TempDir private Path directory;

  @BeforeEach
  void files() throws IOException {
    Files.writeString(
        directory.resolve("space.json"), "{\"x\":{\"_type\":\"uniform\",\"_value\":[0,1]}}");
    Files.writeString(
        directory.resolve("config.json"),
        "{\"auths\":{\"r.example\":{\"auth\":\"bWU6c2VjcmV0\"}}}");
    Files.writeString(directory.resolve("framework.yml"), TEMPLATE);
    Files.createDirectories(directory.resolve("other"));
  }

  @Test
  void everyKeyOfTheExampleOfTensorFlowIsInTheJob() {
    JsonNode spec = job(TENSORFLOW).path("spec");

    JsonNode worker = spec.at("/tfReplicaSpecs/Worker");
    assertThat(worker.path("replicas").intValue()).isEqualTo(2);
    assertThat(worker.path("restartPolicy").asText()).isEqualTo("Never");
    JsonNode pod = worker.at("/template/spec");
    assertThat(pod.at("/containers/0/name").asText()).isEqualTo("tensorflow");
    assertThat(pod.at("/containers/0/image").asText()).isEqualTo("msranni/nni:latest");
    for (String amounts : List.of("requests", "limits")) {
      JsonNode resources = pod.at("/containers/0/resources/" + amounts);
      assertThat(resources.path("cpu").asText()).isEqualTo("2");
      assertThat(resources.path("memory").asText()).isEqualTo("8196Mi");
      assertThat(resources.path("nvidia.com/gpu").asText()).isEqualTo("1");
    }
    assertThat(pod.at("/imagePullSecrets/0/name").asText()).isNotBlank();
    assertThat(pod.at("/volumes/0/nfs").toString())
        .isEqualTo("{\"server\":\"10.10.10.10\",\"path\":\"/var/nfs/nni\"}");

    JsonNode ps = spec.at("/tfReplicaSpecs/PS/template/spec");
    assertThat(ps.at("/containers/0/image").asText()).isEqualTo("msranni/nni:ps");
    assertThat(ps.has("imagePullSecrets")).isFalse();
    assertThat(ps.at("/containers/0/resources/limits").has("nvidia.com/gpu")).isFalse();
    assertThat(ps.at("/containers/0/env").toString())
        .contains("{\"name\":\"CUDA_VISIBLE_DEVICES\",\"value\":\"-1\"}");
    assertThat(roles(TENSORFLOW))
        .extracting(Role::name, Role::command)
        .containsExactly(tuple("worker", "python3 dist_mnist.py"), tuple("ps", "python3 serve.py"));
  }

  @Test
  void everyKeyOfTheNewerFormIsInTheJob() {
    JsonNode spec = job(PYTORCH).path("spec");

    assertThat(spec.at("/runPolicy/ttlSecondsAfterFinished").intValue()).isEqualTo(5);
    JsonNode master = spec.at("/pytorchReplicaSpecs/Master/template/spec");
    assertThat(master.at("/containers/0/name").asText()).isEqualTo("pytorch");
    assertThat(master.at("/containers/0/resources/limits/memory").asText()).isEqualTo("2048Mi");
    assertThat(master.path("serviceAccountName").asText()).isEqualTo("trainer");
    assertThat(master.at("/nodeSelector/disk").asText()).isEqualTo("ssd");
    assertThat(master.at("/volumes/0/azureFile/shareName").asText()).isEqualTo("share");
    assertThat(master.at("/containers/0/env").toString()).contains("http://10.0.0.7:8080");
    assertThat(spec.at("/pytorchReplicaSpecs/Worker/replicas").intValue()).isEqualTo(3);
    assertThat(roles(PYTORCH))
        .extracting(Role::codeDirectory)
        .containsExactly(directory.toString(), directory.resolve("other").toString());
  }

  @Test
  void everyRoleOfTensorFlowIsInTheJobAndTheChiefSpeaks() {
    String file =
        TENSORFLOW.replace(
            "  ps:\n",
            "  chief: {replicas: 1, command: python3 lead.py, image: tf:1}\n"
                + "  evaluator: {replicas: 1, command: python3 rate.py, image: tf:1}\n"
                + "  ps:\n");

    assertThat(job(file).at("/spec/tfReplicaSpecs").properties())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder("Chief", "Worker", "PS", "Evaluator");
    assertThat(roles(file).getFirst().name()).isEqualTo("chief");
    assertThat(roles(TENSORFLOW.replace("  ps:\n", "  master:\n")).getFirst().name())
        .isEqualTo("master");
  }

  @Test
  void anotherRoleSpeaksWhereTheFileSaysSo() {
    for (String file : List.of(PYTORCH, FRAMEWORK)) {
      String last = roles(file).getLast().name();
      String told = file + "  reportingRole: " + last + "\n";

      assertThat(roles(told).getFirst().name()).isEqualTo(last);
      assertThat(roles(told)).hasSize(2);
      assertThat(read(told.replace(": " + last + "\n", ": another\n")).findings())
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.pointer()).isEqualTo("/trainingService/reportingRole");
            assertThat(finding.message()).contains(last, "this is 'another'");
          });
    }
  }

  @Test
  void outputsMayGoToADirectoryOfAClaim() {
    JsonNode pod =
        job(FRAMEWORK.replace("claimName: outputs", "claimName: outputs, path: /team/blue/"))
            .at("/spec/taskRoles/0/task/pod/spec");

    assertThat(pod.path("volumes").toString()).contains("\"claimName\":\"outputs\"");
    assertThat(pod.at("/containers/0/volumeMounts/0").toString())
        .isEqualTo("{\"name\":\"nni-vol\",\"mountPath\":\"/tmp/mount\",\"subPath\":\"team/blue\"}");
  }

  @Test
  void aClaimOfTheOlderFormIsNamedOrElseOutputsStayHere() {
    String named = BY_TEMPLATE.replace("configPath: framework.yml", CLAIM + "outputs}");
    String mounted = BY_TEMPLATE.replace("configPath: framework.yml", CLAIM + "/mnt/claim}");

    assertThat(job(named).toString()).contains("\"claimName\":\"outputs\"");
    assertThat(job(mounted).toString()).doesNotContain("persistentVolumeClaim");
    assertThat(read(mounted).notices()).anyMatch(notice -> notice.startsWith("pvc.path is where"));
  }

  @Test
  void everyKeyOfAdaptDlIsInTheJob() {
    JsonNode job = job(ADAPTIVE);

    assertThat(ClusterSettings.of(read(ADAPTIVE).spec().job()).cluster().namespace())
        .isEqualTo("team");
    assertThat(job.at("/spec/preemptible").booleanValue()).isTrue();
    JsonNode pod = job.at("/spec/template/spec");
    assertThat(pod.at("/imagePullSecrets/0/name").asText()).isEqualTo("registry");
    JsonNode container = pod.at("/containers/0");
    assertThat(container.path("name").asText()).isEqualTo("main");
    assertThat(container.path("image").asText()).isEqualTo("adl:1");
    assertThat(container.path("workingDir").asText()).isEqualTo("/workspace");
    assertThat(container.at("/resources/limits").toString())
        .isEqualTo("{\"cpu\":\"2\",\"memory\":\"4096Mi\",\"nvidia.com/gpu\":\"1\"}");
    assertThat(container.path("env").toString())
        .contains("ADAPTDL_CHECKPOINT_PATH", "ADAPTDL_SHARE_PATH", "ADAPTDL_TENSORBOARD_LOGDIR");
    assertThat(pod.path("volumes").toString())
        .contains("{\"server\":\"10.0.0.9\",\"path\":\"/data\"}")
        .contains("\"claimName\":\"" + job.at("/metadata/name").asText() + "\"");
    assertThat(container.path("volumeMounts").toString())
        .contains("\"mountPath\":\"/nfs\"", "\"subPath\":\"adaptdl/checkpoint\"");
    JobKind kind = blueprint(read(ADAPTIVE).spec().job()).kind();
    assertThat(kind.companions("mine"))
        .singleElement()
        .satisfies(claim -> {
          assertThat(claim.at("/spec/storageClassName").asText()).isEqualTo("fast");
          assertThat(claim.at("/spec/resources/requests/storage").asText()).isEqualTo("2Gi");
        });
    assertThat(kind.shared(ATTEMPT.trial().experiment()))
        .extracting(object -> object.path("kind").asText())
        .containsExactly("PersistentVolumeClaim", "Deployment");
  }

  @Test
  void olderVersionsHaveTheirPolicyWhereTheyLookForIt() {
    for (String version : List.of("v1alpha2", "v1beta1", "v1beta2")) {
      JsonNode job = job(TENSORFLOW.replace("apiVersion: v1\n", "apiVersion: " + version + "\n"));

      assertThat(job.path("apiVersion").asText()).isEqualTo("kubeflow.org/" + version);
      assertThat(job.at("/spec/cleanPodPolicy").asText()).isEqualTo("Running");
      assertThat(job.at("/spec").has("runPolicy")).isFalse();
    }
  }

  @Test
  void everyKeyOfATaskRoleIsInTheFramework() {
    JsonNode spec = job(FRAMEWORK).path("spec");

    JsonNode worker = spec.at("/taskRoles/0");
    assertThat(worker.path("taskNumber").intValue()).isEqualTo(2);
    assertThat(worker.path("frameworkAttemptCompletionPolicy").toString())
        .isEqualTo("{\"minFailedTaskCount\":2,\"minSucceededTaskCount\":1}");
    JsonNode pod = worker.at("/task/pod/spec");
    assertThat(pod.path("serviceAccountName").asText()).isEqualTo("frameworkbarrier");
    assertThat(pod.at("/initContainers/0/name").asText()).isEqualTo("frameworkbarrier");
    assertThat(pod.path("volumes").toString()).contains("\"claimName\":\"outputs\"");
    assertThat(spec.at("/taskRoles/1/name").asText()).isEqualTo("ps");
  }

  @Test
  void aFrameworkOfOnesOwnKeepsItsPodsAndRunsTheTrialsCommand() {
    SpecReading reading = read(BY_TEMPLATE);
    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices()).anyMatch(notice -> notice.contains("retryPolicy"));
    JsonNode spec = job(BY_TEMPLATE).path("spec");

    assertThat(spec.at("/retryPolicy/maxRetryCount").intValue()).isZero();
    JsonNode worker = spec.at("/taskRoles/0");
    assertThat(worker.path("taskNumber").intValue()).isEqualTo(2);
    assertThat(worker.at("/frameworkAttemptCompletionPolicy/minSucceededTaskCount").intValue())
        .isEqualTo(2);
    assertThat(worker.at("/task/pod/metadata/labels/team").asText()).isEqualTo("blue");
    JsonNode pod = worker.at("/task/pod/spec");
    assertThat(pod.path("restartPolicy").asText()).isEqualTo("Never");
    assertThat(pod.path("hostNetwork").booleanValue()).isTrue();
    assertThat(pod.at("/tolerations/0/key").asText()).isEqualTo("gpu");
    assertThat(pod.path("serviceAccountName").asText()).isEqualTo("frameworkbarrier");
    assertThat(pod.path("containers")).hasSize(1);
    JsonNode container = pod.at("/containers/0");
    assertThat(container.path("name").asText()).isEqualTo("framework");
    assertThat(container.path("image").asText()).isEqualTo("tf:2");
    assertThat(container.path("command").toString()).isEqualTo("[\"python3\",\"keeper\"]");
    assertThat(container.at("/resources/limits/nvidia.com~1gpu").asText()).isEqualTo("1");
    assertThat(container.path("volumeMounts").toString()).contains("/data");
    assertThat(roles(BY_TEMPLATE))
        .extracting(role -> role.command().lines().reduce("", (before, line) -> line))
        .containsExactly("python3 train.py --fast", "python3 'serve it.py'");
    assertThat(roles(BY_TEMPLATE).get(1).memory()).isEqualTo(8_192);
  }

  @Test
  void aTemplateThatIsNoneIsRefusedWithItsPlace() throws IOException {
    Files.writeString(directory.resolve("framework.yml"), "kind: Pod\n");
    assertThat(read(BY_TEMPLATE).findings())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo("/frameworkcontrollerConfig/configPath");
          assertThat(finding.message()).contains("must name the file of a Framework");
        });

    Files.writeString(
        directory.resolve("framework.yml"),
        TEMPLATE.replace("[{name: x, image: tf:2,", "[{name: side}, {name: x, image: tf:2,"));
    assertThat(read(BY_TEMPLATE).findings())
        .singleElement()
        .satisfies(finding ->
            assertThat(finding.message()).contains("one container, the role 'ps' has 2"));
  }

  @Test
  void podsAreSharedOnlyByTrialsOfOnePod() {
    String shared =
        FRAMEWORK.replace("taskNumber: 2", "taskNumber: 1").replaceAll("(?m)^.*name: ps.*\\R", "");
    for (String file : List.of(FRAMEWORK, shared)) {
      SpecReading reading = read(file.replace("  storage:", "  reuseMode: true\n  storage:"));

      assertThat(reading.findings()).isEmpty();
      boolean alone = file.equals(FRAMEWORK);
      assertThat(
              reading.notices().stream()
                  .anyMatch(each -> each.contains("3 pods is a job of its own")))
          .isEqualTo(alone);
      assertThat(reading.spec().job().trainingService().settings().values().get("reuseMode"))
          .isEqualTo(!alone);
    }
  }

  @Test
  void everyJobIsWhatTheDefinitionOfItsKindAllows() throws IOException {
    assumeTrue(
        Files.isDirectory(DEFINITIONS),
        "skipped: there are no definitions of custom kinds in " + DEFINITIONS.toAbsolutePath());
    for (String file : List.of(TENSORFLOW, PYTORCH, FRAMEWORK, BY_TEMPLATE, ADAPTIVE)) {
      ResourceType type = blueprint(read(file).spec().job()).kind().resource();
      Path definition = DEFINITIONS.resolve(type.group() + "_" + type.plural() + ".yaml");

      assertThat(Definitions.faults(definition, job(file))).as(file).isEmpty();
    }
  }

  private SpecReading read(String file) {
    return new SpecReader(PLATFORMS, Map.of(), () -> 1L, secret -> secret)
        .read(file, directory.toString());
  }

  private static Blueprint blueprint(JobSpec job) {
    return switch (job.trainingService().platform()) {
      case "kubeflow" -> KubeflowKinds.blueprint(job);
      case "frameworkcontroller" -> FrameworkKinds.blueprint(job);
      default -> AdaptDlKinds.blueprint(job);
    };
  }

  private List<Role> roles(String file) {
    return blueprint(read(file).spec().job()).roles();
  }

  private JsonNode job(String file) {
    SpecReading reading = read(file);
    assertThat(reading.findings()).isEmpty();
    return JobObjects.job(blueprint(reading.spec().job()), ATTEMPT);
  }
}
