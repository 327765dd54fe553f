package io.orrery.compute.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.RuntimeContract;
import io.orrery.compute.runtime.replica.LaunchedFiles;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.runtime.replica.RestartBackoff;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.process.SearchPath;
import io.orrery.core.project.Mounts;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs containers of a real Podman, in a network of their own. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ContainerRuntimeIT extends RuntimeContract {
  static final ReplicaSettings QUICK =
      new ReplicaSettings(
          Duration.ofMillis(20),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          30_000,
          3,
          new RestartBackoff(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofMinutes(10)));

  private static PodmanEngine podman;

  private ImageLogins logins = ImageLogins.NONE;

  @TempDir Path directory;

  @BeforeAll
  static void startPodman() throws Exception {
    podman = PodmanEngine.start();
  }

  @AfterAll
  static void stopPodman() throws Exception {
    if (podman != null) {
      podman.close();
    }
  }

  private Path home() {
    return directory.resolve("it's a \"home\" $HOME");
  }

  @Override
  protected Runtime open() {
    return open(ContainerNetwork.BRIDGE);
  }

  private Runtime open(ContainerNetwork network) {
    return new ContainerRuntime(
        vertx,
        new ContainerCluster("box", podman.socket(), network),
        home(),
        Workspaces.in(home()),
        logins,
        new SecretBox(home(), Map.of()),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        GpuInventory.of(
            new GpuProbe(new SearchPath(""), GpuProbe.LIMIT), new SystemClock(vertx), List.of()),
        QUICK);
  }

  @Override
  protected String image() {
    return PodmanEngine.IMAGE;
  }

  @Override
  protected Mounts mounts() {
    return Mounts.read(podman.mounts()).value();
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) throws Exception {
    assertThat(podman.podman("ps", "--all", "--format", "{{.Names}}")).isBlank();
    assertThat(Files.exists(home().resolve("clusters/box").resolve(workload.segment()))).isFalse();
  }

  /** The names of all containers of the engine. */
  private String containers() throws Exception {
    return podman.podman("ps", "--all", "--no-trunc", "--format", "{{.Names}} {{.Labels}}");
  }

  private WorkloadSpec with(
      WorkloadSpec spec, String image, String code, Resources resources, String moreMounts) {
    return new WorkloadSpec(
        spec.command(),
        image,
        code,
        spec.environment(),
        spec.ports(),
        spec.readiness(),
        spec.startupDeadline(),
        spec.grace(),
        resources,
        Mounts.read(podman.mounts() + moreMounts).value());
  }

  @Test
  void secretsAreInNoLabelAndOnNoCommandLine() throws Exception {
    want(1, web(Map.of("API_KEY", "sesame-opens")), 1);
    Replica replica = ready(ref(1, 0));
    assertThat(get(replica, "/env?API_KEY")).isEqualTo("sesame-opens");
    assertThat(get(replica, "/env?ORRERY_REPLICA_MARK")).isEqualTo("-");

    assertThat(containers())
        .contains("io.orrery.replica:service/hello/1-0")
        .doesNotContain("sesame");
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process :
          processes.filter(p -> p.getFileName().toString().matches("\\d+")).toList()) {
        assertThat(commandLine(process)).doesNotContain("sesame");
      }
    }
    assertThat(log(ref(1, 0), false)).doesNotContain("sesame");
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }

  @Test
  void twoReplicasListenOnTheNumberOfTheDocument() throws Exception {
    want(1, web(Map.of()), 2);

    Replica first = ready(ref(1, 0));
    Replica second = ready(ref(1, 1));

    assertThat(get(first, "/env?PORT")).isEqualTo("8080");
    assertThat(get(second, "/env?PORT")).isEqualTo("8080");
    assertThat(first.endpoints()).isNotEqualTo(second.endpoints());
    assertThat(first.endpoints().get("http-main")).startsWith("127.0.0.1:");
  }

  @Test
  void inTheNetworkOfTheMachineAProgramListensOnTheGivenPort() throws Exception {
    await(runtime.close());
    runtime = open(ContainerNetwork.HOST);
    want(1, web(Map.of("LISTEN_HOST", "127.0.0.1")), 2);

    Replica replica = ready(ref(1, 1));

    ready(ref(1, 0));
    assertThat(replica.endpoints().get("http-main"))
        .isEqualTo("127.0.0.1:" + get(replica, "/env?PORT"));
  }

  @Test
  void anImageThatCannotBePulledIsFoundAndSaidInTheReason() throws Exception {
    String image = "127.0.0.1:9/team/app:1";
    WorkloadSpec spec = with(web(Map.of()), image, null, Resources.UNLIMITED, "");

    assertThat(await(runtime.check(spec)))
        .singleElement()
        .asString()
        .contains("image " + image + " is not there and cannot be pulled", "127.0.0.1:9");
    want(1, spec, 1);

    Replica waiting = until(ref(1, 0), it -> it.reason() != null);
    assertThat(waiting.reason()).contains(image);
    Replica failed = until(ref(1, 0), it -> it.phase() == ReplicaPhase.FAILED);
    assertThat(failed.reason()).contains("cannot be pulled").contains("127.0.0.1:9");
  }

  @Test
  void containersOutliveTheirEngineAndWhatEndedMeanwhileIsRestarted() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica replica = ready(ref(1, 0));
    try {
      podman.kill();
      assertThat(await(runtime.check(spec)))
          .singleElement()
          .asString()
          .contains("does not answer", podman.socket().toString());
      want(2, spec, 1);
      assertThat(until(ref(2, 0), it -> it.phase() == ReplicaPhase.FAILED).reason())
          .contains("does not answer");
      assertThat(ready(ref(1, 0)).endpoints()).isEqualTo(replica.endpoints());

      // A server that starts without the engine takes what ran for running, and its probes tell.
      await(runtime.close());
      runtime = open();
      await(runtime.adopt(List.of(new Wanted(HELLO, 2, spec, 1))));
      assertThat(ready(ref(1, 0)).endpoints()).isEqualTo(replica.endpoints());
      crash(replica, 6);
      until(ref(1, 0), it -> it.phase() == ReplicaPhase.UNREADY);
    } finally {
      podman.serve();
    }
    assertThat(until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1).exitCode())
        .isEqualTo(6);
    ready(ref(2, 0));
  }

  @Test
  void aContainerWhoseFilesAreGoneIsDeletedAtAdoption() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    String pid = get(ready(ref(1, 0)), "/pid");
    podman.podman("create", "--name", "of-another-user", PodmanEngine.IMAGE, "true");
    await(runtime.close());
    DirectoryTree.delete(home().resolve("clusters"));

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    assertThat(get(ready(ref(1, 0)), "/pid")).isNotEqualTo(pid);
    assertThat(containers().lines()).hasSize(2).anyMatch(line -> line.contains("of-another-user"));
    podman.podman("rm", "of-another-user");
  }

  /**
   * The state that a server leaves which is killed between creating a container and starting it.
   */
  @Test
  void aContainerThatWasCreatedAndNotStartedIsLaunchedOnce() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 0);
    await(runtime.close());
    LaunchedFiles.make(home(), home().toAbsolutePath().resolve("clusters/box"), ref(1, 0), spec);
    ContainerLabels labels = ContainerLabels.of(home().toAbsolutePath(), "box");
    podman.podman("create", "--name", labels.name(ref(1, 0), "run-1"), PodmanEngine.IMAGE, "true");

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    assertThat(ready(ref(1, 0)).restarts()).isZero();
    assertThat(starts(ref(1, 0))).isOne();
    assertThat(containers().lines()).hasSize(1);
  }

  @Test
  void theLogGoesOnWhereTheServerBeforeHasEndedAndIsRotated() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica replica = ready(ref(1, 0));
    String start = "started %s\n".formatted(get(replica, "/pid"));
    get(replica, "/print?one");
    Eventually.until("it is copied", () -> log(ref(1, 0), false).endsWith("one\n"));
    await(runtime.close());
    get(replica, "/print?two");

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));
    get(replica, "/print?three");
    Eventually.until("it goes on", () -> log(ref(1, 0), false).endsWith("three\n"));
    assertThat(log(ref(1, 0), false)).isEqualTo(start + "one\ntwo\nthree\n");

    String line = "x".repeat(1_999);
    for (int i = 0; i < 20; i++) {
      get(replica, "/print?" + line);
    }
    get(replica, "/print?last");
    Path file = home().resolve("clusters/box/service-hello/1-0/run-1/log");
    Eventually.until("it is rotated", () -> Files.size(file) < QUICK.largestLog());
    long written = start.length() + 4 + 4 + 6 + 20 * 2_000 + 5;
    Eventually.until(
        "the last is copied",
        () -> await(runtime.readLog(ref(1, 0), false, -5, 100)).next() == written);
    assertThat(text(await(runtime.readLog(ref(1, 0), false, -5, 100)))).isEqualTo("last\n");
  }

  @Test
  void codeIsThereToReadAndMemoryToWrite() throws Exception {
    Path code = Files.createDirectories(directory.resolve("some code"));
    Files.writeString(code.resolve("greeting"), "from the bundle");
    List<String> script =
        List.of(
            "sh",
            "-c",
            "cat greeting; echo; echo x > greeting || echo no writing;"
                + " echo y > /cache/file && echo written; exit 3");
    WorkloadSpec spec =
        with(
            program(script, Map.of()),
            PodmanEngine.IMAGE,
            code.toString(),
            Resources.UNLIMITED,
            ",4M(memory):/cache");
    assertThat(await(runtime.check(spec))).isEmpty();
    want(1, spec, 1);

    Replica ended = until(ref(1, 0), it -> it.exitCode() != null);

    assertThat(ended.lastLines()).contains("from the bundle", "no writing", "written");
    assertThat(Files.readString(code.resolve("greeting"))).isEqualTo("from the bundle");
  }

  @Test
  void memoryIsLimitedAndTheReasonSaysSo() throws Exception {
    WorkloadSpec spec =
        program(List.of("python3", "-c", "print(len(b'x' * 300_000_000))"), Map.of());
    want(
        1,
        with(
            spec,
            PodmanEngine.IMAGE,
            null,
            new Resources(Amount.UNLIMITED, new Amount(0, 64 << 20), 0),
            ""),
        1);

    Replica ended = until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF);

    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.reason()).contains("more memory than its limit of 64 MiB");
  }
}
