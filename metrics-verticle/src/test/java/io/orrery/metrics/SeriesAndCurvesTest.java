package io.orrery.metrics;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.TRIAL;
import static io.orrery.metrics.store.Points.intermediate;
import static io.orrery.metrics.store.Points.point;
import static io.orrery.metrics.store.Points.result;
import static io.orrery.metrics.store.Points.series;
import static io.orrery.metrics.store.Points.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the series and curves of trials that charts ask for. */
class SeriesAndCurvesTest extends MetricsFixture {
  @Test
  void aSeriesIsOrderedBySequenceThenArrival() throws Exception {
    MetricPoint late = at(0, 5);
    MetricPoint early = at(1, 2);
    MetricPoint again = at(2, 5);
    append(List.of(late, early, again, result(ATTEMPT, 3, 0.7)));
    Metrics.Series series = seriesOf(10);
    assertThat(series.points()).containsExactly(early, late, again);
    assertThat(series.result()).isEqualTo(result(ATTEMPT, 3, 0.7));
    assertThat(series.total()).isEqualTo(3);
  }

  private static MetricPoint at(long ordinal, long sequence) {
    return new MetricPoint(
        ATTEMPT,
        "main",
        ordinal,
        MetricKind.INTERMEDIATE,
        sequence,
        null,
        0,
        MetricValue.of((double) sequence));
  }

  @Test
  void aLongSeriesKeepsItsEndsAndExtremes() throws Exception {
    List<MetricPoint> points = new ArrayList<>(series(ATTEMPT, 0, 10_000));
    points.set(5_000, intermediate(ATTEMPT, 5_000, 77));
    append(points);
    Metrics.Series series = seriesOf(100);
    assertThat(series.points()).hasSizeBetween(50, 100);
    assertThat(series.points()).contains(points.get(0), points.get(5_000), points.get(9_999));
    assertThat(series.total()).isEqualTo(10_000);
  }

  @Test
  void aKeyPicksANumberOutOfAnObject() throws Exception {
    append(
        List.of(
            point(
                ATTEMPT,
                0,
                MetricKind.INTERMEDIATE,
                MetricValue.parse("{\"default\":1,\"loss\":\"NaN\"}")),
            intermediate(ATTEMPT, 1, 2),
            point(
                ATTEMPT,
                2,
                MetricKind.INTERMEDIATE,
                MetricValue.parse("{\"default\":3,\"loss\":0.25}"))));
    assertThat(seriesOf(10, "loss").points())
        .extracting(p -> p.value().number())
        .containsExactly(Double.NaN, 0.25);
    assertThat(seriesOf(10, "loss").total()).isEqualTo(2);
    assertThat(seriesOf(10, "default").points())
        .extracting(p -> p.value().number())
        .containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void aStretchOfASeriesIsThinnedOutByItself() throws Exception {
    List<MetricPoint> line = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      line.add(intermediate(ATTEMPT, i, i));
    }
    append(line);

    Metrics.Series stretch =
        answer(bus.request(Metrics.SERIES, new Metrics.SeriesOf(TRIAL, 10, null, 40, 44)));

    assertThat(stretch.points())
        .extracting(MetricPoint::sequence)
        .containsExactly(40L, 41L, 42L, 43L, 44L);
    assertThat(stretch.total()).isEqualTo(5);
  }

  @Test
  void theLatestOfSeveralTrialsAreTheEndsOfTheirSeries() throws Exception {
    append(series(ATTEMPT, 0, 1_000));
    append(List.of(intermediate(ATTEMPT, 7, 2_000), intermediate(ATTEMPT, 3, 1_500)));

    List<Metrics.Ends> ends =
        answer(
                bus.request(
                    Metrics.LATEST,
                    new Metrics.LatestOf(
                        TRIAL.experiment(), List.of(new TrialId("none"), TRIAL.trial()))))
            .ends();

    Metrics.Series series =
        answer(bus.request(Metrics.SERIES, new Metrics.SeriesOf(TRIAL, 2, null)));
    assertThat(ends)
        .containsExactly(
            new Metrics.Ends(null, null),
            new Metrics.Ends(series.points().getLast(), series.result()));
  }

  @Test
  void aSeriesOfLessThanTwoPointsIsRefused() {
    AsyncResult<Metrics.Series> answer =
        bus.request(Metrics.SERIES, new Metrics.SeriesOf(TRIAL, 1, null))
            .transform(Future::succeededFuture)
            .await();
    assertThat(((ProblemException) answer.cause()).problem()).isInstanceOf(Problem.Refused.class);
  }

  @Test
  void theCurvesOfManyTrialsAreTheirSeries() throws Exception {
    append(series(ATTEMPT, 0, 10_000));
    append(List.of(result(ATTEMPT, 10_000, 0.7)));
    TrialRef other = trial("other");
    append(series(new AttemptRef(other, 3), 0, 5));
    for (int round = 0; round < 2; round++) {
      Metrics.Curves curves =
          curves(100, Long.MIN_VALUE, Long.MAX_VALUE, TRIAL, other, trial("silent"));

      Metrics.Curve first = curves.curves().get(0);
      Metrics.Series series = seriesOf(100);
      assertThat(first.sequences())
          .containsExactly(series.points().stream().mapToLong(MetricPoint::sequence).toArray());
      assertThat(first.values())
          .containsExactly(series.points().stream().mapToDouble(p -> p.value().number()).toArray());
      assertThat(first.times())
          .containsExactly(series.points().stream().mapToLong(MetricPoint::time).toArray());
      assertThat(first.result()).isEqualTo(result(ATTEMPT, 10_000, 0.7));
      assertThat(first.total()).isEqualTo(series.total());
      assertThat(curves.curves().get(1).attempt()).isEqualTo(3);
      assertThat(curves.curves().get(1).sequences()).containsExactly(0, 1, 2, 3, 4);
      assertThat(curves.curves().get(2).sequences()).isEmpty();
      // What comes later is there when they are asked for again.
      append(series(ATTEMPT, 10_001, 12_000));
    }
  }

  @Test
  void aCurveOfMorePointsThanAreHeldIsReadFromBeginningToEnd() throws Exception {
    int length = 600_000;
    for (int from = 0; from < length; from += 100_000) {
      append(series(ATTEMPT, from, from + 100_000));
    }
    for (int more = 0; more < 2; more++) {
      Metrics.Curves curves = curves(1_000, Long.MIN_VALUE, Long.MAX_VALUE, trial("silent"), TRIAL);
      Metrics.Curve curve = curves.curves().getLast();
      assertThat(curve.total()).isEqualTo(length + more);
      assertThat(curve.attempt()).isEqualTo(ATTEMPT.number());
      assertThat(curve.sequences())
          .hasSizeBetween(990, 1_000)
          .startsWith(0)
          .endsWith(length + more - 1);
      assertThat(Arrays.stream(curve.values()).max().orElseThrow()).isGreaterThan(0.999_999);
      assertThat(curves(10, 500_001, 500_004, TRIAL).curves().getFirst().sequences())
          .containsExactly(500_001, 500_002, 500_003, 500_004);
      append(series(ATTEMPT, length, length + 1));
    }
    assertThat(seriesOf(2).total()).isEqualTo(length + 1);
  }

  @Test
  void aStretchOfACurveIsThinnedOutByItself() throws Exception {
    append(series(ATTEMPT, 0, 100));

    Metrics.Curve stretch = curves(10, 40, 44, TRIAL).curves().getFirst();

    assertThat(stretch.sequences()).containsExactly(40, 41, 42, 43, 44);
    assertThat(stretch.total()).isEqualTo(5);
    assertThat(curves(10, 44, 40, TRIAL).curves().getFirst().sequences()).isEmpty();
  }

  @Test
  void aCurveIsChosenAnewOnlyWhenSomethingIsDifferent() throws Exception {
    append(series(ATTEMPT, 0, 1_000));
    Metrics.Curve first = curves(10, 0, 2_000, TRIAL).curves().getFirst();
    assertThat(curves(10, 0, 2_000, TRIAL).curves().getFirst()).isSameAs(first);

    assertThat(curves(20, 0, 2_000, TRIAL).curves().getFirst().values()).hasSize(20);
    assertThat(curves(20, 0, 99, TRIAL).curves().getFirst().total()).isEqualTo(100);
    assertThat(curves(20, 90, 99, TRIAL).curves().getFirst().total()).isEqualTo(10);
    append(List.of(result(ATTEMPT, 1_000, 0.7)));
    assertThat(curves(20, 90, 99, TRIAL).curves().getFirst().result())
        .isEqualTo(result(ATTEMPT, 1_000, 0.7));
    append(series(ATTEMPT, 1_001, 1_002));
    assertThat(curves(20, 0, 2_000, TRIAL).curves().getFirst().total()).isEqualTo(1_001);
    append(series(new AttemptRef(TRIAL, ATTEMPT.number() + 1), 0, 5));
    assertThat(curves(20, 0, 2_000, TRIAL).curves().getFirst().total()).isEqualTo(5);
  }

  @Test
  void manyWhoLookAtTheSameTrialsSeeAllOfThem() throws Exception {
    append(series(ATTEMPT, 0, 1_000));
    List<Future<Metrics.Curves>> asked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      asked.add(
          bus.request(
              Metrics.CURVES,
              new Metrics.CurvesOf(List.of(TRIAL, TRIAL), 2_000, 0, Long.MAX_VALUE)));
    }
    for (Future<Metrics.Curves> one : asked) {
      assertThat(answer(one).curves()).allMatch(curve -> curve.sequences().length == 1_000);
    }
  }
}
