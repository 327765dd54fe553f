package io.orrery.router.health;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TallyTest {
  @Test
  void aLoopThatIsAloneMayHaveAllThereIs() {
    Tally tally = new Tally(4);
    tally.limit(10);

    for (int i = 0; i < 10; i++) {
      assertThat(tally.enter(3)).isTrue();
    }

    assertThat(tally.enter(3)).isFalse();
    assertThat(tally.enter(0)).as("of another loop").isFalse();
    assertThat(tally.sum()).isEqualTo(10);
    tally.add(3, -1);
    assertThat(tally.enter(0)).isTrue();
    assertThat(tally.enter(3)).isFalse();
  }

  @Test
  void aLimitBelowTheNumberOfLoopsHolds() {
    Tally tally = new Tally(8);
    tally.limit(1);

    assertThat(tally.enter(5)).isTrue();
    assertThat(tally.enter(2)).isFalse();
    tally.add(5, -1);
    assertThat(tally.enter(2)).isTrue();
  }

  @Test
  void aClassOfRequestsFillsItsPartAndTheOthersAllOfIt() {
    Tally tally = new Tally(4);
    tally.limit(10);

    for (int i = 0; i < 5; i++) {
      assertThat(tally.enter(3, 5)).isTrue();
    }
    assertThat(tally.enter(3, 5)).isFalse();
    assertThat(tally.enter(0, 5)).as("of another loop").isFalse();
    assertThat(tally.enter(0, 6)).isTrue();

    for (int i = 0; i < 4; i++) {
      assertThat(tally.enter(i)).isTrue();
    }
    assertThat(tally.enter(1)).isFalse();
    assertThat(tally.sum()).isEqualTo(10);
    tally.add(3, -6);
    assertThat(tally.enter(2, 5)).isTrue();
    assertThat(tally.enter(2, 5)).isFalse();
  }

  @Test
  void aLimitThatBecomesLowerCountsWhatIsUnderWay() {
    Tally tally = new Tally(2);
    tally.limit(100);
    for (int i = 0; i < 50; i++) {
      tally.enter(0);
    }

    tally.limit(52);

    assertThat(tally.enter(1)).isTrue();
    assertThat(tally.enter(1)).isTrue();
    assertThat(tally.enter(1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void neverMoreThanTheLimitAreLetInByAllLoopsTogether(int loops) throws Exception {
    int limit = 6;
    Tally tally = new Tally(loops);
    tally.limit(limit);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(loops);
    try (ExecutorService threads = Executors.newFixedThreadPool(loops)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < loops; i++) {
        int loop = i;
        all.add(
            threads.submit(() -> {
              start.countDown();
              start.await();
              for (int turn = 0; turn < 20_000; turn++) {
                int entered = 0;
                while (entered < limit && tally.enter(loop)) {
                  entered++;
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                }
                for (; entered > 0; entered--) {
                  inside.decrementAndGet();
                  tally.add(loop, -1);
                }
              }
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get(60, SECONDS);
      }
    }

    assertThat(most.get()).isPositive().isLessThanOrEqualTo(limit);
    assertThat(tally.sum()).isZero();
  }
}
