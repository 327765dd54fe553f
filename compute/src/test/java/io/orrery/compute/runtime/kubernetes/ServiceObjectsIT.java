package io.orrery.compute.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.json.Json;
import io.orrery.core.project.Mounts;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Services and autoscalers of a mock cluster, whose controller the test plays. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ServiceObjectsIT {
  private static final WorkloadRef MODEL = WorkloadRef.parse("service/model");
  private static final UseScaling HALF = new UseScaling(2, 6, Map.of(Readings.CPU, 0.25));
  private static final String SERVICES = "/api/v1/namespaces/trials/services";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/trials/deployments";
  private static final String AUTOSCALERS =
      "/apis/autoscaling/v2/namespaces/trials/horizontalpodautoscalers";
  private static final List<String> ALL = List.of(SERVICES, DEPLOYMENTS, AUTOSCALERS);

  @TempDir Path directory;

  private Vertx vertx;
  private MockCluster cluster;
  private KubernetesRuntime runtime;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    cluster = new MockCluster(directory.resolve("node"), false);
    runtime = open();
  }

  @AfterEach
  void stop() throws Exception {
    runtime.close().await(20, TimeUnit.SECONDS);
    http.close();
    cluster.close();
    vertx.close().await(20, TimeUnit.SECONDS);
  }

  private KubernetesRuntime open() throws Exception {
    Path kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
    ClusterAddress address = new ClusterAddress(kubeconfig.toString(), null, "trials");
    return new KubernetesRuntime(
        vertx,
        new KubernetesCluster("dev", address, address, address, address),
        directory.resolve("home"),
        ImageLogins.NONE,
        new SecretBox(directory.resolve("home"), Map.of()),
        new PodFiles("http://127.0.0.1:8080", OriginPasses.unknown(), null),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        ReplicaSettings.DEFAULT);
  }

  private static WorkloadSpec spec(@Nullable UseScaling scaling) {
    return new WorkloadSpec(
            List.of(),
            "registry.example.com/model:1",
            null,
            Map.of(),
            List.of(new WorkloadPort("http0", 8080)),
            null,
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            new Resources(new Amount(500, 500), Amount.UNLIMITED, 0),
            new Mounts(List.of()))
        .scalingBy(scaling);
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(30, TimeUnit.SECONDS);
  }

  private void want(long generation, WorkloadSpec spec) throws Exception {
    await(runtime.want(MODEL, generation, spec, 0));
  }

  private OptionalInt autoscaled() throws Exception {
    return await(runtime.autoscaled(MODEL));
  }

  private void awaitNames(String path, String... names) throws Exception {
    Eventually.until(
        path + " has " + List.of(names),
        () ->
            cluster.list(path).stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList()
                .equals(List.of(names)));
  }

  /** What the controller of a real cluster writes, once it has decided. */
  private void decide(int replicas) throws Exception {
    http.send(
        HttpRequest.newBuilder(
                URI.create(
                    cluster.url()
                        + DEPLOYMENTS
                        + "/model/scale?fieldManager=kube-controller-manager"))
            .header("Content-Type", "application/merge-patch+json")
            .method(
                "PATCH",
                BodyPublishers.ofString("{\"spec\":{\"replicas\":%d}}".formatted(replicas)))
            .build(),
        BodyHandlers.ofString());
    ObjectNode status = Json.MAPPER.createObjectNode();
    status
        .putArray("conditions")
        .addObject()
        .put("type", "ScalingActive")
        .put("status", "True")
        .put("reason", "ValidMetricFound");
    cluster.setStatus(AUTOSCALERS + "/model", status);
  }

  @Test
  void theNumberOfTheAutoscalerIsReadAndOutlivesADeployment() throws Exception {
    want(1, spec(HALF));
    for (String path : ALL) {
      awaitNames(path, "model");
    }
    assertThat(autoscaled()).as("it has decided nothing yet").isEmpty();

    decide(4);
    assertThat(autoscaled()).hasValue(4);

    want(2, spec(new UseScaling(2, 5, Map.of(Readings.CPU, 0.4))));
    Eventually.until(
        "the autoscaler is changed",
        () -> cluster.get(AUTOSCALERS + "/model").at("/spec/maxReplicas").asInt() == 5);
    JsonNode deployment = cluster.get(DEPLOYMENTS + "/model");
    assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(4);
    assertThat(deployment.at("/metadata/managedFields").toString())
        .contains("kube-controller-manager");
    assertThat(autoscaled()).hasValue(4);
    // The one that makes pods is this server.
    assertThat(cluster.list("/api/v1/namespaces/trials/pods")).isEmpty();
  }

  @Test
  void withoutARangeThereIsNoAutoscalerAndWithTheServiceAllGo() throws Exception {
    want(1, spec(HALF));
    awaitNames(AUTOSCALERS, "model");

    want(2, spec(null));
    awaitNames(AUTOSCALERS);
    awaitNames(DEPLOYMENTS);
    awaitNames(SERVICES, "model");

    await(runtime.remove(MODEL));
    awaitNames(SERVICES);
  }

  @Test
  void whatIsNotWantedAnyMoreIsDeletedByTheNextServer() throws Exception {
    want(1, spec(HALF));
    awaitNames(AUTOSCALERS, "model");
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of()));

    for (String path : ALL) {
      awaitNames(path);
    }
  }

  @Test
  void whatTheServerAdoptsKeepsItsNumber() throws Exception {
    want(1, spec(HALF));
    awaitNames(AUTOSCALERS, "model");
    decide(5);
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(MODEL, 1, spec(HALF), 0))));

    Eventually.until("it is known", () -> autoscaled().equals(OptionalInt.of(5)));
  }

  @Test
  void anObjectOfAnotherStaysAsItIs() throws Exception {
    cluster.create(
        SERVICES,
        (ObjectNode)
            Json.parse(
                """
                {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "model"},
                 "spec": {"ports": [{"port": 1}]}}
                """));

    want(1, spec(null));
    await(runtime.want(WorkloadRef.parse("service/test.model"), 1, spec(null), 0));
    Eventually.until("the other has one", () -> cluster.list(SERVICES).size() == 2);
    await(runtime.remove(MODEL));
    await(runtime.remove(WorkloadRef.parse("service/test.model")));

    awaitNames(SERVICES, "model");
    assertThat(cluster.get(SERVICES + "/model").at("/spec/ports/0/port").asInt()).isOne();
  }

  @Test
  void aRefusalIsTriedAgainAndDelaysNoReplica() throws Exception {
    cluster.fault(
        "fault",
        request ->
            String.valueOf(request.getPath()).startsWith(AUTOSCALERS)
                ? MockCluster.status(503, "ServiceUnavailable", "starting")
                : null);
    want(1, spec(HALF));
    awaitNames(DEPLOYMENTS, "model");
    awaitFault("the cluster does not scale it: ");
    assertThat(fault()).contains("starting");

    cluster.repair("fault");

    awaitNames(AUTOSCALERS, "model");
    Eventually.until("nothing is wrong any more", () -> fault().isEmpty());
  }

  private String fault() {
    return Objects.toString(runtime.now(MODEL).fault(), "");
  }

  private void awaitFault(String words) throws Exception {
    Eventually.until("its fault has the words " + words, () -> fault().contains(words));
  }

  @Test
  void whatKeepsTheAutoscalerFromDecidingIsAReasonOfTheService() throws Exception {
    want(1, spec(HALF));
    awaitNames(AUTOSCALERS, "model");

    undecided(Instant.now());
    assertThat(autoscaled()).isEmpty();
    assertThat(fault()).as("new pods have no numbers at first").isEmpty();

    undecided(Instant.now().minusSeconds(600));
    assertThat(autoscaled()).isEmpty();
    assertThat(fault())
        .isEqualTo("the cluster does not scale it: no metrics returned from resource metrics API");

    decide(4);
    assertThat(autoscaled()).hasValue(4);
    assertThat(fault()).isEmpty();
  }

  /** What the controller of a cluster without a metrics server writes. */
  private void undecided(Instant since) throws Exception {
    ObjectNode status = Json.MAPPER.createObjectNode();
    status
        .putArray("conditions")
        .addObject()
        .put("type", "ScalingActive")
        .put("status", "False")
        .put("lastTransitionTime", since.truncatedTo(ChronoUnit.SECONDS).toString())
        .put("reason", "FailedGetResourceMetric")
        .put("message", "no metrics returned from resource metrics API");
    cluster.setStatus(AUTOSCALERS + "/model", status);
  }

  @Test
  void aNameThatAnotherObjectHasIsAReasonOfTheService() throws Exception {
    cluster.create(
        SERVICES,
        (ObjectNode)
            Json.parse(
                """
                {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "model"}}
                """));

    want(1, spec(null));

    awaitFault("its name is not known in the cluster: there is a Service model");
  }

  @Test
  void servicesWhoseLongNamesBeginAlikeFindTheirOwnPods() {
    PodNames names = new PodNames("abcdef");
    String begin = "service/test." + "a".repeat(50);

    assertThat(List.of(begin + "b", begin + "c", begin, "service/test.short"))
        .extracting(text -> names.selector(WorkloadRef.parse(text)))
        .doesNotHaveDuplicates()
        .allSatisfy(labels ->
            assertThat(labels.values())
                .allMatch(value -> value.matches("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?")));
    assertThat(names.selector(WorkloadRef.parse("service/test.short")))
        .as("short ones keep their label")
        .containsEntry("orrery.io/workload", "service-test.short");
  }

  /** What an earlier release has made, which cut long labels. */
  @Test
  void objectsWithALabelThatWasCutAreTakenOver() throws Exception {
    String name = "a".repeat(54);
    WorkloadRef workload = WorkloadRef.parse("service/test." + name);
    await(runtime.want(workload, 1, spec(HALF), 0));
    awaitNames(DEPLOYMENTS, "test-" + name);
    awaitNames(AUTOSCALERS, "test-" + name);
    String cut = ("service-test." + name).substring(0, 63);
    for (String path : List.of(SERVICES, DEPLOYMENTS, AUTOSCALERS)) {
      ObjectNode object = (ObjectNode) cluster.get(path + "/test-" + name);
      ((ObjectNode) object.at("/metadata/labels")).put("orrery.io/workload", cut);
      if (object.at("/spec/selector/matchLabels") instanceof ObjectNode selector) {
        selector.put("orrery.io/workload", cut);
      }
      cluster.delete(path + "/test-" + name);
      object.withObject("/metadata").remove(List.of("uid", "resourceVersion", "managedFields"));
      cluster.create(path, object);
    }
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(workload, 1, spec(HALF), 0))));

    String own = new PodNames("").selector(workload).get("orrery.io/workload");
    for (String at :
        List.of(
            SERVICES + "/test-" + name + " /spec/selector/orrery.io~1workload",
            DEPLOYMENTS + "/test-" + name + " /spec/selector/matchLabels/orrery.io~1workload",
            AUTOSCALERS + "/test-" + name + " /metadata/labels/orrery.io~1workload")) {
      String[] parts = at.split(" ");
      Eventually.until(
          at + " is the new one", () -> cluster.get(parts[0]).at(parts[1]).asText().equals(own));
    }
    assertThat(runtime.now(workload).fault()).isNull();
    await(runtime.remove(workload));
    for (String path : ALL) {
      awaitNames(path);
    }
  }

  /** The role is checked before anything is deployed, and the rights of scaling only for it. */
  @Test
  void missingRightsAreSaidBeforeItIsDeployed() throws Exception {
    String role = Files.readString(Path.of("../deploy/kubernetes/rbac.yaml"));
    String less = role.replaceFirst("(\\[horizontalpodautoscalers]\\s+verbs: \\[)create, ", "$1");
    assertThat(less).isNotEqualTo(role);
    cluster.allow(Files.writeString(directory.resolve("rbac.yaml"), less));

    assertThat(await(runtime.check(spec(HALF))))
        .singleElement()
        .asString()
        .contains("create horizontalpodautoscalers.autoscaling", "deploy/kubernetes/rbac.yaml");
    assertThat(await(runtime.check(spec(null)))).isEmpty();
  }
}
