package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.journeys.ClusterHome;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares the variables {@code KFJ_*} and {@code K8S_*} that programs of steps really have. */
@Timeout(180)
class StepVariablesIT extends PipelineJourney {
  private MockCluster cluster;

  @Override
  void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    ClusterHome.write(cluster, home(), "pipeline");
  }

  @AfterEach
  void stopCluster() throws Exception {
    cluster.close();
  }

  /** The variables of the original that a step has printed, by their names. */
  private Map<String, String> variables(String run, String step) throws Exception {
    Map<String, String> found = new TreeMap<>();
    for (String line : text("/runs/" + run + "/steps/" + step + "/logs/stdout").lines().toList()) {
      String[] parts = line.split("=", 2);
      if (parts[0].matches("(KFJ|K8S)_.*|USERNAME|IMAGE_PULL_POLICY|HUBSECRET")) {
        found.put(parts[0], parts[1]);
      }
    }
    return found;
  }

  @Test
  void aProgramOfThisMachineAndOneInAPodHaveEachOfThemAndNoOther() throws Exception {
    put(
        "looks",
        """
        kind: Pipeline
        name: looks
        tasks:
          - {name: here, command: env, resources: {cpu: 1, memory: 256M}}
          - name: pod
            image: "python:3"
            cluster: kube
            command: env
            resources: {cpu: 2, memory: 512M}
        """);
    String id = run("looks", "{}");
    JsonNode run = awaitEnd(id);
    assertThat(status(run, "pod")).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    String owner = run.get("owner").textValue();

    Map<String, String> here = variables(id, "here");
    String hex = here.get("KFJ_RUN_ID");
    assertThat(hex).matches("[0-9a-f]{32}");
    assertThat(here)
        .containsOnly(
            entry("KFJ_PIPELINE_ID", "looks"),
            entry("KFJ_PIPELINE_NAME", "looks"),
            entry("KFJ_RUN_ID", hex),
            entry("KFJ_CREATOR", owner),
            entry("KFJ_RUNNER", owner),
            entry("KFJ_MODEL_REPO_API_URL", server.url().toString()),
            entry("KFJ_ARCHIVE_BASE_PATH", "/archives"),
            entry("KFJ_NAMESPACE", "pipeline"),
            entry("KFJ_ENVIRONMENT", "local"),
            entry("KFJ_TASK_ID", "here"),
            entry("KFJ_TASK_NAME", "here"),
            entry("KFJ_TASK_NODE_SELECTOR", ""),
            entry("KFJ_TASK_VOLUME_MOUNT", ""),
            entry("KFJ_TASK_IMAGES", ""),
            entry("KFJ_TASK_RESOURCE_CPU", "1"),
            entry("KFJ_TASK_RESOURCE_MEMORY", "256M"),
            entry("KFJ_TASK_RESOURCE_GPU", "0"),
            entry("KFJ_TASK_PROJECT_NAME", "public"),
            entry("USERNAME", owner),
            entry("IMAGE_PULL_POLICY", "Always"),
            entry("HUBSECRET", ""),
            entry("K8S_NODE_NAME", InetAddress.getLocalHost().getHostName()),
            entry("K8S_POD_NAME", "run-" + id + "-here"),
            entry("K8S_POD_IP", "127.0.0.1"),
            entry("K8S_HOST_IP", "127.0.0.1"));

    JsonNode pod = cluster.list("/api/v1/namespaces/trials/pods").getFirst();
    assertThat(variables(id, "pod"))
        .containsOnly(
            entry("KFJ_PIPELINE_ID", "looks"),
            entry("KFJ_PIPELINE_NAME", "looks"),
            entry("KFJ_RUN_ID", hex),
            entry("KFJ_CREATOR", owner),
            entry("KFJ_RUNNER", owner),
            entry("KFJ_MODEL_REPO_API_URL", server.url().toString()),
            entry("KFJ_ARCHIVE_BASE_PATH", "/archives"),
            entry("KFJ_NAMESPACE", "pipeline"),
            entry("KFJ_ENVIRONMENT", "kube"),
            entry("KFJ_TASK_ID", "pod"),
            entry("KFJ_TASK_NAME", "pod"),
            entry("KFJ_TASK_NODE_SELECTOR", ""),
            entry("KFJ_TASK_VOLUME_MOUNT", ""),
            entry("KFJ_TASK_IMAGES", "python:3"),
            entry("KFJ_TASK_RESOURCE_CPU", "2"),
            entry("KFJ_TASK_RESOURCE_MEMORY", "512M"),
            entry("KFJ_TASK_RESOURCE_GPU", "0"),
            entry("KFJ_TASK_PROJECT_NAME", "public"),
            entry("USERNAME", owner),
            entry("IMAGE_PULL_POLICY", "Always"),
            entry("HUBSECRET", ""),
            entry("K8S_NODE_NAME", "node-1"),
            entry("K8S_POD_NAME", pod.at("/metadata/name").textValue()),
            entry("K8S_POD_IP", "127.0.0.1"),
            entry("K8S_HOST_IP", "127.0.0.1"));
  }
}
