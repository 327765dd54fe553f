package io.orrery.compute.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.WorkloadSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Checks what is said of a replica that cannot start: it is found before anything starts, or it is
 * the reason of the replica within ten seconds.
 */
public abstract class StartReasonContract extends RuntimeFixture {
  private static final Duration SOON = Duration.ofSeconds(10);

  /** The web server with mounts. */
  protected WorkloadSpec mounting(String mounts) {
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
        Mounts.read(mounts).value());
  }

  /** Has a replica started, and waits for a reason with these words, which is to come in time. */
  protected Replica told(WorkloadSpec spec, String... words) throws Exception {
    long asked = System.nanoTime();
    want(1, spec, 1);
    Predicate<String> told = reason -> List.of(words).stream().allMatch(reason::contains);
    Replica replica = until(ref(1, 0), it -> told.test(Objects.toString(it.reason(), "")));
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(SOON);
    return replica;
  }

  @Test
  void aMissingMountIsFoundBeforeAnythingStarts() throws Exception {
    assertThat(await(runtime.check(mounting("no-such-claim(pvc):/data"))))
        .anySatisfy(sentence -> assertThat(sentence).contains("no-such-claim"));
    assertThat(await(runtime.check(web(Map.of())))).isEmpty();
  }

  @Test
  void aPortOnWhichNothingListensIsToldWithItsNumber() throws Exception {
    WorkloadSpec spec =
        program(List.of("python3", "-c", "import time; time.sleep(1000)"), Map.of());

    Replica silent = told(spec, "GET /health on port ");

    assertThat(silent.phase()).isEqualTo(ReplicaPhase.STARTING);
  }
}
