package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.json.Json;
import io.orrery.journeys.ClusterHome;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs steps of several pods by the operators of Kubeflow and by FrameworkController, whose objects
 * are checked against the real definitions of their kinds where these are there.
 */
@Timeout(300)
class DistributedStepIT extends PipelineJourney {
  private MockCluster cluster;

  @Override
  void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    cluster.serve("kubeflow.org", "v1", "TFJob", "tfjobs");
    cluster.serve("kubeflow.org", "v1", "PyTorchJob", "pytorchjobs");
    cluster.serve("frameworkcontroller.microsoft.com", "v1", "Framework", "frameworks");
    if (Files.isDirectory(ClusterHome.DEFINITIONS)) {
      cluster.define(ClusterHome.DEFINITIONS);
    }
    ClusterHome.write(cluster, home(), "pipeline");
  }

  @AfterEach
  void stopCluster() throws Exception {
    cluster.close();
  }

  private static String objects(String group, String plural) {
    return "/apis/%s/v1/namespaces/trials/%s".formatted(group, plural);
  }

  private List<String> lines(Path file) throws Exception {
    return Files.readAllLines(file).stream().sorted().toList();
  }

  @Test
  void theMasterOfAPyTorchJobGivesTheOutputsAndEachPodHasTheInputs() throws Exception {
    Path counter = Files.createFile(temp.toAbsolutePath().resolve("counter"));
    put(
        "torch",
        """
        kind: Pipeline
        name: torch
        parameters: {text: {type: str}}
        tasks:
          - name: data
            command: echo rows > "$ORRERY_OUTPUTS/rows"
            outputs: {rows: {path: rows}}
          - name: train
            template: pytorchjob
            image: pytorch:2
            inputs: {rows: "{{tasks.data.outputs.rows}}"}
            arguments:
              workers: 2
              command: |
                echo "$RANK $(cat "$ORRERY_INPUTS/rows") $ORRERY_PARAM_TEXT" >> %s
                [ "$RANK" = 0 ] || exit 0
                while [ "$(wc -l < %s)" -lt 3 ]; do sleep 0.1; done
                echo "model of $RANK" > "$ORRERY_OUTPUTS/model"; echo "orrery: output loss 0.5"
            outputs: {model: {path: model}, loss: {value: loss}}
        """
            .formatted(quoted(counter), quoted(counter)));
    String hostile = "{{7*7}} $(id) ; rm -rf $$";

    String id = run("torch", Json.write(Map.of("text", hostile)));
    JsonNode run = awaitEnd(id);

    assertThat(status(run, "train")).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(lines(counter))
        .containsExactly("0 rows " + hostile, "1 rows " + hostile, "2 rows " + hostile);
    assertThat(text("/runs/" + id + "/artifacts/train/model")).isEqualTo("model of 0\n");
    assertThat(step(run, "train").at("/outputs/loss/value").asText()).isEqualTo("0.5");
    JsonNode job = cluster.list(objects("kubeflow.org", "pytorchjobs")).getFirst();
    assertThat(job.at("/spec/pytorchReplicaSpecs/Worker/replicas").asInt()).isEqualTo(2);
    assertThat(job.toString()).as("values lie in Secrets").doesNotContain("rm -rf");

    server.send("DELETE", "/runs/" + id, BodyPublishers.noBody());
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(cluster.list(objects("kubeflow.org", "pytorchjobs"))).isEmpty());
  }

  @Test
  void aTfJobAndAFrameworkEndWithTheirLeaderAndLeaveNoProcess() throws Exception {
    put(
        "others",
        """
        kind: Pipeline
        name: others
        tasks:
          - name: tf
            template: tfjob
            image: tensorflow:2
            arguments:
              workers: 1
              ps: 1
              command: |
                case "$TF_CONFIG" in *chief*) echo "$TF_CONFIG" > "$ORRERY_OUTPUTS/c" ;; *) sleep 623 ;; esac
            outputs: {c: {path: c}}
          - name: frame
            image: python:3
            distributed: {kind: framework, workers: 2}
            command: |
              [ "$FC_TASKROLE_NAME" = master ] || exec sleep 623
              echo "$FC_TASKROLE_NAME" > "$ORRERY_OUTPUTS/c"
            outputs: {c: {path: c}}
        """);

    String id = run("others", "{}");
    JsonNode run = awaitEnd(id);

    assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(text("/runs/" + id + "/artifacts/tf/c")).contains("\"type\":\"chief\"");
    assertThat(text("/runs/" + id + "/artifacts/frame/c")).isEqualTo("master\n");
    await().atMost(PATIENCE).until(() -> processes("sleep\000623").isEmpty());
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aWorkerThatFailsFailsTheStepAndAStopEndsAllPods() throws Exception {
    put(
        "bad",
        """
        kind: Pipeline
        name: bad
        tasks:
          - name: fails
            template: pytorchjob
            image: pytorch:2
            arguments: {command: '[ "$RANK" = 1 ] && exit 3; sleep 627'}
          - name: waits
            template: pytorchjob
            image: pytorch:2
            arguments: {command: 'sleep 629', workers: 2}
        """);
    String id = run("bad", "{}");
    await().atMost(PATIENCE).until(() -> status(run(id), "fails").equals("FAILED"));
    await().atMost(PATIENCE).until(() -> processes("sleep\000629").size() >= 3);

    server.post("/runs/" + id + "/stop", "");
    awaitEnd(id);

    await()
        .atMost(PATIENCE)
        .until(() -> processes("sleep\000629").isEmpty() && processes("sleep\000627").isEmpty());
  }

  @Test
  void whatCannotBeAJobIsSaidWhenThePipelineIsSaved() throws Exception {
    String answer =
        server
            .send(
                "POST",
                "/pipelines/no/check",
                BodyPublishers.ofString(
                    """
                    kind: Pipeline
                    name: no
                    tasks:
                      - {name: a, template: tfjob, arguments: {command: "true"}}
                      - {name: b, image: x, command: "true", distributed: {kind: mpi}}
                      - {name: c, image: x, command: "true", distributed: {kind: pytorchjob, ps: 1}}
                      - {name: d, command: "true", distributed: {kind: tfjob}}
                      - {name: e, image: x, template: tfjob, arguments: {command: "true", workers: -1}}
                    """))
            .body();

    assertThat(answer)
        .contains("a task of tfjob names its image")
        .contains("kind is one of tfjob, pytorchjob, framework")
        .contains("a pytorchjob has no parameter servers")
        .contains("distributed belongs to a task with an image")
        .contains("/tasks/4/arguments/workers");
  }
}
