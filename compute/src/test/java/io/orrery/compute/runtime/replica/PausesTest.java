package io.orrery.compute.runtime.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pauses between looks at a program that starts. */
class PausesTest {
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** The ages at which a program is probed. */
  private static List<Duration> ages(Duration until) {
    List<Duration> ages = new ArrayList<>();
    Instant now = Instant.EPOCH;
    while (Duration.between(Instant.EPOCH, now).compareTo(until) < 0) {
      now = now.plus(Pauses.ofProbes(Instant.EPOCH, now, INTERVAL));
      ages.add(Duration.between(Instant.EPOCH, now));
    }
    return ages;
  }

  @Test
  void aProgramThatBecomesReadyIsSeenWithinFiveMillisecondsOrAThirtieth() {
    Duration before = Duration.ZERO;
    for (Duration age : ages(Duration.ofSeconds(5))) {
      assertThat(age.minus(before))
          .isLessThanOrEqualTo(Duration.ofNanos(Math.max(5_000_000, before.toNanos() / 30)));
      before = age;
    }
  }

  @Test
  void aProgramThatTakesMinutesIsProbedInItsInterval() {
    List<Duration> ages = ages(Duration.ofMinutes(2));

    assertThat(ages.getLast().minus(ages.get(ages.size() - 2))).isEqualTo(INTERVAL);
    assertThat(ages).hasSizeLessThan(400);
  }

  @Test
  void aClockThatIsSetBackMakesNoPauseNegativeOrLong() {
    assertThat(Pauses.ofProbes(Instant.EPOCH.plusSeconds(3_600), Instant.EPOCH, INTERVAL))
        .isEqualTo(Pauses.SHORTEST);
    assertThat(Pauses.ofLaunch(Instant.EPOCH, Instant.EPOCH.plusSeconds(60)))
        .isEqualTo(Duration.ofMillis(50));
  }
}
