package io.orrery.orchestrator.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.orchestrator.quota.FairShares.Claim;
import io.orrery.orchestrator.quota.Preemption.Holding;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PreemptionTest {
  private static final ProjectName A = new ProjectName("a");
  private static final ProjectName B = new ProjectName("b");
  private static final ProjectName C = new ProjectName("c");

  private static Amounts gpus(long number) {
    return Amounts.of(QuotaResource.GPU, number);
  }

  private static QuotaObject object(String name) {
    return new QuotaObject("experiment", name);
  }

  private static Claim claim(int priority, long gpus, int missing) {
    return new Claim(
        object("new"), C, priority, gpus(gpus), missing, QuotaScope.SERVER, Instant.EPOCH);
  }

  private static final List<Holding> HOLDINGS =
      List.of(
          new Holding(object("small"), A, 50, gpus(1), 2),
          new Holding(object("large"), B, 50, gpus(1), 4),
          new Holding(object("low"), A, 10, gpus(1), 1),
          new Holding(object("idle"), A, 0, Amounts.of(QuotaResource.CPU, 1), 3));

  /** Eight GPUs: three are held by A, four by B, and one is free. */
  private static Map<QuotaObject, Integer> choose(Claim claim, long ending) {
    return Preemption.choose(
        new FairShares(Map.of(QuotaResource.GPU, 8L), Map.of(A, gpus(3), B, gpus(4))),
        List.of(claim),
        HOLDINGS,
        gpus(ending));
  }

  @Test
  void theLowestPriorityEndsFirstAndThenTheLargestShare() {
    assertThat(choose(claim(60, 1, 1), 0)).isEmpty();
    assertThat(choose(claim(60, 1, 2), 0)).isEqualTo(Map.of(object("low"), 1));
    assertThat(choose(claim(60, 2, 2), 0)).isEqualTo(Map.of(object("low"), 1, object("large"), 2));
    assertThat(choose(claim(60, 1, 100), 0))
        .isEqualTo(Map.of(object("low"), 1, object("large"), 4, object("small"), 2));
  }

  @Test
  void nothingEndsForAnEqualAndNothingInVain() {
    assertThat(choose(claim(50, 1, 4), 0)).isEqualTo(Map.of(object("low"), 1));
    assertThat(choose(claim(10, 1, 4), 0)).isEmpty();
    assertThat(choose(claim(50, 3, 1), 0)).as("one would not suffice").isEmpty();
    assertThat(choose(claim(60, 9, 1), 0)).as("it never fits").isEmpty();
  }

  @Test
  void whatIsEndingAlreadyIsNotEndedTwice() {
    assertThat(choose(claim(60, 1, 2), 1)).isEmpty();
    assertThat(choose(claim(60, 1, 3), 1)).isEqualTo(Map.of(object("low"), 1));
  }
}
