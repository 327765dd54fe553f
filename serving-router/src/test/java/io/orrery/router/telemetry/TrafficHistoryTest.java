package io.orrery.router.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.telemetry.TrafficHistory.Curve;
import io.orrery.router.telemetry.TrafficHistory.Point;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tells what was answered in each step of the last hour. */
class TrafficHistoryTest {
  private static final long STEP = TrafficHistory.STEP_SECONDS * 1_000L;
  private static final long MILLI = 1_000_000;

  private final Meters meters = new Meters();
  private final TrafficHistory history = new TrafficHistory(meters);

  @Test
  void eachStepHasItsOwnRequestsAndAQuietOneHasNone() {
    meters.answered("a", "a", 200, MILLI);
    history.step(0);
    for (int i = 0; i < 9; i++) {
      meters.answered("a", "a", 200, MILLI);
    }
    meters.answered("a", "a", 503, 90 * MILLI);
    meters.answered("a", "b", 404, MILLI);
    history.step(STEP);
    history.step(2 * STEP);
    meters.answered("a", "a", 200, MILLI);
    meters.answered("a", "b", 200, MILLI);
    history.step(3 * STEP);

    List<Curve> curves = history.of("a");
    assertThat(curves).extracting(Curve::version).containsExactly("a", "b");
    List<Point> points = curves.getFirst().points();
    assertThat(points).extracting(Point::at).containsExactly(STEP, 3 * STEP);
    assertThat(points.getFirst().requests()).isEqualTo(10);
    assertThat(points.getFirst().errors()).isEqualTo(1);
    assertThat(points.getFirst().p50Millis()).isBetween(0.5, 1.0);
    assertThat(points.getFirst().p99Millis()).isBetween(50.0, 100.0);
    assertThat(curves.get(1).points()).extracting(Point::at).containsExactly(3 * STEP);
    assertThat(history.of("other")).isEmpty();
  }

  @Test
  void anHourIsKeptAndWhatHasLeftTheTableIsForgotten() {
    meters.answered("a", "a", 200, MILLI);
    history.step(0);
    for (int i = 1; i <= 500; i++) {
      meters.answered("a", "a", 200, MILLI);
      history.step(i * STEP);
    }

    List<Point> points = history.of("a").getFirst().points();
    assertThat(points).hasSize(360);
    assertThat(points.getLast().at()).isEqualTo(500 * STEP);

    meters.swapped(Set.of("other"));
    history.step(501 * STEP);
    assertThat(history.of("a")).isEmpty();
  }
}
