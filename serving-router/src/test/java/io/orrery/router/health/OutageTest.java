package io.orrery.router.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Checks in which time requests wait that no endpoint takes, and how often they try. */
class OutageTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Outage outage = new Outage(Duration.ofSeconds(5));

  @Test
  void requestsWaitFromTheFirstThatNoEndpointTookUntilItsTimeIsOver() {
    assertThat(outage.begin(0)).isTrue();
    assertThat(outage.begin(4 * SECOND)).isTrue();
    assertThat(outage.isOver(4 * SECOND)).isFalse();

    assertThat(outage.isOver(6 * SECOND)).isTrue();
    assertThat(outage.begin(6 * SECOND)).isFalse();
    assertThat(outage.begin(10 * SECOND)).isFalse();
  }

  @Test
  void oneThatNoRequestMetForLongIsAnotherOne() {
    outage.begin(0);
    outage.begin(3 * SECOND);
    assertThat(outage.begin(6 * SECOND)).isFalse();

    assertThat(outage.begin(600 * SECOND)).isTrue();
    assertThat(outage.begin(604 * SECOND)).isTrue();
    assertThat(outage.isOver(606 * SECOND)).isTrue();
  }

  @Test
  void anAnswerEndsItSoThatTheNextOneHasItsOwnTime() {
    outage.begin(0);

    outage.end();

    assertThat(outage.isOver(6 * SECOND)).isFalse();
    assertThat(outage.begin(6 * SECOND)).isTrue();
    assertThat(outage.begin(10 * SECOND)).isTrue();
  }

  @Test
  void oneRequestAtATimeTriesUntilOneIsAnswered() {
    outage.begin(0);
    int turns = 0;
    for (long now = 0; now < SECOND; now += SECOND / 1_000) {
      turns += outage.takeTurn(now) ? 1 : 0;
    }

    assertThat(turns).isBetween(20, 25);
    outage.end();
    assertThat(outage.takeTurn(SECOND)).isTrue();
    assertThat(outage.takeTurn(SECOND)).isTrue();
  }
}
