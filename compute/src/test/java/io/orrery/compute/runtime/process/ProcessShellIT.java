package io.orrery.compute.runtime.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.runtime.RuntimeFixture;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.service.Eventually;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens shells beside processes, and takes over from a server that had some open. */
class ProcessShellIT extends RuntimeFixture {
  @TempDir Path directory;

  @Override
  protected Runtime open() {
    return new ProcessRuntime(
        vertx,
        directory.resolve("home"),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        System.getenv(),
        Sandbox.NONE,
        ReplicaSettings.DEFAULT);
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
  void aShellThatAKilledServerHadOpenEndsWithItsProgramsWhenTheNextOneStarts() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica before = ready(ref(1, 0));
    String pid = get(before, "/pid");
    String program = "sleep 1000." + Math.abs(System.nanoTime());
    ReplicaShell shell = await(runtime.shell(ref(1, 0), TerminalSize.USUAL));
    await(shell.write((program + " & " + program + "\n").getBytes(UTF_8)));
    Eventually.until("both run", () -> programs(program) == 2);

    await(runtime.close());
    assertThat(programs(program)).isEqualTo(2);
    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    Eventually.until("both are gone", () -> programs(program) == 0);
    assertThat(get(before, "/pid")).isEqualTo(pid);
    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }
}
