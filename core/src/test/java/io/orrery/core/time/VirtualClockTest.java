package io.orrery.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualClockTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final VirtualClock clock = new VirtualClock(START);
  private final List<String> log = new ArrayList<>();

  private Clock.Timer after(int seconds, String what) {
    return clock.after(Duration.ofSeconds(seconds), () -> note(what));
  }

  private void note(String what) {
    log.add(what + "@" + Duration.between(START, clock.now()).toSeconds());
  }

  @Test
  void timeStandsStillUntilItIsAdvanced() {
    after(0, "now");

    assertThat(clock.now()).isEqualTo(START);
    assertThat(log).isEmpty();

    clock.advance(Duration.ZERO);
    assertThat(log).containsExactly("now@0");
  }

  @Test
  void actionsRunAtTheirOwnInstantAndInTheOrderAskedForWhenTheyCoincide() {
    after(2, "c");
    after(1, "a");
    after(1, "b");
    after(10, "later");

    clock.advance(Duration.ofSeconds(5));

    assertThat(log).containsExactly("a@1", "b@1", "c@2");
    assertThat(clock.now()).isEqualTo(START.plusSeconds(5));
    assertThat(clock.pending()).isEqualTo(1);
  }

  @Test
  void anActionMayAskForAnotherOneThatFallsDueInTheSameAdvance() {
    clock.after(
        Duration.ofSeconds(1),
        () -> {
          note("first");
          after(2, "second");
        });

    clock.advance(Duration.ofSeconds(3));

    assertThat(log).containsExactly("first@1", "second@3");
  }

  @Test
  void aCancelledActionDoesNotRun() {
    Clock.Timer timer = after(1, "never");
    after(1, "other");

    timer.cancel();
    clock.advance(Duration.ofSeconds(1));
    timer.cancel();

    assertThat(log).containsExactly("other@1");
    assertThat(clock.pending()).isZero();
  }
}
