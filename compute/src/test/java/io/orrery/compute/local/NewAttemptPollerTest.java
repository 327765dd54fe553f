package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewAttemptPollerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final VirtualClock clock = new VirtualClock(START);
  private final NewAttemptPoller firstLooks = new NewAttemptPoller(clock);
  private final List<Long> looks = new ArrayList<>();

  private NewAttemptPoller.Beginner begin() {
    return firstLooks.on(() -> looks.add(Duration.between(START, clock.now()).toMillis()));
  }

  @Test
  void anAttemptIsLookedAtWheneverItHasBecomeTwiceAsOldAndThenNoMore() {
    NewAttemptPoller.Beginner beginner = begin();

    clock.advance(Duration.ofMillis(700));
    assertThat(looks).containsExactly(20L, 120L, 320L);
    assertThat(beginner.isGrown()).isFalse();

    clock.advance(Duration.ofMinutes(1));
    assertThat(looks).containsExactly(20L, 120L, 320L, 720L);
    assertThat(beginner.isGrown()).isTrue();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void thoseThatBeginApartAreLookedAtTogether() {
    begin();
    clock.advance(Duration.ofMillis(60));
    begin();
    clock.advance(Duration.ofMillis(30));
    begin();
    clock.advance(Duration.ofMillis(50));

    assertThat(looks).containsExactly(20L, 120L, 120L, 120L);
    assertThat(clock.pending()).isOne();
  }

  @Test
  void whoIsOverIsLookedAtNoMoreAndWhoComesAfterThatSoon() {
    begin().close();
    clock.advance(Duration.ofSeconds(1));
    assertThat(looks).isEmpty();
    assertThat(clock.pending()).isZero();

    begin();
    clock.advance(Duration.ofMillis(20));
    assertThat(looks).containsExactly(1_020L);
  }

  @Test
  void thereAreNoRoundsAfterTheEnd() {
    begin();
    firstLooks.close();
    begin();

    assertThat(clock.pending()).isZero();
  }
}
