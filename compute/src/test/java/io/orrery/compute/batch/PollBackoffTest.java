package io.orrery.compute.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PollBackoffTest {
  private static final Duration LEAST = Duration.ofSeconds(3);
  private static final Duration MOST = Duration.ofSeconds(30);

  /** Neither more nor less than the pause itself. */
  private static final RandomGenerator MIDDLE =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return 0;
        }

        @Override
        public double nextDouble() {
          return 0.5;
        }
      };

  @Test
  void theLessHappensTheLongerThePauseUpToTheMost() {
    PollBackoff pace = new PollBackoff(LEAST, MOST, MIDDLE);

    assertThat(pace.idle()).isEqualTo(LEAST);
    assertThat(pace.idle()).isEqualTo(Duration.ofMillis(4_500));
    for (int i = 0; i < 20; i++) {
      pace.idle();
    }
    assertThat(pace.idle()).isEqualTo(MOST);
    pace.quicken();
    assertThat(pace.idle()).isEqualTo(LEAST);
  }

  @Test
  void eachRefusalDoublesThePause() {
    PollBackoff pace = new PollBackoff(LEAST, MOST, MIDDLE);

    assertThat(pace.refused(null)).isEqualTo(Duration.ofSeconds(6));
    assertThat(pace.refused(null)).isEqualTo(Duration.ofSeconds(12));
    assertThat(pace.refused(null)).isEqualTo(Duration.ofSeconds(24));
    assertThat(pace.refused(null)).isEqualTo(MOST);
  }

  @Test
  void aServiceThatAsksForALongerPauseGetsIt() {
    PollBackoff pace = new PollBackoff(LEAST, MOST, MIDDLE);

    assertThat(pace.refused(Duration.ofSeconds(100))).isEqualTo(Duration.ofSeconds(103));
    assertThat(pace.refused(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(12));
  }

  @Test
  void serversThatStartTogetherDoNotAskTogether() {
    PollBackoff one = new PollBackoff(LEAST, MOST, new SplittableRandom(1));
    PollBackoff other = new PollBackoff(LEAST, MOST, new SplittableRandom(2));

    for (int i = 0; i < 100; i++) {
      Duration pause = one.idle();
      assertThat(pause).isNotEqualTo(other.idle()).isBetween(seconds(2.4), seconds(36));
    }
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }
}
