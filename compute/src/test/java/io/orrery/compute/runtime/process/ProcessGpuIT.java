package io.orrery.compute.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.gpu.GpuQueue;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.RuntimeFixture;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.runtime.replica.RestartBackoff;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.GpuReport;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.process.Sandbox;
import io.orrery.core.process.SearchPath;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs of a machine with four of them that programs of services and trials are given. */
class ProcessGpuIT extends RuntimeFixture {
  private static final AttemptRef TRIAL = new AttemptRef(TrialRef.parse("a/t1"), 1);

  private static final ReplicaSettings QUICK =
      new ReplicaSettings(
          Duration.ofMillis(20),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          4_000,
          3,
          new RestartBackoff(
              Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofMinutes(10)));

  @TempDir Path directory;
  private final Queue<String> trial = new ConcurrentLinkedQueue<>();
  private GpuInventory gpus;
  private StandInSmi smi;

  @Override
  protected Runtime open() throws Exception {
    smi = smi == null ? new StandInSmi(directory.resolve("bin")) : smi;
    // Each server has an inventory of its own, which begins without any knowledge.
    gpus = inventory(smi.path());
    return runtime(gpus);
  }

  private GpuInventory inventory(String path) {
    return GpuInventory.of(
        new GpuProbe(new SearchPath(path), GpuProbe.LIMIT),
        new SystemClock(vertx),
        List.of(ProcessRuntime.gpus(home())));
  }

  private Runtime runtime(GpuInventory inventory) {
    return new ProcessRuntime(
        vertx,
        home(),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        new HashMap<>(System.getenv()),
        Sandbox.NONE,
        inventory,
        QUICK);
  }

  private Path home() {
    return directory.resolve("home");
  }

  @Override
  protected String image() {
    return null;
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) {
    assertThat(Files.exists(home().resolve("workloads").resolve(workload.segment()))).isFalse();
  }

  private WorkloadSpec with(int number) {
    WorkloadSpec spec = web(Map.of());
    return new WorkloadSpec(
        spec.command(),
        null,
        null,
        spec.environment(),
        spec.ports(),
        spec.readiness(),
        spec.startupDeadline(),
        spec.grace(),
        new Resources(Amount.UNLIMITED, Amount.UNLIMITED, number),
        spec.mounts());
  }

  private String visible(Replica replica) throws Exception {
    return get(replica, "/env?CUDA_VISIBLE_DEVICES") + get(replica, "/env?CUDA_DEVICE_ORDER");
  }

  /** Has a trial ask for GPUs of the same machine. */
  private void request(int number) {
    gpus.queue()
        .request(
            GpuUser.of(TRIAL),
            GpuRequest.whole(number),
            new GpuQueue.Waiter() {
              @Override
              public void waits(String reason) {
                trial.add(reason);
              }

              @Override
              public void granted(GpuGrant grant) {
                trial.add("gets " + grant.visible());
              }
            });
  }

  private void untilTrial(String text) throws Exception {
    Eventually.until(text, () -> trial.contains(text));
  }

  @Test
  void aReplicaSeesItsGpusAndNoTrialIsGivenThem() throws Exception {
    want(1, with(2), 1);
    assertThat(visible(ready(ref(1, 0)))).isEqualTo("0,1PCI_BUS_ID");

    request(3);
    untilTrial("waits for 3 GPUs: 2 of 4 free (gpu 0, 1: 1 service)");
    assertThat(gpus.queue().report().gpus())
        .extracting(GpuReport.Gpu::replicas)
        .containsExactly(List.of(ref(1, 0)), List.of(ref(1, 0)), List.of(), List.of());

    await(runtime.remove(HELLO));
    untilTrial("gets 0,1,2");
  }

  @Test
  void aReplicaWaitsWithItsReasonUntilATrialHasEnded() throws Exception {
    request(3);
    untilTrial("gets 0,1,2");
    want(1, with(2), 1);
    Replica waiting =
        until(ref(1, 0), it -> String.valueOf(it.reason()).startsWith("waits for 2 GPUs"));
    assertThat(waiting.phase()).isEqualTo(ReplicaPhase.WAITING);
    assertThat(waiting.reason()).isEqualTo("waits for 2 GPUs: 1 of 4 free (gpu 0, 1, 2: 1 trial)");

    gpus.queue().release(GpuUser.of(TRIAL));

    Replica runs = ready(ref(1, 0));
    assertThat(visible(runs)).isEqualTo("0,1PCI_BUS_ID");
    assertThat(runs.restarts()).isZero();
  }

  @Test
  void aReplicaThatIsRemovedWhileItWaitsTakesNothing() throws Exception {
    request(4);
    untilTrial("gets 0,1,2,3");
    want(1, with(1), 1);
    until(ref(1, 0), it -> String.valueOf(it.reason()).startsWith("waits for 1 GPU"));

    await(runtime.remove(HELLO));
    gpus.queue().release(GpuUser.of(TRIAL));
    trial.clear();
    request(4);

    untilTrial("gets 0,1,2,3");
  }

  @Test
  void aProgramThatIsStartedAgainKeepsItsGpus() throws Exception {
    want(1, with(1), 1);
    crash(ready(ref(1, 0)), 3);

    Replica again = until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);

    assertThat(visible(again)).isEqualTo("0PCI_BUS_ID");
  }

  @Test
  void theNextServerKnowsWhatIsHeldBeforeItHasAdoptedAnything() throws Exception {
    want(1, with(3), 1);
    Replica before = ready(ref(1, 0));
    await(runtime.close());

    runtime = open();
    request(2);
    untilTrial("waits for 2 GPUs: 1 of 4 free (gpu 0, 1, 2: 1 service)");

    await(runtime.adopt(List.of(new Wanted(HELLO, 1, with(3), 1))));
    assertThat(get(ready(ref(1, 0)), "/pid")).isEqualTo(get(before, "/pid"));
    await(runtime.remove(HELLO));
    untilTrial("gets 0,1");
  }

  @Test
  void aProgramThatDiedWithItsServerIsStartedAgainWithItsGpus() throws Exception {
    request(1);
    untilTrial("gets 0");
    want(1, with(1), 1);
    Replica before = ready(ref(1, 0));
    assertThat(visible(before)).isEqualTo("1PCI_BUS_ID");
    long pid = Long.parseLong(get(before, "/pid"));
    await(runtime.close());
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, with(1), 1))));

    Replica again = until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(visible(again)).isEqualTo("1PCI_BUS_ID");
  }

  @Test
  void whatThisMachineCanNeverGiveIsSaidBefore() throws Exception {
    assertThat(await(runtime.check(with(4)))).isEmpty();
    assertThat(await(runtime.check(with(5))))
        .containsExactly(
            "it needs 5 GPUs, but this machine has only gpu 0, 1, 2, 3: ask for fewer, or name a"
                + " cluster");
    assertThat(smi.looks()).isEqualTo(2);
    assertThat(await(runtime.check(with(0)))).isEmpty();
    assertThat(smi.looks()).as("without GPUs nothing is looked at").isEqualTo(2);

    Runtime without = runtime(inventory("/nowhere"));
    assertThat(await(without.check(with(1))))
        .containsExactly(
            "it needs 1 GPU, but there is no program nvidia-smi on the server's PATH, so that no"
                + " GPU can be found: ask for 0, or name a cluster");
    await(without.close());
  }
}
