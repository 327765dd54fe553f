package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.service.Eventually;
import io.orrery.core.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mock answers as an API server of Kubernetes 1.36 did, so that tests against it can fail. */
class MockClusterIT {
  private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/trials/deployments/ssa";
  private static final String SERVICES = "/api/v1/namespaces/trials/services";
  private static final String PODS = "/api/v1/namespaces/trials/pods";
  private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/trials/endpointslices";

  @TempDir Path directory;
  private MockCluster cluster;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() throws Exception {
    cluster = new MockCluster(directory, false);
  }

  @AfterEach
  void stop() {
    http.close();
    cluster.close();
  }

  private HttpResponse<String> send(String method, String path, String type, String body)
      throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(cluster.url() + path))
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> apply(String query, String spec) throws Exception {
    return send(
        "PATCH",
        DEPLOYMENT + query,
        "application/apply-patch+yaml",
        """
        {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"ssa"},"spec":%s}
        """
            .formatted(spec));
  }

  private HttpResponse<String> scale(String manager, int replicas) throws Exception {
    return send(
        "PATCH",
        DEPLOYMENT + "/scale?fieldManager=" + manager,
        "application/merge-patch+json",
        "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
  }

  private int replicas() {
    return cluster.get(DEPLOYMENT).at("/spec/replicas").intValue();
  }

  @Test
  void applyingAValueThatAnotherManagerHasChangedIsAConflictWithItsName() throws Exception {
    assertThat(apply("?fieldManager=orrery", "{\"replicas\":2}").statusCode()).isLessThan(300);
    assertThat(scale("someone", 3).statusCode()).isEqualTo(200);

    HttpResponse<String> refused = apply("?fieldManager=orrery", "{\"replicas\":2}");

    assertThat(refused.statusCode()).isEqualTo(409);
    JsonNode status = Json.parse(refused.body());
    assertThat(status.path("reason").asText()).isEqualTo("Conflict");
    assertThat(status.path("message").asText())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"someone\" with subresource \"scale\""
                + " using apps/v1: .spec.replicas");
    assertThat(status.at("/details/causes/0/reason").asText()).isEqualTo("FieldManagerConflict");
    assertThat(status.at("/details/causes/0/field").asText()).isEqualTo(".spec.replicas");
    assertThat(replicas()).isEqualTo(3);
  }

  @Test
  void aForcedApplyTakesTheFieldOver() throws Exception {
    apply("?fieldManager=orrery", "{\"replicas\":2}");
    scale("someone", 3);

    assertThat(apply("?fieldManager=orrery&force=true", "{\"replicas\":2}").statusCode())
        .isEqualTo(200);

    assertThat(replicas()).isEqualTo(2);
    assertThat(cluster.get(DEPLOYMENT).at("/metadata/managedFields").toString())
        .doesNotContain("someone");
  }

  @Test
  void aFieldThatIsAppliedNoMoreStaysOnlyWhereAnotherManagerOwnsIt() throws Exception {
    apply("?fieldManager=orrery", "{\"replicas\":2,\"paused\":true}");
    scale("kube-controller-manager", 4);

    apply("?fieldManager=orrery", "{\"paused\":true}");
    assertThat(replicas()).as("the autoscaler's").isEqualTo(4);

    apply("?fieldManager=orrery&force=true", "{\"replicas\":2}");
    apply("?fieldManager=orrery", "{\"minReadySeconds\":1}");
    assertThat(replicas()).as("the default").isEqualTo(1);
    assertThat(cluster.get(DEPLOYMENT).at("/spec").has("paused")).isFalse();
  }

  @Test
  void anApplyThatChangesNothingKeepsTheVersion() throws Exception {
    apply("?fieldManager=orrery", "{\"replicas\":2}");
    JsonNode before = cluster.get(DEPLOYMENT).at("/metadata/resourceVersion");

    apply("?fieldManager=orrery", "{\"replicas\":2}");

    assertThat(cluster.get(DEPLOYMENT).at("/metadata/resourceVersion")).isEqualTo(before);
  }

  @Test
  void anApplyWithoutAFieldManagerIsInvalid() throws Exception {
    HttpResponse<String> refused = apply("", "{}");

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body())
        .contains("fieldManager: Required value: is required for apply patch");
  }

  @Test
  void aDryRunIsAnsweredAndStoresNothing() throws Exception {
    String service = service();

    assertThat(send("POST", SERVICES + "?dryRun=All", "application/json", service).statusCode())
        .isEqualTo(201);
    assertThat(apply("?fieldManager=orrery&dryRun=All", "{\"replicas\":2}").statusCode())
        .isEqualTo(201);
    assertThat(cluster.list(SERVICES)).isEmpty();
    assertThat(cluster.get(DEPLOYMENT)).isEmpty();

    send("POST", SERVICES, "application/json", service);
    HttpResponse<String> again =
        send("POST", SERVICES + "?dryRun=All", "application/json", service);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("services \\\"model\\\" already exists");
    send("DELETE", SERVICES + "/model?dryRun=All", "application/json", "");
    assertThat(cluster.list(SERVICES)).hasSize(1);
  }

  @Test
  void theEndpointsOfAServiceAreReadyServingAndTerminatingAsTheirPodsAre() throws Exception {
    send("POST", SERVICES, "application/json", service());
    send(
        "POST",
        PODS,
        "application/json",
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"model-1","namespace":"trials",
          "labels":{"app":"model"}},"spec":{"containers":[]}}
        """);
    Eventually.until("a slice without endpoints", () -> conditions().equals("none"));

    cluster.setStatus(
        PODS + "/model-1",
        Json.parse(
            """
            {"podIP":"10.244.0.11","conditions":[{"type":"Ready","status":"True"}]}
            """));
    Eventually.until("it is ready", () -> conditions().equals("true true false"));

    cluster.hold(PODS + "/model-1");
    cluster.delete(PODS + "/model-1");
    Eventually.until("it is drained", () -> conditions().equals("false true true"));

    cluster.setStatus(
        PODS + "/model-1",
        Json.parse(
            """
            {"podIP":"10.244.0.11","conditions":[{"type":"Ready","status":"False"}]}
            """));
    Eventually.until("it serves no more", () -> conditions().equals("false false true"));
  }

  private static String service() {
    return """
    {"apiVersion":"v1","kind":"Service","metadata":{"name":"model","namespace":"trials"},
      "spec":{"selector":{"app":"model"},"ports":[{"name":"http","port":8080}]}}
    """;
  }

  /** Ready, serving and terminating of the only endpoint; empty without a slice. */
  private String conditions() {
    if (cluster.list(SLICES).isEmpty()) {
      return "";
    }
    JsonNode slice = cluster.list(SLICES).getFirst();
    assertThat(slice.at("/metadata/labels/kubernetes.io~1service-name").asText())
        .isEqualTo("model");
    JsonNode conditions = slice.at("/endpoints/0/conditions");
    return conditions.isMissingNode()
        ? "none"
        : conditions.path("ready").asText()
            + " "
            + conditions.path("serving").asText()
            + " "
            + conditions.path("terminating").asText();
  }
}
