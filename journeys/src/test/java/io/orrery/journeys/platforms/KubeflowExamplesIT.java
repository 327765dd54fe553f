package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.json.Json;
import io.orrery.journeys.ClusterHome;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * NNI's own examples of both operators, in v1 form, through {@code experiment run}: one command, a
 * kubeconfig, and a cluster.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class KubeflowExamplesIT {
  private static final String TENSORFLOW =
      """
      authorName: default
      experimentName: example_mnist
      trialConcurrency: 2
      maxExecDuration: 1h
      maxTrialNum: 2
      trainingServicePlatform: kubeflow
      searchSpacePath: search_space.json
      useAnnotation: false
      tuner:
        builtinTunerName: TPE
        classArgs:
          optimize_mode: maximize
      assessor:
        builtinAssessorName: Medianstop
        classArgs:
          optimize_mode: maximize
      trial:
        codeDir: .
        worker:
          replicas: 2
          command: python3 dist_mnist.py
          gpuNum: 1
          cpuNum: 1
          memoryMB: 8196
          image: msranni/nni:latest
        ps:
          replicas: 1
          command: python3 dist_mnist.py
          gpuNum: 0
          cpuNum: 1
          memoryMB: 8196
          image: msranni/nni:latest
      kubeflowConfig:
        operator: tf-operator
        apiVersion: v1alpha2
        storage: nfs
        nfs:
          server: 10.10.10.10
          path: /var/nfs/nni
      """;

  private static final String PYTORCH =
      """
      authorName: default
      experimentName: example_mnist_distributed_pytorch
      trialConcurrency: 1
      maxExecDuration: 1h
      maxTrialNum: 2
      trainingServicePlatform: kubeflow
      searchSpacePath: search_space.json
      useAnnotation: false
      tuner:
        builtinTunerName: TPE
        classArgs:
          optimize_mode: minimize
      trial:
        codeDir: .
        master:
          replicas: 1
          command: python3 dist_mnist.py
          gpuNum: 1
          cpuNum: 1
          memoryMB: 2048
          image: msranni/nni:latest
        worker:
          replicas: 1
          command: python3 dist_mnist.py
          gpuNum: 0
          cpuNum: 1
          memoryMB: 2048
          image: msranni/nni:latest
      kubeflowConfig:
        operator: pytorch-operator
        apiVersion: v1alpha2
        nfs:
          server: 10.10.10.10
          path: /var/nfs/nni
      """;

  private static final String FRAMEWORK =
      """
      trialConcurrency: 1
      maxTrialNumber: 2
      searchSpaceFile: search_space.json
      tuner: {name: TPE, classArgs: {optimize_mode: maximize}}
      trainingService:
        platform: frameworkcontroller
        taskRoles:
          - name: worker
            taskNumber: 2
            command: python3 dist_mnist.py
            gpuNumber: 0
            frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceedTaskCount: -1}
        storage: {storageType: pvc, claimName: outputs}
      """;

  /**
   * Each role leaves a file with its name. All but the first are ended by the operator's clean-up,
   * when the first has succeeded.
   *
   * <p>On the way all trials report the same: else the examples' assessor ends the worse one of two
   * early, if the other was faster, and its job is deleted.
   */
  private static final String TRIAL =
      """
      import json, os, sys, time
      import nni
      role = json.loads(os.environ.get('TF_CONFIG', '{}')).get('task')
      rank = int(os.environ.get('RANK', 0))
      me = ('%s-%s' % (role['type'], role['index']) if role
            else '%s-%s' % (os.environ['FC_TASKROLE_NAME'], os.environ['FC_TASK_INDEX'])
            if 'FC_TASK_INDEX' in os.environ
            else 'worker-%d' % (rank - 1) if rank else 'master-0')
      with open(os.path.join(os.environ['NNI_OUTPUT_DIR'], 'model'), 'w') as model:
          model.write(me)
      print(me, flush=True)
      while 'FC_TASK_INDEX' not in os.environ and me not in ('master-0', 'worker-0' if role else ''):
          time.sleep(0.05)
      lr = nni.get_next_parameter()['lr']
      nni.report_intermediate_result(0.5)
      nni.report_final_result(lr)
      """;

  @TempDir private Path directory;
  private MockCluster cluster;

  @BeforeEach
  void open() throws Exception {
    cluster = new MockCluster(directory.resolve("node"), true);
    cluster.serve("kubeflow.org", "v1", "TFJob", "tfjobs");
    cluster.serve("kubeflow.org", "v1", "PyTorchJob", "pytorchjobs");
    cluster.serve("frameworkcontroller.microsoft.com", "v1", "Framework", "frameworks");
    if (Files.isDirectory(ClusterHome.DEFINITIONS)) {
      cluster.define(ClusterHome.DEFINITIONS);
    }
    cluster.kubeconfig(directory.resolve("kubeconfig"));
    Path code = Files.createDirectories(directory.resolve("code"));
    Files.writeString(code.resolve("dist_mnist.py"), TRIAL);
    Files.writeString(
        code.resolve("search_space.json"),
        "{\"lr\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void theExampleOfTensorFlowRuns() throws Exception {
    assertThat(run(TENSORFLOW)).contains("best: ");

    List<JsonNode> jobs = cluster.list("/apis/kubeflow.org/v1/namespaces/trials/tfjobs");
    assertThat(jobs).hasSize(2);
    assertThat(jobs)
        .allSatisfy(job -> {
          assertThat(job.at("/metadata/name").asText())
              .matches("nni-exp-[a-z0-9]{8}-trial-[a-z0-9]{5}");
          assertThat(job.at("/spec/tfReplicaSpecs/Worker/replicas").intValue()).isEqualTo(2);
          assertThat(job.at("/spec/tfReplicaSpecs/PS/replicas").intValue()).isEqualTo(1);
          assertThat(job.at("/spec/tfReplicaSpecs/PS/template/spec/containers/0/name").asText())
              .isEqualTo("tensorflow");
        });
    assertThatRolesAreApart("worker-0", 2);
  }

  @Test
  void theExampleOfPyTorchRuns() throws Exception {
    assertThat(run(PYTORCH)).contains("best: ");

    assertThat(cluster.list("/apis/kubeflow.org/v1/namespaces/trials/pytorchjobs")).hasSize(2);
    assertThatRolesAreApart("master-0", 2);
  }

  @Test
  void frameworksRun() throws Exception {
    assertThat(run(FRAMEWORK)).contains("best: ");
    assertThatRolesAreApart("worker-0", 2);
  }

  /** K2: what each role has left in the volume that all of them mount, nfs or a claim. */
  private void assertThatRolesAreApart(String speaker, int trials) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("node/mount"))) {
      List<Path> models =
          files.filter(file -> file.getFileName().toString().equals("model")).toList();
      List<Path> own =
          models.stream().filter(model -> !model.toString().contains("/roles/")).toList();
      assertThat(own).hasSize(trials);
      for (Path model : own) {
        assertThat(model).hasContent(speaker);
        assertThat(model.resolveSibling("../stdout").normalize()).content().startsWith(speaker);
      }
      for (Path model : models) {
        Path place = model.getParent().getParent();
        if (place.getParent().endsWith("roles")) {
          assertThat(model).hasContent(place.getFileName().toString());
          assertThat(place.resolve("stdout")).content().startsWith(place.getFileName().toString());
        }
      }
      assertThat(models).as("what the other roles left").hasSizeGreaterThan(trials);
    }
  }

  @Test
  void whatRunsHereIsCheckedAgainstTheDefinitions() {
    assumeTrue(
        Files.isDirectory(ClusterHome.DEFINITIONS),
        "skipped: there are no definitions of custom kinds in "
            + ClusterHome.DEFINITIONS.toAbsolutePath());
    ObjectNode wrong = Json.MAPPER.createObjectNode().put("apiVersion", "kubeflow.org/v1");
    wrong.put("kind", "TFJob").putObject("metadata").put("name", "wrong");
    wrong.putObject("spec").put("cleanPodPolicy", "Running").putObject("tfReplicaSpecs");

    cluster.create("/apis/kubeflow.org/v1/namespaces/trials/tfjobs", wrong);

    assertThat(cluster.list("/apis/kubeflow.org/v1/namespaces/trials/tfjobs")).isEmpty();
  }

  private String run(String experiment) throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("code/experiment.yml"), experiment);
    ProcessBuilder command =
        new ProcessBuilder(ServerProcess.command("experiment", "run", file.toString()));
    command.environment().put("KUBECONFIG", directory.resolve("kubeconfig").toString());
    command.environment().put("ORRERY_HOME", directory.resolve("home").toString());
    command.environment().put("HOME", directory.resolve("user").toString());
    command.redirectError(directory.resolve("stderr").toFile());
    Process process = command.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    assertThat(ended && process.exitValue() == 0)
        .as(output + Files.readString(directory.resolve("stderr")))
        .isTrue();
    return output;
  }
}
