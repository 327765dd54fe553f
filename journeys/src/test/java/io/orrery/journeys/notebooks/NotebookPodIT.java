package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerUsers;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notebooks as pods of a cluster whose pods are processes of this machine. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class NotebookPodIT extends PodNotebookJourney {
  private static final String PODS = "/api/v1/namespaces/trials/pods";
  private static final String SECRETS = "/api/v1/namespaces/trials/secrets";

  @Test
  void aNotebookIsAPodOfTheNamespaceOfNotebooksWithItsTokenInASecret() throws Exception {
    String onKube =
        ",\"cluster\":\"kube\",\"image\":\"jupyter:1\",\"resources\":{\"cpu\":2,\"memory\":\"4G\"}";
    String whole = "{\"name\":\"ann-1\",\"project\":\"vision\"" + onKube + "}";
    ServerUsers.Reply refused = users.send(ann, "POST", ALL, whole);
    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.body()).contains("kubeflow-user-workspace", "kubeflow-archives");
    assertThat(cluster.list(PODS)).isEmpty();

    claim("kubeflow-user-workspace");
    claim("kubeflow-archives");
    Files.createDirectories(mounted);
    create(onKube);
    awaitStatus("RUNNING");
    String pass = pass(ann);
    assertThat(run(pass, "import os; open('kept', 'w').write('1'); print(os.getcwd())"))
        .isEqualTo(mounted + "\n");

    JsonNode pod = cluster.list(PODS).getFirst();
    JsonNode container = pod.at("/spec/containers/0");
    assertThat(container.at("/volumeMounts").toString())
        .contains(
            "\"mountPath\":\"/mnt/%s\",\"subPath\":\"%s\"".formatted(owner(), owner()),
            "\"mountPath\":\"/archives/%s\",\"subPath\":\"%s\"".formatted(owner(), owner()));
    assertThat(container.at("/resources").toString())
        .isEqualTo(
            "{\"requests\":{\"cpu\":\"0m\",\"memory\":\"0\"},\"limits\":{\"cpu\":\"2000m\",\"memory\":\"4294967296\"}}");
    String token = run(pass, "import os; print(os.environ['JUPYTER_TOKEN'])").strip();
    assertThat(token).matches("[0-9a-f]{64}");
    assertThat(pod.toString()).doesNotContain(token);
    assertThat(container.get("env").toString())
        .contains("\"name\":\"JUPYTER_TOKEN\",\"valueFrom\"");
    assertThat(cluster.list(SECRETS)).hasSize(1);
    assertThat(ask(HttpMethod.GET, "/api/status", "", "").status()).isEqualTo(401);
    assertThat(refusedSocket("")).isEqualTo(401);

    act("stop");
    awaitStatus("STOPPED");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(cluster.list(PODS)).isEmpty();
          assertThat(cluster.list(SECRETS)).isEmpty();
        });
    // Started, and not reset: pods of this cluster share the addresses of one machine.
    act("start");
    awaitStatus("RUNNING");
    assertThat(run(pass, "print(open('kept').read())")).isEqualTo("1\n");
  }

  @Test
  void aGpuNotebookHasTheNodesAndTheOwnersPartsOfTheClaimsOfItsProject() throws Exception {
    String settings =
        "{\"settings\": {\"cluster\": \"kube\", \"node_selector\": \"zone=a\", \"volume_mount\":"
            + " \"work(pvc):/mnt,old(pvc):/archives,all(pvc-share):/all\"}}";
    ServerUsers.Reply set = users.send(ann, "PUT", "/api/v1/projects/vision", settings);
    assertThat(set.status()).as(set.body()).isEqualTo(200);
    String gpu = ",\"image\":\"jupyter:1\",\"resources\":{\"cpu\":1,\"memory\":\"2G\",\"gpu\":2}";
    String whole = "{\"name\":\"ann-1\",\"project\":\"vision\"" + gpu + "}";
    assertThat(users.send(ann, "POST", ALL, whole).body())
        .contains("work", "old", "all")
        .doesNotContain("kubeflow");
    claim("work");
    claim("old");
    claim("all");
    Files.createDirectories(mounted);

    create(gpu);

    await().atMost(PATIENCE).until(() -> !cluster.list(PODS).isEmpty());
    JsonNode spec = cluster.list(PODS).getFirst().get("spec");
    JsonNode container = spec.at("/containers/0");
    assertThat(container.at("/resources/limits/nvidia.com~1gpu").asText()).isEqualTo("2");
    assertThat(spec.get("nodeSelector").toString())
        .contains("\"zone\":\"a\"", "\"gpu\":\"true\"", "\"notebook\":\"true\"")
        .doesNotContain("\"cpu\"");
    assertThat(spec.get("volumes").toString())
        .contains("\"claimName\":\"work\"", "\"claimName\":\"old\"", "\"claimName\":\"all\"")
        .doesNotContain("kubeflow");
    assertThat(container.at("/volumeMounts").toString())
        .contains(
            "\"mountPath\":\"/mnt/%1$s\",\"subPath\":\"%1$s\"".formatted(owner()),
            "\"mountPath\":\"/archives/%1$s\",\"subPath\":\"%1$s\"".formatted(owner()),
            "\"mountPath\":\"/all\"")
        .doesNotContain("\"mountPath\":\"/mnt\"", "\"mountPath\":\"/archives\"");
    awaitStatus("RUNNING");
    assertThat(run(pass(ann), "import os; print(os.getcwd())")).isEqualTo(mounted + "\n");
  }
}
