package io.orrery.compute.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.runtime.RuntimeContract;
import io.orrery.core.json.Json;
import io.orrery.core.workload.Readings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the cases of every runtime on pods of a mock cluster, with what is other for them. */
abstract class PodContract extends RuntimeContract {
  static final String PODS = "/api/v1/namespaces/trials/pods";
  static final String SECRETS = "/api/v1/namespaces/trials/secrets";

  @TempDir static Path shared;

  static MockCluster cluster;
  static Path kubeconfig;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = new MockCluster(shared.resolve("node"), true);
    kubeconfig = cluster.kubeconfig(shared.resolve("kubeconfig"));
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  static String onlyPod() {
    return PODS + "/" + cluster.list(PODS).getFirst().at("/metadata/name").asText();
  }

  /** A stand-in for a metrics server, which no process of this machine is measured by. */
  @Override
  @Test
  protected void whatAReplicaUsesIsMeasured() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    cluster.fault(
        "fault",
        request ->
            String.valueOf(request.getPath()).startsWith("/apis/metrics.k8s.io")
                ? MockCluster.status(404, "NotFound", "the server could not find it")
                : null);
    assertThatThrownBy(() -> await(runtime.used(HELLO)))
        .hasMessageContaining("no metrics server (metrics.k8s.io)");

    cluster.repair("fault");
    cluster.serve("metrics.k8s.io", "v1beta1", "PodMetrics", "pods");
    ObjectNode told =
        Json.MAPPER
            .createObjectNode()
            .put("apiVersion", "metrics.k8s.io/v1beta1")
            .put("kind", "PodMetrics");
    told.set("metadata", told.objectNode());
    JsonNode pod = cluster.get(onlyPod()).get("metadata");
    ((ObjectNode) told.get("metadata"))
        .put("name", pod.get("name").textValue())
        .set("labels", pod.get("labels"));
    told.putArray("containers")
        .addObject()
        .put("name", "main")
        .putObject("usage")
        .put("cpu", "250m")
        .put("memory", "64Mi");
    cluster.create("/apis/metrics.k8s.io/v1beta1/namespaces/trials/pods", told);

    assertThat(await(runtime.used(HELLO)))
        .containsExactly(
            Map.entry(
                ref(1, 0),
                new Readings(
                    Map.of(Readings.CPU, 0.25, Readings.MEMORY, (double) (64 << 20)), Map.of())));
  }

  /** The node of the mock mounts nothing: the pod and its Secret are looked at. */
  @Override
  @Test
  protected void filesAreReadWhereTheVariableSays() throws Exception {
    want(
        1,
        web(Map.of("API_KEY", "a"))
            .withFiles(Map.of("models.config", "one", "deep/er.txt", "sesame")),
        1);

    assertThat(get(ready(ref(1, 0)), "/env?ORRERY_CONFIG")).isEqualTo("/config");
    JsonNode pod = cluster.get(onlyPod()).get("spec");
    assertThat(pod.at("/volumes/0/secret/items").toString())
        .isEqualTo(
            "[{\"key\":\"file-0\",\"path\":\"deep/er.txt\"},"
                + "{\"key\":\"file-1\",\"path\":\"models.config\"}]");
    assertThat(pod.at("/containers/0/volumeMounts/0").toString())
        .isEqualTo("{\"name\":\"config\",\"mountPath\":\"/config\",\"readOnly\":true}");
    JsonNode secret = cluster.list(SECRETS).getFirst();
    assertThat(secret.at("/metadata/name")).isEqualTo(pod.at("/volumes/0/secret/secretName"));
    assertThat(secret.at("/data/file-1").asText()).isEqualTo("b25l");
    assertThat(pod.toString()).doesNotContain("sesame");
  }
}
