package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.policy.MemoryBudget.Owner;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.telemetry.Meters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ReadBudgetTest {
  private static final int KB = 1024;
  private static final int LARGE = 256 * KB;

  private final MemoryBudget memory =
      new MemoryBudget(
          new ClientLimits(
              64_000 * KB, 64_000 * KB, 64_000 * KB, 4, 4, Duration.ofSeconds(60), null),
          1,
          0,
          new Meters(),
          0);

  /** Tasks that run at the end of the turn. */
  private final Queue<Runnable> later = new ArrayDeque<>();

  private final ReadBudget budget = new ReadBudget(memory, later::add);

  /** Reads each of so many connections once, as much as there is and as it may be. */
  private int turn(int connections, int ready) {
    int read = 0;
    for (int i = 0; i < connections; i++) {
      int bytes = Math.min(ready, Math.min(LARGE, budget.most()));
      budget.add(bytes);
      read += bytes;
    }
    while (!later.isEmpty()) {
      later.remove().run();
    }
    return read;
  }

  @Test
  void aConnectionAloneIsReadInTheLargestPieces() {
    for (int turn = 0; turn < 100; turn++) {
      assertThat(turn(1, LARGE)).isEqualTo(LARGE);
    }
  }

  @Test
  void manyConnectionsWithMuchToReadAreReadLittleInATurnEach() {
    int all = turn(500, LARGE);

    assertThat(all).isBetween(2_000 * KB, 2_000 * KB + 500 * 16 * KB);
    assertThat(turn(1, LARGE)).as("the next turn").isEqualTo(LARGE);
  }

  @Test
  void eachOfAFewConnectionsIsReadMoreThanAQuarterOfTheLargestPiece() {
    assertThat(turn(8, LARGE)).isGreaterThan(8 * LARGE / 2);
  }

  @Test
  void smallReadsTakeNothingFromOthersAndAreNoWorkLater() {
    for (int i = 0; i < 10_000; i++) {
      budget.add(KB);
    }
    budget.add(-1);

    assertThat(later).isEmpty();
    assertThat(budget.most()).isGreaterThanOrEqualTo(LARGE);
  }

  @Test
  void littleIsReadWhereMemoryRunsOut() {
    memory.open("a").stream(
            new Owner() {
              @Override
              public void resume() {}

              @Override
              public void cut() {}
            })
        .keep(64_000 * KB);

    assertThat(turn(1, LARGE)).isEqualTo(KB);
  }
}
