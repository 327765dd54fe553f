package io.orrery.gateway.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamFlushTest {
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(1);

  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final List<List<Integer>> together = new ArrayList<>();
  private final List<Integer> done = new ArrayList<>();
  private final StreamFlush rounds =
      new StreamFlush(
          clock,
          turns -> {
            turns.run();
            together.add(List.copyOf(done));
            done.clear();
          });

  private void join(int turn) {
    rounds.join(() -> done.add(turn), false);
  }

  private void joinAtLeisure(int turn) {
    rounds.join(() -> done.add(turn), true);
  }

  @Test
  void whoComesFirstGoesAtOnceAndTheNextOnesTogether() {
    join(1);
    assertThat(together).containsExactly(List.of(1));

    join(2);
    join(3);
    assertThat(together).hasSize(1);

    clock.advance(LONG_ENOUGH);
    assertThat(together).containsExactly(List.of(1), List.of(2, 3));
  }

  @Test
  void afterAnUnusedPauseTheNextOneGoesAtOnce() {
    join(1);
    clock.advance(LONG_ENOUGH);
    assertThat(clock.pending()).isZero();

    join(2);
    assertThat(together).containsExactly(List.of(1), List.of(2));
  }

  @Test
  void whoJoinsInARoundGoesInTheNext() {
    rounds.join(() -> join(2), false);
    assertThat(together).containsExactly(List.of());

    clock.advance(LONG_ENOUGH);
    assertThat(together).containsExactly(List.of(), List.of(2));
  }

  @Test
  void whoHasTimeWaitsTwiceAsLong() {
    join(1);
    joinAtLeisure(2);
    clock.advance(Duration.ofMillis(50));
    assertThat(together).hasSize(1);

    clock.advance(Duration.ofMillis(50));
    assertThat(together).containsExactly(List.of(1), List.of(2));
  }

  @Test
  void whoHasNoneTakesTheOthersAlong() {
    join(1);
    joinAtLeisure(2);
    clock.advance(Duration.ofMillis(50));
    join(3);
    assertThat(together).containsExactly(List.of(1), List.of(2, 3));

    joinAtLeisure(4);
    join(5);
    clock.advance(Duration.ofMillis(40));
    assertThat(together).containsExactly(List.of(1), List.of(2, 3), List.of(4, 5));
  }

  @Test
  void whoJoinsInAGatheringGoesInOneRound() {
    rounds.gather(() -> {
      joinAtLeisure(1);
      join(2);
      joinAtLeisure(3);
      assertThat(together).isEmpty();
    });
    assertThat(together).containsExactly(List.of(1, 2, 3));
  }

  @Test
  void anEmptyGatheringIsNoRound() {
    rounds.gather(() -> {});

    assertThat(together).isEmpty();
    assertThat(clock.pending()).isZero();
  }
}
