package io.orrery.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MembershipSessionTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final Member MEMBER = new Member("m1", "http://127.0.0.1:1", "host", Set.of());

  @Test
  void livesAsLongAsItIsHeardOf() {
    MembershipSession seat = new MembershipSession(MEMBER, System.nanoTime() + HOUR);

    assertThat(seat.alive()).isTrue();
    seat.liveUntil(System.nanoTime() + 2 * HOUR);
    assertThat(seat.alive()).isTrue();
    seat.liveUntil(System.nanoTime() - 1);
    assertThat(seat.alive()).isFalse();
  }

  @Test
  void isNotAliveAgainOnceItWasNot() {
    MembershipSession late = new MembershipSession(MEMBER, System.nanoTime() - 1);

    late.liveUntil(System.nanoTime() + HOUR);

    assertThat(late.alive()).isFalse();
  }

  @Test
  void itsLeasesAreHeldNoMoreWhenItIsOver() {
    MembershipSession late = new MembershipSession(MEMBER, System.nanoTime() - 1);

    assertThat(late.hold(null, "experiment/a", 1).held()).isFalse();
  }
}
