package io.orrery.compute.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.RuntimeFixture;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.json.Json;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.ExposedPort;
import io.orrery.core.workload.Exposure;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Services of workloads whose ports are open at addresses of a cluster. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ExposedPortsIT extends RuntimeFixture {
  private static final String SERVICES = "/api/v1/namespaces/trials/services";
  private static final String EXTERNAL = SERVICES + "/hello-external";
  private static final String SLICES =
      "/apis/discovery.k8s.io/v1/namespaces/trials/endpointslices/hello-external-mgf65";

  @TempDir static Path shared;

  @TempDir Path home;

  private static MockCluster cluster;
  private static Path kubeconfig;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = new MockCluster(shared.resolve("node"), true);
    kubeconfig = cluster.kubeconfig(shared.resolve("kubeconfig"));
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @AfterEach
  void repair() {
    cluster.repair("fault");
  }

  @Override
  protected Runtime open() {
    ClusterAddress address = new ClusterAddress(kubeconfig.toString(), null, "trials");
    return new KubernetesRuntime(
        vertx,
        new KubernetesCluster("dev", address, address, address, address),
        home,
        ImageLogins.NONE,
        new SecretBox(home, Map.of()),
        new PodFiles("http://127.0.0.1:8080", OriginPasses.unknown(), null),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        ReplicaSettings.DEFAULT);
  }

  @Override
  protected String image() {
    return "registry.example.com/team/app:1";
  }

  /** Without the Services that have the name of a workload, whatever it exposes. */
  private static List<JsonNode> externals() {
    return cluster.list(SERVICES).stream()
        .filter(service -> service.at("/metadata/name").asText().endsWith("-external"))
        .toList();
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) {
    assertThat(externals()).isEmpty();
  }

  /** The web server, its port reached under a number at addresses. */
  private WorkloadSpec exposed(int number, String addresses) {
    WorkloadSpec spec = web(Map.of());
    return new WorkloadSpec(
        spec.command(),
        spec.image(),
        spec.directory(),
        spec.environment(),
        spec.ports(),
        spec.readiness(),
        spec.startupDeadline(),
        spec.grace(),
        spec.resources(),
        spec.mounts(),
        new Exposure(
            List.of(new ExposedPort("http-main", number)), ExternalAddress.read(addresses).value()),
        null);
  }

  private static void until(String what, JsonNode expected, String path, String at)
      throws Exception {
    Eventually.until(what, () -> cluster.get(path).at(at).equals(expected));
  }

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  private static void untilThereIsNone() throws Exception {
    Eventually.until("there is no Service", () -> externals().isEmpty());
  }

  private String fault() {
    return Objects.toString(runtime.now(HELLO).fault(), "");
  }

  @Test
  void aServiceBindsTheInnerAddressesWhileThePortIsExposed() throws Exception {
    want(1, exposed(30_080, "203.0.113.7|www.example.com,203.0.113.8"), 1);
    until(
        "it has the addresses",
        json("['203.0.113.7','203.0.113.8']"),
        EXTERNAL,
        "/spec/externalIPs");

    JsonNode service = cluster.get(EXTERNAL);
    assertThat(service.at("/spec/type").asText()).isEqualTo("ClusterIP");
    assertThat(service.at("/spec/ports"))
        .isEqualTo(json("[{'name':'http-main','protocol':'TCP','port':30080,'targetPort':8080}]"));
    assertThat(service.at("/metadata/labels/orrery.io~1workload").asText())
        .isEqualTo("service-hello");
    ready(ref(1, 0));
    Eventually.until(
        "its endpoint is the pod",
        () -> cluster.get(SLICES).at("/endpoints/0/addresses/0").isTextual());
    assertThat(fault()).isEmpty();

    want(2, exposed(30_081, "203.0.113.8"), 1);
    until("it has the other number", json("30081"), EXTERNAL, "/spec/ports/0/port");
    assertThat(cluster.get(EXTERNAL).at("/spec/externalIPs")).isEqualTo(json("['203.0.113.8']"));

    want(3, web(Map.of()), 1);
    untilThereIsNone();
  }

  @Test
  void aPortAtTheAddressOfTheRouterHasNoService() throws Exception {
    want(1, exposed(30_080, ""), 1);

    ready(ref(1, 0));
    assertThat(externals()).isEmpty();
  }

  @Test
  void anOlderGenerationThatComesLateChangesNothing() throws Exception {
    want(2, exposed(30_082, "203.0.113.7"), 0);
    until("it is there", json("30082"), EXTERNAL, "/spec/ports/0/port");

    want(1, web(Map.of()), 0);
    want(3, exposed(30_083, "203.0.113.7"), 0);

    until("it has the newest number", json("30083"), EXTERNAL, "/spec/ports/0/port");
  }

  @Test
  void itGoesWithTheWorkloadAndWithOneThatWasRemovedWhileNoServerRan() throws Exception {
    WorkloadSpec spec = exposed(30_080, "203.0.113.7");
    want(1, spec, 1);
    until("it is there", json("30080"), EXTERNAL, "/spec/ports/0/port");
    await(runtime.remove(HELLO));
    assertNothingLeftOf(HELLO);

    want(2, spec, 1);
    until("it is there again", json("30080"), EXTERNAL, "/spec/ports/0/port");
    String uid = cluster.get(EXTERNAL).at("/metadata/uid").asText();
    await(runtime.close());
    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 2, spec, 1))));
    want(3, exposed(30_084, "203.0.113.7"), 1);
    until("it is kept", json("30084"), EXTERNAL, "/spec/ports/0/port");
    assertThat(cluster.get(EXTERNAL).at("/metadata/uid").asText()).isEqualTo(uid);

    await(runtime.close());
    runtime = open();
    await(runtime.adopt(List.of()));
    untilThereIsNone();
  }

  @Test
  void anotherOneOfItsNameStaysAsItIsAndIsTheReason() throws Exception {
    ObjectNode other = (ObjectNode) json("{'apiVersion':'v1','kind':'Service','spec':{'a':1}}");
    other.putObject("metadata").put("name", "hello-external").put("namespace", "trials");
    cluster.create(SERVICES, other);

    want(1, exposed(30_080, "203.0.113.7"), 1);
    Eventually.until("it is said", () -> fault().contains("of something else: rename the service"));
    assertThat(told).contains(HELLO);
    assertThat(cluster.get(EXTERNAL).at("/spec/a").asInt()).isEqualTo(1);

    cluster.delete(EXTERNAL);
    until("it is made when there is room", json("30080"), EXTERNAL, "/spec/ports/0/port");
    Eventually.until("nothing is wrong any more", () -> fault().isEmpty());
  }

  @Test
  void aRefusalIsTheReasonAndIsTriedAgain() throws Exception {
    cluster.fault(
        "fault",
        request ->
            request.getMethod().equals("PATCH")
                    && String.valueOf(request.getPath()).startsWith(EXTERNAL)
                ? MockCluster.status(
                    422, "Invalid", "spec.externalIPs[0]: Invalid value: may not be link-local")
                : null);
    want(1, exposed(30_080, "203.0.113.7"), 0);
    Eventually.until("it is said", () -> fault().contains("may not be link-local"));

    cluster.repair("fault");

    until("it is made", json("30080"), EXTERNAL, "/spec/ports/0/port");
    Eventually.until("nothing is wrong any more", () -> fault().isEmpty());
  }

  @Test
  void aRightThatIsMissingAndALoopbackAddressAreFoundBeforeAnythingStarts() throws Exception {
    assertThat(await(runtime.check(exposed(30_080, "127.0.0.5"))))
        .anyMatch(sentence -> sentence.contains("loopback address 127.0.0.5"));
    assertThat(await(runtime.check(exposed(30_080, "203.0.113.7")))).isEmpty();

    cluster.fault("fault", ExposedPortsIT::withoutServices);

    assertThat(await(runtime.check(exposed(30_080, "203.0.113.7"))))
        .singleElement()
        .asString()
        .contains("not allowed to", "create services", "deploy/kubernetes/rbac.yaml");
    assertThat(await(runtime.check(web(Map.of())))).isEmpty();
  }

  private static @Nullable MockResponse withoutServices(RecordedRequest request) {
    String body = new String(request.getBody().getBytes(), StandardCharsets.UTF_8);
    boolean asks = String.valueOf(request.getPath()).contains("selfsubjectaccessreviews");
    if (!asks || !body.contains("\"services\"")) {
      return null;
    }
    ObjectNode answer = Json.MAPPER.createObjectNode();
    answer.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    answer.putObject("status").put("allowed", false);
    return new MockResponse()
        .setResponseCode(201)
        .addHeader("Content-Type", "application/json")
        .setBody(answer.toString());
  }

  @Test
  void theNamesOfStagesAreDistinctAndShortEnough() {
    String longest = "a".repeat(54);
    WorkloadRef production = new WorkloadRef(WorkloadKind.SERVICE, longest);
    WorkloadRef test = new WorkloadRef(WorkloadKind.SERVICE, "test." + longest);
    WorkloadRef debug = new WorkloadRef(WorkloadKind.SERVICE, "test." + longest + "b");

    assertThat(ServiceBody.name(production)).isEqualTo(longest + "-external");
    assertThat(List.of(production, test, debug))
        .extracting(ServiceBody::name)
        .doesNotHaveDuplicates()
        .allSatisfy(name -> assertThat(name).matches("[a-z][a-z0-9-]{0,62}"));
  }
}
