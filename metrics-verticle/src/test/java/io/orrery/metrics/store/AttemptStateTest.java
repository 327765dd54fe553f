package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.intermediate;
import static io.orrery.metrics.store.Points.result;
import static io.orrery.metrics.store.Points.series;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AttemptStateTest {
  private AttemptState state = new AttemptState(ATTEMPT);

  private boolean take(List<MetricPoint> points) {
    Problem excess = state.excess(points);
    if (excess != null) {
      assertThat(excess).isInstanceOf(Problem.TooLarge.class);
      return false;
    }
    points.forEach(point -> state.claim(point, 0));
    return true;
  }

  private static List<MetricPoint> everySecond(long from, long to) {
    return LongStream.range(from, to).mapToObj(i -> intermediate(ATTEMPT, 2 * i, 1)).toList();
  }

  private static MetricPoint from(String source, long ordinal) {
    return new MetricPoint(
        ATTEMPT, source, ordinal, MetricKind.INTERMEDIATE, 0, null, 0, MetricValue.of(1));
  }

  @Test
  void asManyGapsAreKnownAsTheBoundSaysAlsoAfterBeingStored() {
    int most = AttemptState.MAX_RANGES;
    assertThat(take(everySecond(0, most - 10))).isTrue();
    assertThat(take(everySecond(most, most + 11))).as("eleven more").isFalse();
    state = AttemptState.of(ATTEMPT, state.seen(), null);
    assertThat(take(everySecond(most, most + 10))).isTrue();

    assertThat(take(List.of(intermediate(ATTEMPT, 10L * most, 1)))).isFalse();
    assertThat(take(List.of(result(ATTEMPT, 0, 1)))).as("a result alone").isFalse();
  }

  @Test
  void aFullAttemptStillTakesWhatLeavesNoGapAndWhatItKnows() {
    int most = AttemptState.MAX_RANGES;
    take(everySecond(0, most));

    assertThat(take(series(ATTEMPT, 2L * most - 1, 2L * most + 5_000))).as("goes on").isTrue();
    assertThat(take(everySecond(0, most))).as("again").isTrue();
    assertThat(take(List.of(intermediate(ATTEMPT, 1, 1)))).as("closes a gap").isTrue();
    assertThat(take(List.of(intermediate(ATTEMPT, 10L * most, 1)))).as("in its place").isTrue();
    assertThat(take(List.of(intermediate(ATTEMPT, 20L * most, 1)))).isFalse();
  }

  @Test
  void aLongSeriesIsTakenHoweverLongItIs() {
    assertThat(take(series(ATTEMPT, 0, 3L * AttemptState.MAX_RANGES))).isTrue();
  }

  @Test
  void asManySourcesReportAsTheBoundSaysAndThoseThatDidGoOn() {
    int most = AttemptState.MAX_SOURCES;
    List<MetricPoint> each = IntStream.range(0, most).mapToObj(i -> from("s" + i, 0)).toList();
    assertThat(take(each)).isTrue();

    assertThat(take(List.of(from("s0", 1), from("another", 0)))).isFalse();
    assertThat(take(each)).isTrue();
    assertThat(take(List.of(from("s0", 1), from("s1", 1)))).isTrue();
  }

  @Test
  void aBatchOfMoreSourcesThanEverIsRefusedBeforeAnyIsKnown() {
    List<MetricPoint> each =
        IntStream.rangeClosed(0, AttemptState.MAX_SOURCES).mapToObj(i -> from("s" + i, 0)).toList();

    assertThat(take(each)).isFalse();
    assertThat(state.weight()).isEqualTo(1);
  }
}
