package io.orrery.gateway.metric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AcknowledgementDelayTest {
  private final AcknowledgementDelay patience = new AcknowledgementDelay();
  private long taken;
  private long told;
  private long now = 1_000_000;

  /** A line of a trial comes, which takes a while for each; whether it is told of it at once. */
  private boolean comes() {
    return comesAfter(100);
  }

  private boolean comesAfter(long millis) {
    now += millis;
    patience.cameWith(taken - told, now);
    taken++;
    return tellIf(!patience.allows(taken - told, taken));
  }

  /** A second passes; whether the stream is told. */
  private boolean aSecondPasses() {
    now += 1_000;
    return tellIf(taken > told && patience.look(taken - told, taken));
  }

  private boolean tellIf(boolean due) {
    if (due) {
      told = taken;
      patience.told(now);
    }
    return due;
  }

  /** Lines of a sender that waits for each; after how many of them nothing was told for a while. */
  private long triedWithin(int lines) {
    long tried = 0;
    for (int i = 0; i < lines; i++) {
      if (!comes()) {
        tried++;
        assertThat(aSecondPasses()).isFalse();
        assertThat(aSecondPasses()).isTrue();
      }
    }
    return tried;
  }

  @Test
  void aNewStreamIsToldAtOnce() {
    for (int i = 0; i < 8; i++) {
      assertThat(comes()).isTrue();
    }
  }

  @Test
  void whoseLinesFollowRightUponAcknowledgementsIsNeverTried() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(comesAfter(99)).isTrue();
    }
    assertThat(comesAfter(100)).as("it had something else to do").isFalse();
  }

  @Test
  void whoWaitsIsTriedEverLessOften() {
    assertThat(triedWithin(100)).isEqualTo(4);
    assertThat(triedWithin(100_000)).isLessThanOrEqualTo(11);
  }

  @Test
  void whoGoesOnIsToldEveryFifteenSeconds() {
    triedWithin(8);
    int tellings = 0;
    for (int i = 0; i < 300; i++) {
      tellings += comes() ? 1 : 0;
      tellings += aSecondPasses() ? 1 : 0;
    }

    assertThat(tellings).isEqualTo(20);
  }

  @Test
  void whoWaitsWithThreeUntoldIsToldOfThreeAtOnce() {
    triedWithin(8);
    for (int i = 0; i < 3; i++) {
      assertThat(comes()).isFalse();
    }
    aSecondPasses();
    assertThat(aSecondPasses()).isTrue();

    for (int round = 0; round < 2; round++) {
      assertThat(comes()).isFalse();
      assertThat(comes()).isFalse();
      assertThat(comes()).isTrue();
    }
  }

  @Test
  void whoHasSentAnotherLineUntoldSendsOn() {
    triedWithin(8);
    assertThat(patience.sendsOn()).isFalse();

    comes();
    comes();
    assertThat(patience.sendsOn()).isTrue();
  }

  @Test
  void allOfVeryManyAreTold() {
    triedWithin(8);
    for (int i = 0; i < 500; i++) {
      assertThat(comes()).isFalse();
    }

    assertThat(comes()).isTrue();
  }
}
