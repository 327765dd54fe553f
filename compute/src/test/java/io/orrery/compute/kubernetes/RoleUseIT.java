package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.RuntimeFixture;
import io.orrery.compute.runtime.kubernetes.KubernetesCluster;
import io.orrery.compute.runtime.kubernetes.KubernetesRuntime;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.ImageLogin;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Json;
import io.orrery.core.project.ExternalAddress;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.ExposedPort;
import io.orrery.core.workload.Exposure;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterAddress;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the rights of the role for services with those that a service uses in its life. */
class RoleUseIT extends RuntimeFixture {
  @TempDir static Path shared;

  private static final Set<String> USED = new ConcurrentSkipListSet<>();

  private static MockCluster cluster;
  private static Path kubeconfig;

  @TempDir Path home;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = new MockCluster(shared.resolve("node"), true);
    cluster.allow(RoleManifestTest.MANIFEST);
    cluster.fault(
        "use",
        request -> {
          USED.addAll(MockAnswers.lines(request));
          return null;
        });
    kubeconfig = cluster.kubeconfig(shared.resolve("kubeconfig"));
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Override
  protected Runtime open() {
    ClusterAddress address = new ClusterAddress(kubeconfig.toString(), null, "trials");
    return new KubernetesRuntime(
        vertx,
        new KubernetesCluster("dev", address, address, address, address),
        home,
        (project, image) ->
            Future.succeededFuture(
                Optional.of(new ImageLogin("registry.example.com", "robot", "sesame"))),
        new SecretBox(home, Map.of()),
        "http://127.0.0.1:8080",
        OriginPasses.unknown(),
        RandomGenerator.getDefault());
  }

  @Override
  protected String image() {
    return "registry.example.com/team/app:1";
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) {
    assertThat(cluster.list("/api/v1/namespaces/trials/pods")).isEmpty();
  }

  /** A service with all that a document can ask a cluster for. */
  private WorkloadSpec everything() {
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
            new Resources(new Amount(500, 500), Amount.UNLIMITED, 0),
            Mounts.read("data(pvc-share):/data").value(),
            new Exposure(
                List.of(new ExposedPort("http-main", 30_080)),
                ExternalAddress.read("203.0.113.7").value()),
            null)
        .scalingBy(new UseScaling(1, 3, Map.of(Readings.CPU, 0.25, Readings.GPU, 1.0)))
        .pulledFor(new ProjectName("vision"));
  }

  @Test
  void theRoleForServicesHasWhatTheyUseAndNothingMore() throws Exception {
    WorkloadSpec spec = everything();
    await(runtime.adopt(List.of()));
    await(runtime.check(spec));
    want(1, spec, 1);
    ready(ref(1, 0));
    Eventually.until("its log is read", () -> log(ref(1, 0), false).contains("started"));
    ReplicaShell shell = await(runtime.shell(ref(1, 0), TerminalSize.USUAL));
    shell.close();
    await(runtime.used(HELLO).otherwiseEmpty());
    await(runtime.autoscaled(HELLO));
    cluster.barePods().script(pod -> pending());
    want(2, spec, 1);
    Eventually.until("its events are read", () -> USED.contains(Rules.line("list", "", "events")));
    cluster.barePods().script(pod -> null);
    await(runtime.close());
    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 2, spec, 0))));
    await(runtime.drain(ref(1, 0), Duration.ofSeconds(1)));
    await(runtime.drain(ref(2, 0), Duration.ofSeconds(1)));
    await(runtime.remove(HELLO));

    Set<String> granted = new TreeSet<>();
    Stream.of(
            Permission.ofReplicas(),
            Permission.ofShells(),
            Permission.ofExposure(),
            Permission.ofAutoscaling(),
            Permission.ofUse())
        .flatMap(List::stream)
        .forEach(right ->
            right
                .verbs()
                .forEach(verb ->
                    granted.add(Rules.line(verb, right.type().group(), right.type().plural()))));
    assertThat(USED).isEqualTo(granted);
  }

  private static ObjectNode pending() {
    ObjectNode status = Json.MAPPER.createObjectNode().put("phase", "Pending");
    status.putArray("containerStatuses").addObject().put("name", "main");
    return status;
  }
}
