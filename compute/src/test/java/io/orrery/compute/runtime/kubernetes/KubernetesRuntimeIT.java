package io.orrery.compute.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.runtime.replica.RestartBackoff;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.ImageLogin;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.access.ProjectName;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.json.Json;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterAddress;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs pods of a mock cluster, whose node runs their commands as processes of this machine. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class KubernetesRuntimeIT extends PodShellContract {
  private static final ReplicaSettings QUICK =
      new ReplicaSettings(
          Duration.ofMillis(20),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          30_000,
          3,
          new RestartBackoff(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofMinutes(10)));

  private static final String EVENTS = "/api/v1/namespaces/trials/events";

  @TempDir Path directory;

  private volatile ImageLogins logins = ImageLogins.NONE;

  @AfterEach
  void repair() {
    cluster.repair("fault");
    cluster.barePods().script(pod -> null);
  }

  private Path home() {
    return directory.resolve("it's a \"home\" $HOME");
  }

  @Override
  protected Runtime open() {
    ClusterAddress address = new ClusterAddress(kubeconfig.toString(), null, "trials");
    return new KubernetesRuntime(
        vertx,
        new KubernetesCluster("dev", address, address, address, address),
        home(),
        logins,
        new SecretBox(home(), Map.of()),
        new PodFiles("http://127.0.0.1:8080", OriginPasses.unknown(), null),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        QUICK);
  }

  @Override
  protected String image() {
    return "registry.example.com/team/app:1";
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) throws Exception {
    assertThat(cluster.list(PODS)).isEmpty();
    assertThat(cluster.list(SECRETS)).isEmpty();
    assertThat(Files.exists(home().resolve("clusters/dev").resolve(workload.segment()))).isFalse();
  }

  private static ObjectNode waiting(String reason, String message) {
    ObjectNode status = Json.MAPPER.createObjectNode().put("phase", "Pending");
    ObjectNode container = status.putArray("containerStatuses").addObject();
    container.put("name", "main").put("image", "registry.example.com/team/app:1");
    container.putObject("state").putObject("waiting").put("reason", reason).put("message", message);
    return status;
  }

  private static ObjectNode unscheduled(String message) {
    ObjectNode status = Json.MAPPER.createObjectNode().put("phase", "Pending");
    status
        .putArray("conditions")
        .addObject()
        .put("type", "PodScheduled")
        .put("status", "False")
        .put("reason", "Unschedulable")
        .put("message", message);
    return status;
  }

  @Test
  void secretsStandInASecretAndInNoPodAndNoLog() throws Exception {
    want(1, web(Map.of("API_KEY", "sesame-opens", "SHELL_TEXT", "$(API_KEY)")), 1);
    Replica replica = ready(ref(1, 0));

    assertThat(get(replica, "/env?API_KEY")).isEqualTo("sesame-opens");
    assertThat(get(replica, "/env?SHELL_TEXT")).isEqualTo("$(API_KEY)");
    assertThat(cluster.get(onlyPod()).toString()).doesNotContain("sesame");
    assertThat(cluster.list(SECRETS)).hasSize(1);
    assertThat(log(ref(1, 0), false)).doesNotContain("sesame");
  }

  @Test
  void twoReplicasListenOnTheNumberOfTheDocument() throws Exception {
    want(1, web(Map.of()), 2);

    Replica first = ready(ref(1, 0));
    Replica second = ready(ref(1, 1));

    assertThat(get(first, "/env?PORT")).isEqualTo("8080");
    assertThat(first.endpoints().get("http-main")).endsWith(":8080");
    assertThat(first.endpoints()).isNotEqualTo(second.endpoints());
  }

  @Test
  void anImageThatCannotBePulledIsSaidInTheReason() throws Exception {
    cluster
        .barePods()
        .script(pod -> waiting("ImagePullBackOff", "Back-off pulling image: not found"));
    want(1, web(Map.of()), 1);

    Replica failed = until(ref(1, 0), it -> it.phase() == ReplicaPhase.FAILED);

    assertThat(failed.reason())
        .contains("registry.example.com/team/app:1", "ImagePullBackOff", "not found");
    assertThat(failed.restarts()).isZero();
  }

  /** A kubelet says nothing in the pod but that its container is being created. */
  @Test
  void aMountThatFailsIsToldInTheWordsOfTheCluster() throws Exception {
    cluster.barePods().script(pod -> waiting("ContainerCreating", ""));
    cluster.fault(
        "fault",
        request ->
            String.valueOf(request.getPath()).startsWith(EVENTS)
                ? failedMount(request.getPath().replaceAll(".*name%3D([a-z0-9-]+)%2C.*", "$1"))
                : null);

    Replica waiting =
        told(mounting("settings(configmap):/settings"), "FailedMount", "\"settings\" not found");

    assertThat(waiting.phase()).isEqualTo(ReplicaPhase.WAITING);
    assertThat(waiting.reason()).doesNotContain("ContainerCreating");
  }

  private static MockResponse failedMount(String pod) {
    return new MockResponse()
        .setResponseCode(200)
        .addHeader("Content-Type", "application/json")
        .setBody(
            """
            {"kind": "EventList", "items": [{"involvedObject": {"kind": "Pod", "name": "%s"},
             "type": "Warning", "reason": "FailedMount", "lastTimestamp": "2026-01-01T00:00:00Z",
             "message": "MountVolume.SetUp failed: configmap \\"settings\\" not found"}]}
            """
                .formatted(pod));
  }

  /** The time without a node is none of the program's: its deadline is not exceeded by it. */
  @Test
  void aPodWithoutANodeWaitsWithTheWordsOfTheSchedulerAndStartsWhenThereIsOne() throws Exception {
    cluster.barePods().script(pod -> unscheduled("0/3 nodes are available: 3 Insufficient cpu."));
    want(1, withDeadline(web(Map.of()), Duration.ofSeconds(6)), 1);
    Replica waiting =
        until(ref(1, 0), it -> String.valueOf(it.reason()).contains("3 Insufficient cpu"));
    assertThat(waiting.phase()).isEqualTo(ReplicaPhase.WAITING);
    long asked = cluster.requests().size();
    Eventually.until("some time has gone by", () -> waited(waiting, Duration.ofSeconds(7)));
    assertThat(runtime.now(HELLO).replicas())
        .singleElement()
        .satisfies(it -> assertThat(it.phase()).isEqualTo(ReplicaPhase.WAITING));
    // Looked at by the watch, and for events now and then.
    assertThat(cluster.requests().size() - asked).isLessThan(10);

    cluster.barePods().script(pod -> null);
    JsonNode pod = cluster.get(onlyPod());
    cluster.barePods().start(pod);

    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  private static boolean waited(Replica replica, Duration time) {
    return Instant.now().isAfter(replica.since().plus(time));
  }

  @Test
  void aQuotaThatIsExceededIsTheReasonUntilThereIsRoom() throws Exception {
    cluster.fault(
        "fault",
        request ->
            request.getMethod().equals("POST") && request.getPath().startsWith(PODS)
                ? MockCluster.status(
                    403, "Forbidden", "pods \"x\" is forbidden: exceeded quota: team, used: pods=5")
                : null);
    want(1, web(Map.of()), 1);
    assertThat(until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF).reason())
        .contains("exceeded quota: team");

    cluster.repair("fault");

    ready(ref(1, 0));
  }

  @Test
  void theLoginOfTheProjectIsInASecretThatIsCorrectedWhileThePodWaits() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    AtomicReference<String> password = new AtomicReference<>("wrong-sesame");
    logins =
        (project, image) -> {
          asked.add(project + " " + image);
          return Future.succeededFuture(
              Optional.of(new ImageLogin("registry.example.com", "robot", password.get())));
        };
    await(runtime.close());
    runtime = open();
    cluster.barePods().script(pod -> waiting("ImagePullBackOff", "unauthorized"));
    want(1, web(Map.of()).pulledFor(new ProjectName("vision")), 1);
    until(ref(1, 0), it -> it.phase() == ReplicaPhase.FAILED);

    JsonNode pod = cluster.get(onlyPod());
    String secret = pod.at("/spec/imagePullSecrets/0/name").asText();
    assertThat(secret).isEqualTo(pod.at("/metadata/name").asText() + "-pull");
    assertThat(asked).contains("vision registry.example.com/team/app:1");
    assertThat(pod.toString()).doesNotContain("sesame");

    password.set("right-sesame");
    Eventually.until(
        "the Secret has the new password",
        () -> dockerConfig(secret).contains(base64("robot:right-sesame")));
    assertThat(cluster.get(SECRETS + "/" + secret).path("type").asText())
        .isEqualTo("kubernetes.io/dockerconfigjson");

    await(runtime.remove(HELLO));
    assertThat(cluster.list(SECRETS)).isEmpty();
  }

  private static String dockerConfig(String secret) {
    String data =
        cluster.get(SECRETS + "/" + secret).path("data").path(".dockerconfigjson").asText();
    return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void anEvictedPodIsReplacedAndTheReasonSaysSo() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));

    cluster.evict(onlyPod());

    Replica down = until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF);
    assertThat(down.reason()).contains("took its pod away");
    assertThat(until(ref(1, 0), it -> it.phase().isReady()).restarts()).isOne();
  }

  @Test
  void aPodThatWasDeletedByHandIsReplaced() throws Exception {
    want(1, web(Map.of()), 1);
    String pid = get(ready(ref(1, 0)), "/pid");

    cluster.delete(onlyPod());

    Replica again = until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(get(again, "/pid")).isNotEqualTo(pid);
  }

  @Test
  void replicasServeOnWhileTheApiServerIsAwayAndAServerMayStart() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica replica = ready(ref(1, 0));
    cluster.fault("fault", request -> MockCluster.status(503, "ServiceUnavailable", "starting"));
    cluster.breakWatches();
    assertThat(await(runtime.check(spec))).anyMatch(sentence -> sentence.contains("starting"));

    await(runtime.close());
    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 2))));

    assertThat(ready(ref(1, 0)).endpoints()).isEqualTo(replica.endpoints());
    assertThat(until(ref(1, 1), it -> it.phase() == ReplicaPhase.FAILED).reason())
        .contains("starting");
    cluster.repair("fault");
    ready(ref(1, 1));
    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  @Test
  void aPodWhoseFilesAreGoneIsDeletedAtAdoption() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    String pid = get(ready(ref(1, 0)), "/pid");
    await(runtime.close());
    DirectoryTree.delete(home().resolve("clusters"));

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    assertThat(get(ready(ref(1, 0)), "/pid")).isNotEqualTo(pid);
    assertThat(cluster.list(PODS)).hasSize(1);
  }

  @Test
  void whatIsMissingOnTheClusterIsFoundBeforeAnythingStarts() throws Exception {
    WorkloadSpec spec = web(Map.of());
    WorkloadSpec mounted =
        new WorkloadSpec(
            spec.command(),
            spec.image(),
            "/srv/code",
            spec.environment(),
            spec.ports(),
            spec.readiness(),
            spec.startupDeadline(),
            spec.grace(),
            spec.resources(),
            Mounts.read("data(pvc-share):/data").value());

    assertThat(await(runtime.check(mounted)))
        .anyMatch(sentence -> sentence.contains("put it into the image"))
        .anyMatch(sentence -> sentence.contains("no claim data in namespace trials"));
    assertThat(cluster.list(PODS)).isEmpty();
  }

  @Test
  void settingsOfAProjectAreComparedWithClaimsOfAllNamespacesAndWithNodes() throws Exception {
    cluster.serve("", "v1", "Node", "nodes");
    ObjectNode node = Json.MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    ObjectNode labels = node.putObject("metadata").put("name", "n1").putObject("labels");
    for (String label : List.of("disk", "org", "cpu", "service", "train", "notebook")) {
      labels.put(label, "true");
    }
    cluster.create("/api/v1/nodes", node);
    ProjectSettings settings =
        ProjectSettings.read(
                "{\"volume_mount\": \"data(pvc):/mnt;/srv(hostpath):/srv\", \"node_selector\":"
                    + " \"disk=true;org=true\"}")
            .orThrow();

    SettingsLook look = await(runtime.look(settings));

    assertThat(look.mounts()).hasSize(1);
    assertThat(look.mounts().values().iterator().next())
        .contains("no claim data in namespace trials");
    assertThat(look.nodes()).isNull();
    assertThat(look.nodesUnknown()).isNull();
    ProjectSettings slow = ProjectSettings.read("{\"node_selector\": \"disk=slow\"}").orThrow();
    assertThat(await(runtime.look(slow)).nodes())
        .contains("no node of the cluster has the labels disk=slow", "for trials and steps");
  }
}
