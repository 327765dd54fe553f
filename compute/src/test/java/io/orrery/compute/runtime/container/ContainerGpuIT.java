package io.orrery.compute.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.RuntimeFixture;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.process.SearchPath;
import io.orrery.core.project.Mounts;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * GPUs of containers on a real Podman. The devices are two of the Container Device Interface that
 * only set a variable, so that no GPU is needed.
 */
class ContainerGpuIT extends RuntimeFixture {
  private static final Path DEVICES = Path.of("/var/run/cdi/orrery-test-gpus.json");
  private static final WorkloadRef OTHER = new WorkloadRef(WorkloadKind.NOTEBOOK, "other");
  private static PodmanEngine podman;

  @TempDir Path directory;
  private GpuInventory gpus;

  @BeforeAll
  static void startPodman() throws Exception {
    assumeTrue(
        !Files.exists(Path.of("/etc/cdi")) && !Files.exists(DEVICES.getParent()),
        "devices of this machine are described already");
    podman = PodmanEngine.start();
    Files.createDirectories(DEVICES.getParent());
    Files.writeString(
        DEVICES,
        """
        {"cdiVersion": "0.3.0", "kind": "nvidia.com/gpu", "devices": [
          {"name": "0", "containerEdits": {"env": ["DEVICE_0=given"]}},
          {"name": "1", "containerEdits": {"env": ["DEVICE_1=given"]}}]}
        """);
  }

  @AfterAll
  static void stopPodman() throws Exception {
    if (podman != null) {
      Files.deleteIfExists(DEVICES);
      Files.deleteIfExists(DEVICES.getParent());
      podman.close();
    }
  }

  @Override
  protected Runtime open() throws Exception {
    StandInSmi smi = new StandInSmi(directory.resolve("bin"));
    smi.devices("0, 00000000:07:00.0, 40960, A100\n1, 00000000:0F:00.0, 40960, A100\n");
    SystemClock clock = new SystemClock(vertx);
    gpus =
        GpuInventory.of(
            new GpuProbe(new SearchPath(smi.path()), GpuProbe.LIMIT),
            clock,
            List.of(ContainerRuntime.gpus(directory, "box")));
    return new ContainerRuntime(
        vertx,
        new ContainerCluster("box", podman.socket(), ContainerNetwork.BRIDGE),
        directory,
        Workspaces.in(directory),
        ImageLogins.NONE,
        new SecretBox(directory, Map.of()),
        clock,
        RandomGenerator.getDefault(),
        gpus,
        ReplicaSettings.DEFAULT);
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
    assertThat(podman.podman("ps", "--all", "--quiet")).isBlank();
  }

  private WorkloadSpec with(int number) {
    WorkloadSpec spec = web(Map.of("GREETING", "a = b"));
    return new WorkloadSpec(
        spec.command(),
        spec.image(),
        null,
        spec.environment(),
        spec.ports(),
        spec.readiness(),
        spec.startupDeadline(),
        spec.grace(),
        new Resources(new Amount(0, 500), new Amount(64 << 20, 256 << 20), number),
        spec.mounts());
  }

  @Test
  void aContainerHasItsDevicesAloneAndKeepsThemWhenTheServerIsAway() throws Exception {
    want(1, with(1), 1);
    Replica replica = ready(ref(1, 0));
    assertThat(get(replica, "/env?DEVICE_0")).isEqualTo("given");
    assertThat(get(replica, "/env?DEVICE_1")).isEqualTo("-");
    assertThat(get(replica, "/env?GREETING")).isEqualTo("a = b");
    String name = podman.podman("ps", "--format", "{{.Names}}").strip();
    assertThat(podman.podman("inspect", name, "--format", "{{.HostConfig.Memory}}").strip())
        .isEqualTo(String.valueOf(256 << 20));
    assertThat(podman.podman("inspect", name, "--format", "{{.HostConfig.Init}}").strip())
        .isEqualTo("true");

    await(runtime.close());
    runtime = open();
    await(runtime.want(OTHER, 1, with(2), 1));
    String reason = "waits for 2 GPUs: 1 of 2 free (gpu 0: 1 service)";
    Replica waiting = until(new ReplicaRef(OTHER, 1, 0), it -> reason.equals(it.reason()));
    assertThat(waiting.phase()).isEqualTo(ReplicaPhase.WAITING);
    await(
        runtime.adopt(List.of(new Wanted(HELLO, 1, with(1), 1), new Wanted(OTHER, 1, with(2), 1))));
    assertThat(get(ready(ref(1, 0)), "/env?DEVICE_0")).isEqualTo("given");

    await(runtime.remove(HELLO));
    Replica other = until(new ReplicaRef(OTHER, 1, 0), it -> it.phase().isReady());
    assertThat(get(other, "/env?DEVICE_0") + get(other, "/env?DEVICE_1")).isEqualTo("givengiven");
    await(runtime.remove(OTHER));
    assertNothingLeftOf(OTHER);
  }

  @Test
  void aDeviceThatPodmanDoesNotKnowIsNamedWithWhatHelps() throws Exception {
    Files.move(DEVICES, DEVICES.resolveSibling("away.off"));
    try {
      want(1, with(1), 1);
      Replica failed = until(ref(1, 0), it -> String.valueOf(it.reason()).contains("nvidia.com"));
      assertThat(failed.reason()).contains("nvidia-ctk cdi generate");
    } finally {
      Files.move(DEVICES.resolveSibling("away.off"), DEVICES);
    }
  }

  @Test
  void whatTheMachineCannotGiveIsSaidBefore() throws Exception {
    assertThat(await(runtime.check(with(2)))).isEmpty();
    assertThat(await(runtime.check(with(3))))
        .containsExactly(
            "it needs 3 GPUs, but this machine has only gpu 0, 1: ask for fewer, or name a"
                + " cluster");
  }
}
