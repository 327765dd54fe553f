package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.result;
import static io.orrery.metrics.store.Points.series;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RollupTest {
  private static List<MetricPoint> thinned(List<MetricPoint> points, int most) {
    Rollup rollup = new Rollup(most);
    points.forEach(rollup::add);
    return rollup.points();
  }

  private static MetricPoint at(long ordinal, long sequence, MetricValue value) {
    return new MetricPoint(
        ATTEMPT, "main", ordinal, MetricKind.INTERMEDIATE, sequence, null, ordinal, value);
  }

  private static MetricPoint at(long ordinal, long sequence, double number) {
    return at(ordinal, sequence, MetricValue.of(number));
  }

  @Test
  void fewPointsStayAsTheyAre() {
    assertThat(thinned(series(ATTEMPT, 0, 10), 40)).isEqualTo(series(ATTEMPT, 0, 10));
    assertThat(thinned(List.of(), 4)).isEmpty();
  }

  @Test
  void ofEachStretchFirstLastLowestAndHighestStay() {
    List<MetricPoint> points = new ArrayList<>();
    double[] numbers = {1, 5, 2, 0, 3, 3, 9, 3, 2, 4, 8, 8, 1, 7, 1, 6};
    for (int i = 0; i < numbers.length; i++) {
      points.add(at(i, i, numbers[i]));
    }
    assertThat(thinned(points, 8).stream().map(MetricPoint::sequence))
        .as("two stretches of eight; of equals the first")
        .containsExactly(0L, 3L, 6L, 7L, 8L, 10L, 12L, 15L);
  }

  @Test
  void everyResultStays() {
    List<MetricPoint> points = new ArrayList<>(series(ATTEMPT, 0, 1_000));
    List<MetricPoint> results = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      results.add(result(ATTEMPT, i, i));
      points.add(20 * i, results.get(i));
    }
    assertThat(thinned(points, 4)).containsAll(results).hasSizeLessThanOrEqualTo(54);
  }

  @Test
  void aStretchOfNothingButNanKeepsItsEndsAndANumberBeatsNan() {
    List<MetricPoint> points = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      points.add(at(i, i, i == 5 ? 1 : Double.NaN));
    }
    assertThat(thinned(points, 4)).containsExactly(points.get(0), points.get(5), points.get(7));
    assertThat(thinned(points.subList(0, 5), 4)).containsExactly(points.get(0), points.get(4));
  }

  @Test
  void eachMetricOfAnObjectKeepsItsOwnExtremes() {
    List<MetricPoint> points = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      double loss = i == 20 ? 100 : 1;
      double accuracy = i == 40 ? -1 : 0.5;
      points.add(
          at(i, i, MetricValue.parse("{\"loss\":" + loss + ",\"accuracy\":" + accuracy + "}")));
    }
    assertThat(thinned(points, 4))
        .contains(points.get(0), points.get(20), points.get(40), points.get(63))
        .hasSizeLessThan(6);
  }

  @Test
  void thinningOutWhatWasThinnedOutIsThinningOutAll() {
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      int most = 4 + random.nextInt(40);
      List<MetricPoint> all = anything(random, random.nextInt(400));
      int cut = random.nextInt(all.size() + 1);
      List<MetricPoint> inTwo =
          thinned(
              Stream.concat(
                      thinned(all.subList(0, cut), most).stream(),
                      all.subList(cut, all.size()).stream())
                  .toList(),
              most);

      assertThat(inTwo).isEqualTo(thinned(all, most));
      assertThat(thinned(inTwo, most)).isEqualTo(inTwo);
      assertThat(inTwo.stream().filter(p -> p.kind() == MetricKind.INTERMEDIATE))
          .hasSizeLessThanOrEqualTo(2 * Math.max(4, most));
    }
  }

  /** Numbers and objects, in any order of sequence, far apart and equal. */
  private static List<MetricPoint> anything(Random random, int count) {
    List<MetricPoint> points = new ArrayList<>();
    long spread = 1L << random.nextInt(62);
    for (int i = 0; i < count; i++) {
      long sequence = random.nextLong(-spread, spread);
      double number = random.nextInt(6) == 0 ? Double.NaN : random.nextInt(10);
      points.add(
          switch (random.nextInt(8)) {
            case 0 -> result(ATTEMPT, i, number);
            case 1 -> at(i, sequence, MetricValue.parse("{\"loss\":" + random.nextInt(9) + "}"));
            case 2 -> at(i, Long.MAX_VALUE, number);
            default -> at(i, sequence, number);
          });
    }
    return points;
  }
}
