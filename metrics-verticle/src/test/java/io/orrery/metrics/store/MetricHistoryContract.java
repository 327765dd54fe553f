package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.EXPERIMENT;
import static io.orrery.metrics.store.Points.TRIAL;
import static io.orrery.metrics.store.Points.intermediate;
import static io.orrery.metrics.store.Points.point;
import static io.orrery.metrics.store.Points.result;
import static io.orrery.metrics.store.Points.series;
import static io.orrery.metrics.store.Points.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The part of the contract about points that are thinned out, forgotten, or read as numbers. */
abstract class MetricHistoryContract extends MetricLogFixture {

  @Test
  void aForgottenExperimentIsGoneAndOthersAreNot() throws Exception {
    AttemptRef kept =
        new AttemptRef(new TrialRef(new ExperimentId("kept"), new TrialId("abcde")), 1);
    append(series(ATTEMPT, 0, 300));
    append(List.of(result(ATTEMPT, 300, 1)));
    append(series(kept, 0, 5));
    reopen();
    append(series(ATTEMPT, 400, 500));
    answer(log().forget(EXPERIMENT));
    for (int round = 0; round < 2; round++) {
      assertThat(answer(log().lastAttempt(TRIAL))).isEmpty();
      assertThat(answer(log().lastFinal(ATTEMPT))).isEmpty();
      assertThat(answer(log().lastAttempt(kept.trial()))).isEqualTo(series(kept, 0, 5));
      reopen();
    }
    answer(log().forget(EXPERIMENT));
  }

  @Test
  void pointsAfterForgettingBeginANewHistory() throws Exception {
    append(series(ATTEMPT, 0, 300));
    answer(log().forget(EXPERIMENT));
    assertThat(append(series(ATTEMPT, 0, 3))).isEqualTo(3);
    for (int round = 0; round < 3; round++) {
      assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(series(ATTEMPT, 0, 3));
      assertThat(append(series(ATTEMPT, 0, 3))).isZero();
      reopen();
    }
  }

  @Test
  void oldPointsAreThinnedOutAndNewOnesStayInOneAnswer() throws Exception {
    assumeTrue(movesSoon());
    List<MetricPoint> old = new ArrayList<>(series(ATTEMPT, 0, 1_000));
    old.set(500, intermediate(ATTEMPT, 500, 7));
    old.set(600, intermediate(ATTEMPT, 600, -7));
    append(old);
    append(List.of(result(ATTEMPT, 1_000, 0.5)));
    push();
    advance(Duration.ofDays(2));
    List<MetricPoint> late = series(ATTEMPT, 1_001, 1_101);
    append(late);

    thinOut(Duration.ofDays(1), 40);

    List<MetricPoint> left = answer(log().lastAttempt(TRIAL));
    assertThat(left).hasSizeBetween(110, 145);
    assertThat(left)
        .contains(old.getFirst(), old.get(500), old.get(600), old.get(999))
        .contains(result(ATTEMPT, 1_000, 0.5))
        .containsAll(late);
    old.add(result(ATTEMPT, 1_000, 0.5));
    old.addAll(late);
    assertThat(left).isSubsetOf(old);
    assertThat(left).isSortedAccordingTo(Comparator.comparingLong(MetricPoint::ordinal));
    assertThat(answer(log().lastFinal(ATTEMPT))).contains(result(ATTEMPT, 1_000, 0.5));
    assertThat(readOn(null, 10, new ArrayList<>())).isEqualTo(left);
    reopen();
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(left);
    assertThat(append(old)).as("dropped points are still known").isZero();
  }

  @Test
  void thinningOutAgainAndAgainLeavesWhatOnceWouldHaveLeft() throws Exception {
    assumeTrue(movesSoon());
    AttemptRef once = new AttemptRef(trial("once"), 1);
    for (long from = 0; from < 900; from += 300) {
      append(series(ATTEMPT, from, from + 300));
      push();
      advance(Duration.ofDays(2));
      thinOut(Duration.ofDays(1), 20);
    }
    append(series(once, 0, 900));
    push();
    advance(Duration.ofDays(2));
    thinOut(Duration.ofDays(1), 20);
    thinOut(Duration.ofDays(1), 20);

    assertThat(answer(log().lastAttempt(TRIAL)).stream().map(MetricPoint::ordinal))
        .hasSizeLessThan(40)
        .isEqualTo(
            answer(log().lastAttempt(once.trial())).stream().map(MetricPoint::ordinal).toList());
  }

  private Columns columns(Columns known) throws Exception {
    return answer(log().columns(List.of(new MetricLog.Known(TRIAL, known)))).getFirst();
  }

  private static List<List<Number>> rows(Columns columns) {
    return IntStream.range(0, columns.length())
        .mapToObj(i -> List.<Number>of(columns.sequence(i), columns.time(i), columns.number(i)))
        .toList();
  }

  private static List<List<Number>> rows(List<MetricPoint> points) {
    return points.stream()
        .filter(point -> point.kind() == MetricKind.INTERMEDIATE && !point.value().isNamedOnly())
        .sorted(Comparator.comparingLong(MetricPoint::sequence))
        .map(point -> List.<Number>of(point.sequence(), point.time(), point.value().number()))
        .toList();
  }

  /** The numbers of the trial, carried on, are those of all that it has reported. */
  private Columns carriedOn(Columns known) throws Exception {
    Columns columns = columns(known);
    List<MetricPoint> all = answer(log().lastAttempt(TRIAL));
    assertThat(rows(columns)).isEqualTo(rows(all));
    assertThat(columns.attempt()).isEqualTo(all.isEmpty() ? 0 : all.getFirst().attempt().number());
    assertThat(Optional.ofNullable(columns.result()))
        .isEqualTo(
            all.stream().filter(p -> p.kind() == MetricKind.FINAL).reduce((before, last) -> last));
    return columns;
  }

  @Test
  void numbersThatAreCarriedOnAreThoseOfAllThatIsThere() throws Exception {
    Columns known = carriedOn(null);
    assertThat(known.attempt()).isZero();
    append(series(ATTEMPT, 100, 300));
    known = carriedOn(known);
    append(series(ATTEMPT, 0, 50));
    append(List.of(result(ATTEMPT, 1_000, 0.5)));
    known = carriedOn(carriedOn(known));
    push();
    known = carriedOn(known);
    append(series(ATTEMPT, 300, 310));
    append(
        List.of(
            point(ATTEMPT, 310, MetricKind.INTERMEDIATE, MetricValue.parse("{\"loss\":1}")),
            point(ATTEMPT, 311, MetricKind.INTERMEDIATE, MetricValue.of(Double.NaN))));
    push();
    push();
    known = carriedOn(known);
    append(series(new AttemptRef(TRIAL, 2), 0, 5));
    push();
    push();
    known = carriedOn(known);
    answer(log().forget(EXPERIMENT));
    known = carriedOn(known);
    append(series(ATTEMPT, 0, 3));
    carriedOn(known);
  }

  @Test
  void numbersAreReadAnewWhenTheirPointsWereThinnedOut() throws Exception {
    assumeTrue(movesSoon());
    append(series(ATTEMPT, 0, 300));
    push();
    Columns known = carriedOn(null);
    advance(Duration.ofDays(2));
    thinOut(Duration.ofDays(1), 20);
    known = carriedOn(known);
    assertThat(known.length()).isLessThan(40);
    append(series(ATTEMPT, 300, 310));
    carriedOn(known);
  }

  @Test
  void aSequenceIsFoundAmongTheNumbers() throws Exception {
    append(series(ATTEMPT, 10, 20));
    Columns columns = columns(null);
    assertThat(columns.indexOf(Long.MIN_VALUE)).isZero();
    assertThat(columns.indexOf(10)).isZero();
    assertThat(columns.indexOf(15)).isEqualTo(5);
    assertThat(columns.indexOf(20)).isEqualTo(10);
    assertThat(columns.indexOf(Long.MAX_VALUE)).isEqualTo(10);
  }

  @Test
  void whatIsYoungStaysAsItIs() throws Exception {
    append(series(ATTEMPT, 0, 500));
    push();
    advance(Duration.ofHours(1));
    thinOut(Duration.ofDays(1), 20);
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(series(ATTEMPT, 0, 500));
  }

  @Test
  void aReaderThatHadReadAllGoesOnBehindWhatWasThinnedOutAndAnotherIsToldToBeginAgain()
      throws Exception {
    assumeTrue(movesSoon());
    append(series(ATTEMPT, 0, 200));
    push();
    append(series(ATTEMPT, 200, 300));
    String inTheMiddle = answer(log().attemptSince(TRIAL, null, 10)).next().orElseThrow();
    push();
    List<String> places = new ArrayList<>();
    readOn(null, 1_000, places);
    advance(Duration.ofDays(2));
    thinOut(Duration.ofDays(1), 20);
    append(series(ATTEMPT, 300, 310));

    assertThat(readOn(places.getLast(), 100, new ArrayList<>()))
        .isEqualTo(series(ATTEMPT, 300, 310));
    assertThat(
            log()
                .attemptSince(TRIAL, inTheMiddle, 10)
                .transform(Future::succeededFuture)
                .await()
                .cause())
        .hasMessageContaining("thinned out");
    List<MetricPoint> all = readOn(null, 5, places);
    assertThat(all).isEqualTo(answer(log().lastAttempt(TRIAL)));
    assertThat(readOn(places.getLast(), 5, new ArrayList<>())).isEmpty();
  }

  @Test
  void aForgottenHistoryIsNotThinnedOutIntoTheNextOne() throws Exception {
    assumeTrue(movesSoon());
    append(series(ATTEMPT, 0, 300));
    push();
    advance(Duration.ofDays(2));
    answer(log().forget(EXPERIMENT));
    pushAnew();
    append(series(ATTEMPT, 0, 100));
    push();
    advance(Duration.ofDays(2));
    thinOut(Duration.ofDays(1), 20);
    List<MetricPoint> left = answer(log().lastAttempt(TRIAL));
    assertThat(left).isSubsetOf(series(ATTEMPT, 0, 100)).hasSizeBetween(4, 24);
    while (log().deletions() > 0) {
      Thread.onSpinWait();
    }
    reopen();
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(left);
  }
}
