package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the example from data to a service in pods, which are processes of this machine here. */
@Timeout(240)
class DigitsOnKubernetesIT extends DigitsJourney {
  private MockCluster cluster;

  @Override
  void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        clusters:
          kube:
            runtime: kubernetes
            kubeconfig: '%s'
            namespaces: {automl: trials, pipeline: trials, service: trials}
        """
            .formatted(cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"))));
  }

  @AfterEach
  void endService() throws Exception {
    server.send("DELETE", "/services/digits-perceptron", BodyPublishers.noBody());
    await().atMost(PATIENCE).until(() -> server.get("/workloads").get("items").isEmpty());
    server.close();
    cluster.close();
  }

  @Test
  void theStepsTheTrialsAndTheServiceArePodsOfTheClusterOfTheProject() throws Exception {
    HttpResponse<String> set =
        server.send(
            "PUT",
            "/projects/public",
            BodyPublishers.ofString("{\"settings\": {\"cluster\": \"kube\"}}"));
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);

    JsonNode run = runs("digits-kubernetes.yml");

    assertThat(step(run, "prepare").path("platform").asText()).isEqualTo("pods");
    assertThat(step(run, "train-1").path("platform").asText()).isEqualTo("pods");
    JsonNode search = server.get("/experiments").path("items").path(0);
    assertThat(search.path("platform").asText()).as("%s", search).isEqualTo("kubernetes");
    JsonNode service = server.get("/workloads").path("items").path(0);
    assertThat(service.path("cluster").asText()).as("%s", service).isEqualTo("kube");
  }
}
