package io.orrery.compute.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.RuntimeFixture;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.service.Eventually;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.WorkloadRef;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cost of replicas that are ready and do nothing. Each is probed so much more often that all
 * together are as often as 3,000 would be: {@code -Dorrery.replicas=50}.
 */
@EnabledIfSystemProperty(named = "orrery.replicas", matches = "\\d+")
class RestingReplicasIT extends RuntimeFixture {
  private static final int REPLICAS = Integer.getInteger("orrery.replicas", 50);
  private static final int SERVICES_TIMES_REPLICAS = 3_000;
  private static final long SECONDS = 30;

  @TempDir Path home;

  @Override
  protected Runtime open() {
    ReplicaSettings usual = ReplicaSettings.DEFAULT;
    return new ProcessRuntime(
        vertx,
        home,
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        System.getenv(),
        Sandbox.NONE,
        new ReplicaSettings(
            usual.tick(),
            usual.rest().multipliedBy(REPLICAS).dividedBy(SERVICES_TIMES_REPLICAS),
            usual.retry(),
            usual.largestLog(),
            usual.starts(),
            usual.backoff()));
  }

  @Override
  protected String image() {
    return null;
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) {}

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void replicasAtRestCostLittle() throws Exception {
    want(1, web(Map.of()), REPLICAS);
    Eventually.until(
        "all are ready",
        () ->
            runtime.now(HELLO).replicas().stream().filter(r -> r.phase().isReady()).count()
                == REPLICAS);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    measure(system);
    double share = measure(system);

    System.out.printf(
        "3000 replicas at rest cost %.1f %% of a core (probes of %d)%n", 100 * share, REPLICAS);
    assertThat(share).isLessThan(0.05);
  }

  private static double measure(OperatingSystemMXBean system) throws InterruptedException {
    long cpu = system.getProcessCpuTime();
    Thread.sleep(Duration.ofSeconds(SECONDS));
    return (system.getProcessCpuTime() - cpu) / (SECONDS * 1e9);
  }
}
