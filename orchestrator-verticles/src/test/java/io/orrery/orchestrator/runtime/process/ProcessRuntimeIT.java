package io.orrery.orchestrator.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.orchestrator.process.Processes;
import io.orrery.orchestrator.process.Processes.Found;
import io.orrery.orchestrator.process.Spawn;
import io.orrery.orchestrator.runtime.Runtime;
import io.orrery.orchestrator.runtime.RuntimeContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/** Real processes of this machine, and the files by which a server finds them. */
class ProcessRuntimeIT extends RuntimeContract {
  private static final ProcessSettings QUICK =
      new ProcessSettings(
          Duration.ofMillis(20),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          4_000,
          3,
          new RestartBackoff(Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofMinutes(10)),
          List.of("/bin/sh"),
          Spawn.best());

  @TempDir Path directory;

  /** Every test runs with a name that a shell would take apart. */
  private Path home() {
    return directory.resolve("it's a \"home\" $HOME");
  }

  @Override
  protected Runtime open() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("ORRERY_SECRET", "the server's own");
    environment.put("DATABASE_PASSWORD", "the server's own");
    return new ProcessRuntime(
        vertx, home(), new SystemClock(vertx), RandomGenerator.getDefault(), environment, QUICK);
  }

  @Override
  protected String image() {
    return null;
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) throws Exception {
    assertThat(processes()).isEmpty();
    assertThat(Files.exists(home().resolve("workloads").resolve(workload.segment()))).isFalse();
  }

  private List<Found> processes() throws Exception {
    ReplicaMarks marks = ReplicaMarks.of(home().toAbsolutePath());
    return Processes.all().stream()
        .filter(process -> marks.replica(process.mark()) != null)
        .toList();
  }
}
