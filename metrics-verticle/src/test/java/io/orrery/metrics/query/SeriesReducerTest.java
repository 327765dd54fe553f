package io.orrery.metrics.query;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.intermediate;
import static io.orrery.metrics.store.Points.point;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesReducerTest {
  private static SeriesReducer of(List<MetricPoint> points) {
    SeriesReducer line = new SeriesReducer();
    points.forEach(line::add);
    return line;
  }

  private static List<MetricPoint> walk(int seed, int length) {
    Random random = new Random(seed);
    double[] at = new double[1];
    return LongStream.range(0, length)
        .mapToObj(i -> intermediate(ATTEMPT, i, at[0] += random.nextGaussian()))
        .toList();
  }

  @Test
  void aShortSeriesIsAllThereBySequence() {
    List<MetricPoint> points = new ArrayList<>(walk(1, SeriesReducer.MOST_STRETCHES));
    Collections.shuffle(points, new Random(2));

    SeriesReducer line = of(points);

    assertThat(line.points()).isEqualTo(walk(1, SeriesReducer.MOST_STRETCHES));
    assertThat(line.total()).isEqualTo(SeriesReducer.MOST_STRETCHES);
  }

  /** C: NaN, the infinities and numbers whose distance is no double. */
  @Test
  void whateverTheNumbersAreTheExtremesOfALongSeriesAreKept() {
    double[] some = {Double.NaN, 1e308, -1e308, Double.MAX_VALUE, -Double.MAX_VALUE, 0.5};
    Random random = new Random(5);
    SeriesReducer line = new SeriesReducer();
    for (int i = 0; i < 200_000; i++) {
      double number =
          i == 77_777
              ? Double.POSITIVE_INFINITY
              : i == 99_999 ? Double.NEGATIVE_INFINITY : some[random.nextInt(some.length)];
      line.add(intermediate(ATTEMPT, i, number));
    }

    assertThat(line.points())
        .hasSizeLessThanOrEqualTo(2 * SeriesReducer.MOST_STRETCHES + 2)
        .extracting(MetricPoint::sequence)
        .contains(0L, 77_777L, 99_999L, 199_999L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 65_536, 65_537, 70_001, 131_072, 131_073, 300_000, 1_000_003})
  void aLongSeriesIsBoundedAndKeepsItsEndsAndItsExtremes(int length) {
    List<MetricPoint> points = walk(length, length);

    SeriesReducer line = of(points);
    List<MetricPoint> kept = line.points();

    assertThat(line.total()).isEqualTo(length);
    assertThat(kept)
        .hasSizeLessThanOrEqualTo(2 * SeriesReducer.MOST_STRETCHES + 2)
        .hasSizeGreaterThanOrEqualTo(Math.min(length, SeriesReducer.MOST_STRETCHES / 2))
        .isSortedAccordingTo(Comparator.comparingLong(MetricPoint::sequence))
        .doesNotHaveDuplicates();
    assertThat(kept.getFirst()).isEqualTo(points.getFirst());
    assertThat(kept.getLast()).isEqualTo(points.getLast());
    Comparator<MetricPoint> byNumber = Comparator.comparingDouble(point -> point.value().number());
    assertThat(kept).contains(Collections.min(points, byNumber), Collections.max(points, byNumber));
  }

  @Test
  void ofEachStretchTheLowestAndTheHighestAreThere() {
    int length = 4 * SeriesReducer.MOST_STRETCHES;
    List<MetricPoint> points = walk(5, length);
    List<MetricPoint> kept = of(points).points();

    for (int from = 0; from < length; from += length / 8) {
      List<MetricPoint> part = points.subList(from, from + 4_000);
      double lowest = part.stream().mapToDouble(p -> p.value().number()).min().orElseThrow();
      double highest = part.stream().mapToDouble(p -> p.value().number()).max().orElseThrow();
      assertThat(kept)
          .anyMatch(p -> p.value().number() == lowest)
          .anyMatch(p -> p.value().number() == highest);
    }
  }

  @Test
  void theEndsAreThoseBySequenceHoweverTheyCame() {
    List<MetricPoint> points = new ArrayList<>(walk(7, 200_000));
    Collections.reverse(points);

    List<MetricPoint> kept = of(points).points();

    assertThat(kept.getFirst()).isEqualTo(points.getLast());
    assertThat(kept.getLast()).isEqualTo(points.getFirst());
  }

  @Test
  void whatIsNoNumberIsKeptWhereThereIsNoOther() {
    List<MetricPoint> points =
        LongStream.range(0, 200_000)
            .mapToObj(i -> intermediate(ATTEMPT, i, i < 100_000 || i % 2 == 0 ? Double.NaN : i))
            .toList();

    List<MetricPoint> kept = of(points).points();

    assertThat(kept).anyMatch(p -> p.sequence() > 0 && Double.isNaN(p.value().number()));
    assertThat(kept.stream().filter(p -> p.sequence() > 100_000))
        .noneMatch(p -> Double.isNaN(p.value().number()));
  }

  @Test
  void largeObjectsAreNotAllHeld() {
    String document = "{\"default\":1,\"x\":\"" + "x".repeat(100_000) + "\"}";
    SeriesReducer line = new SeriesReducer();
    for (int i = 0; i < 2_000; i++) {
      line.add(point(ATTEMPT, i, MetricKind.INTERMEDIATE, new MetricValue(i, document)));
    }

    List<MetricPoint> kept = line.points();

    assertThat(line.total()).isEqualTo(2_000);
    assertThat(kept.stream().mapToLong(p -> 200_000L).sum())
        .isLessThanOrEqualTo(SeriesReducer.MOST_BYTES + 400_000);
    assertThat(kept.getFirst().sequence()).isZero();
    assertThat(kept.getLast().sequence()).isEqualTo(1_999);
  }
}
