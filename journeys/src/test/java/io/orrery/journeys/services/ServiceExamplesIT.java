package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Applies the examples with images to a cluster whose API server is played, and which runs no pod.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServiceExamplesIT extends ServiceJourney {
  private static final String NAMESPACE = "/api/v1/namespaces/trials/";
  private static final String IMAGES = EXAMPLES.resolve("images").toString();
  private static final List<String> NAMES =
      List.of("jaeger", "mongo-ui", "mysql-ui", "neo4j", "redis-ui");

  private MockCluster cluster;

  @Override
  protected void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), false);
    Path kubeconfig = cluster.kubeconfig(temp.resolve("kubeconfig"));
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        clusters:
          box:
            runtime: kubernetes
            kubeconfig: "%s"
            namespaces: {service: trials}
            externalIp: 203.0.113.7|db.example.com
        """
            .formatted(kubeconfig));
  }

  @AfterEach
  void stopCluster() {
    cluster.close();
  }

  private List<String> names(String plural) {
    return cluster.list(NAMESPACE + plural).stream()
        .map(object -> object.at("/metadata/name").asText())
        .sorted()
        .toList();
  }

  @Test
  void aDryRunFindsNothingWrongAndStoresNothing() throws Exception {
    Ended checked = orrery("apply", "--dry-run", "-f", IMAGES);

    assertThat(checked.code()).as(checked.err()).isZero();
    assertThat(NAMES).allSatisfy(name -> assertThat(checked.out()).contains("Service/" + name));
    assertThat(server.get("/services").get("items")).isEmpty();
    assertThat(names("pods")).isEmpty();
    assertThat(names("services")).isEmpty();
  }

  @Test
  void eachIsAPodAndThePortsThatAreNoHttpAreOpenAtTheAddressOfTheCluster() throws Exception {
    Ended applied = orrery("apply", "-f", IMAGES);
    assertThat(applied.code()).as(applied.err()).isZero();

    await().atMost(PATIENCE).until(() -> names("pods").size() == NAMES.size());
    for (JsonNode pod : cluster.list(NAMESPACE + "pods")) {
      assertThat(pod.at("/spec/containers/0/image").asText()).startsWith("docker.io/");
    }
    await()
        .atMost(PATIENCE)
        .until(() ->
            names("services").stream()
                .filter(name -> name.endsWith("-external"))
                .toList()
                .equals(List.of("jaeger-external", "neo4j-external")));
    JsonNode spec = cluster.get(NAMESPACE + "services/neo4j-external").get("spec");
    assertThat(spec.at("/externalIPs").toString()).isEqualTo("[\"203.0.113.7\"]");
    assertThat(spec.at("/ports/0/targetPort").asInt()).isEqualTo(7_687);
    assertThat(state("neo4j").get("addresses").toString())
        .contains("tcp://db.example.com:" + spec.at("/ports/0/port").asInt());

    for (String name : NAMES) {
      Ended deleted = orrery("delete", "service", name);
      assertThat(deleted.code()).as(deleted.err()).isZero();
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(names("pods")).isEmpty();
          assertThat(names("secrets")).isEmpty();
          assertThat(names("services")).isEmpty();
        });
  }
}
