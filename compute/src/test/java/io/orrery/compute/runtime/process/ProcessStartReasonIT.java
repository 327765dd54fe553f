package io.orrery.compute.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.StartReasonContract;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.runtime.replica.RestartBackoff;
import io.orrery.core.process.PersonLimits;
import io.orrery.core.process.PersonPrograms;
import io.orrery.core.process.ProgramLimits;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what is said of processes that cannot start. */
class ProcessStartReasonIT extends StartReasonContract {
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
  private final PersonPrograms people = new PersonPrograms(new PersonLimits(16, Long.MAX_VALUE));

  @Override
  protected Runtime open() {
    return new ProcessRuntime(
        vertx,
        directory.resolve("home"),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        System.getenv(),
        Sandbox.NONE.with(ProgramLimits.NONE, people),
        QUICK);
  }

  @Override
  protected String image() {
    return null;
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) {
    assertThat(directory.resolve("home/workloads").resolve(workload.segment())).doesNotExist();
  }

  @Test
  void aMountThatIsNotThereIsToldAndItRunsOnceItIs() throws Exception {
    Path data = directory.resolve("data");

    Replica failed = told(mounting(data + "(hostpath):" + data), "there is no", data.toString());
    assertThat(failed.phase()).isEqualTo(ReplicaPhase.FAILED);

    Files.createDirectories(data);
    ready(ref(1, 0));
  }

  @Test
  void aReplicaWhosePersonHasAllProcessesWaitsUntilOthersHaveEnded() throws Exception {
    Instant now = new SystemClock(vertx).now();
    try (PersonPrograms.Program other = people.open("ann", now)) {
      assertThat(other.uses(now, 16, () -> 0, () -> 0)).isEmpty();
      Replica waiting =
          told(
              web(Map.of(WorkloadSpec.OWNER, "ann")),
              "it starts when other programs of ann have ended",
              "auth.personProcesses is 16");
      assertThat(waiting.phase()).isEqualTo(ReplicaPhase.WAITING);
    }
    ready(ref(1, 0));
  }

  @Test
  void anImageIsFoundBeforeAnythingStarts() throws Exception {
    WorkloadSpec spec = web(Map.of());
    WorkloadSpec imaged =
        new WorkloadSpec(
            spec.command(),
            "team/app:1",
            null,
            spec.environment(),
            spec.ports(),
            spec.readiness(),
            spec.startupDeadline(),
            spec.grace(),
            spec.resources(),
            spec.mounts());

    assertThat(await(runtime.check(imaged)))
        .anyMatch(sentence -> sentence.contains("team/app:1 cannot run as a process"));
  }
}
