package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.route.UploadRate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A test of the slowest that a body may come (E2). */
class UploadPaceTest {
  private final UploadPace pace = new UploadPace(new UploadRate(100, Duration.ofSeconds(10)));

  private boolean isTooSlow(double seconds, long came, boolean reading) {
    return isTooSlow(seconds, came, reading, false);
  }

  private boolean isTooSlow(double seconds, long came, boolean reading, boolean wanted) {
    return pace.missed((long) (seconds * 1e9), came, reading, () -> wanted) != null;
  }

  @Test
  void twoSecondsCountWhereOthersWaitForItsConnection() {
    assertThat(isTooSlow(0, 0, true, true)).isFalse();
    assertThat(isTooSlow(1.9, 0, true, true)).isFalse();
    assertThat(isTooSlow(2, 199, true, false)).isFalse();
    assertThat(isTooSlow(2.1, 199, true, true)).isTrue();
    assertThat(isTooSlow(2.5, 500, true, true)).as("it has caught up").isFalse();
    assertThat(isTooSlow(4, 399, true, true)).isFalse();
    assertThat(isTooSlow(6, 399, false, true)).as("not read meanwhile").isFalse();
  }

  @Test
  void aWindowWithTooFewBytesIsTooSlow() {
    assertThat(isTooSlow(0, 50, true)).isFalse();
    assertThat(isTooSlow(9.9, 60, true)).isFalse();
    assertThat(isTooSlow(10, 1_050, true)).isFalse();
    assertThat(isTooSlow(19.9, 1_060, true)).isFalse();
    assertThat(isTooSlow(20, 2_049, true)).isTrue();
  }

  @Test
  void aPauseBeginsTheWindowAnew() {
    assertThat(isTooSlow(0, 0, true)).isFalse();
    assertThat(isTooSlow(9, 0, false)).isFalse();
    assertThat(isTooSlow(18.9, 0, true)).isFalse();
    assertThat(isTooSlow(19, 0, true)).isTrue();
  }

  @Test
  void anyRateIsFastEnoughWhereNoneIsAskedFor() {
    UploadPace any = new UploadPace(null);

    assertThat(any.missed(0, 0, true, () -> true)).isNull();
    assertThat(any.missed(Long.MAX_VALUE / 2, 0, true, () -> true)).isNull();
  }
}
