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

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Outcome;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link MetricLog}. A log may be reopened at any time, with the same
 * content.
 */
abstract class MetricLogContract extends MetricHistoryContract {

  @Test
  void pointsComeBackInTheOrderInWhichTheyWereHandedIn() throws Exception {
    List<MetricPoint> points = series(ATTEMPT, 0, 50);
    append(points.subList(0, 20));
    append(points.subList(20, 50));
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(points);
    reopen();
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(points);
    assertThat(answer(log().read(0, 1_000)).points()).isEqualTo(points);
  }

  @Test
  void anAttemptIsReadPageByPageAndFromEveryPlaceOnAlsoAfterReopening() throws Exception {
    List<MetricPoint> points = series(ATTEMPT, 0, 400);
    for (int from = 0; from < 400; from += 40) {
      append(points.subList(from, from + 40));
      append(series(new AttemptRef(trial("other"), 1), from, from + 10));
    }
    List<String> places = new ArrayList<>();

    assertThat(readOn(null, 70, places)).isEqualTo(points);
    assertThat(places).hasSizeBetween(4, 10);
    reopen();
    for (String place : places) {
      List<MetricPoint> rest = readOn(place, 1, new ArrayList<>());
      assertThat(rest).isEqualTo(points.subList(400 - rest.size(), 400));
    }
    append(series(ATTEMPT, 400, 401));
    assertThat(readOn(places.getLast(), 70, new ArrayList<>()))
        .isEqualTo(series(ATTEMPT, 400, 401));
  }

  @Test
  void aReaderOfAnAttemptThatIsOverGoesOnWithTheNext() throws Exception {
    append(series(ATTEMPT, 0, 10));
    String place = answer(log().attemptSince(TRIAL, null, 100)).next().orElseThrow();
    List<MetricPoint> again = series(new AttemptRef(TRIAL, 2), 0, 5);
    append(again);

    assertThat(readOn(place, 100, new ArrayList<>())).isEqualTo(again);
  }

  @Test
  void aPlaceThatTheLogDidNotGiveIsRefused() throws Exception {
    assertThat(answer(log().attemptSince(TRIAL, null, 9)))
        .isEqualTo(new MetricLog.Stretch(List.of(), Optional.empty()));
    append(series(ATTEMPT, 0, 10));
    for (String place : List.of("x", "1.0", "1.0.7", "99999999999.0.0", "1.0.999999999")) {
      assertThat(
              log()
                  .attemptSince(TRIAL, place, 9)
                  .transform(Future::succeededFuture)
                  .await()
                  .cause())
          .as(place)
          .isInstanceOf(ProblemException.class);
    }
  }

  @Test
  void ofSeveralTrialsEachIsReadAsByItself() throws Exception {
    List<TrialId> trials = new ArrayList<>();
    List<List<MetricPoint>> reported = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      TrialRef trial = trial("several" + i);
      trials.add(trial.trial());
      // Some have reported nothing, others have been tried again.
      List<MetricPoint> last = List.of();
      for (int attempt = 1; attempt <= i % 4; attempt++) {
        last = series(new AttemptRef(trial, attempt), 0, 60 * i);
        append(last);
      }
      reported.add(last);
    }
    trials.add(trials.get(2));
    reported.add(reported.get(2));

    for (int time = 0; time < 2; time++) {
      assertThat(answer(log().lastAttempts(EXPERIMENT, trials, Collectors.toList())))
          .isEqualTo(reported);
      reopen();
    }
    assertThat(answer(log().lastAttempts(EXPERIMENT, List.of(), Collectors.toList()))).isEmpty();
  }

  @Test
  void anAttemptThatDoesNotFitIntoMemoryIsReadPieceByPieceAmongOthers() throws Exception {
    int length = 400_000;
    TrialRef other = trial("other");
    append(series(new AttemptRef(other, 1), 0, 7));
    for (int from = 0; from < length; from += 10_000) {
      append(series(ATTEMPT, from, from + 10_000));
    }
    List<TrialId> trials = List.of(other.trial(), TRIAL.trial(), trial("unknown").trial());

    for (int time = 0; time < 2; time++) {
      assertThat(answer(log().lastAttempts(EXPERIMENT, trials, Collectors.counting())))
          .containsExactly(7L, (long) length, 0L);
      assertThat(
              answer(
                  log()
                      .lastAttempt(
                          TRIAL, Collectors.mapping(MetricPoint::ordinal, Collectors.toList()))))
          .isEqualTo(LongStream.range(0, length).boxed().toList());
      reopen();
    }
  }

  @Test
  void whatIsMovedIntoChunksMeanwhileIsReadOfEachTrial() throws Exception {
    int many = 300;
    List<TrialRef> trials = IntStream.range(0, many).mapToObj(i -> trial("moved" + i)).toList();
    List<TrialId> ids = trials.stream().map(TrialRef::trial).toList();
    for (int round = 0; round < 10; round++) {
      for (TrialRef trial : trials) {
        append(series(new AttemptRef(trial, 1), 3 * round, 3 * round + 3));
      }
      // The mover is at work meanwhile.
      for (int question = 0; question < 20; question++) {
        assertThat(answer(log().lastAttempts(EXPERIMENT, ids, Collectors.counting())))
            .containsOnly(3L * round + 3);
      }
    }
  }

  @Test
  void everyFieldOfAPointIsKept() throws Exception {
    List<MetricPoint> points = new ArrayList<>();
    List<MetricValue> values =
        List.of(
            MetricValue.of(-0.0),
            MetricValue.of(Double.NaN),
            MetricValue.of(Double.POSITIVE_INFINITY),
            MetricValue.of(Double.NEGATIVE_INFINITY),
            MetricValue.of(Double.MIN_VALUE),
            MetricValue.parse("{\"default\":0.5,\"loss\":NaN,\"name\":\"späť 🙂\"}"),
            MetricValue.parse("{\"other\":1}"));
    long[] edges = {0, 127, 128, Long.MAX_VALUE - 1};
    for (int i = 0; i < values.size(); i++) {
      long edge = edges[i % edges.length];
      String parameter = i % 3 == 0 ? null : "set-" + i % 2;
      String source = i < 3 ? "pid 7" : "küche";
      MetricKind kind = i % 2 == 0 ? MetricKind.INTERMEDIATE : MetricKind.FINAL;
      points.add(
          new MetricPoint(ATTEMPT, source, edge, kind, -edge, parameter, edge, values.get(i)));
    }
    append(points);
    append(List.of(intermediate(ATTEMPT, 5, 1)));
    points.add(intermediate(ATTEMPT, 5, 1));
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(points);
    reopen();
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(points);
  }

  @Test
  void aRepeatedPointIsDroppedAndCounted() throws Exception {
    append(series(ATTEMPT, 0, 10));
    MetricLog.Appended again = answer(log().append(series(ATTEMPT, 5, 12)));
    assertThat(again.duplicates()).isEqualTo(5);
    assertThat(again.fresh()).isEqualTo(series(ATTEMPT, 10, 12));
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(series(ATTEMPT, 0, 12));
  }

  @Test
  void aPointRepeatedWithinItsBatchIsDropped() throws Exception {
    MetricPoint point = intermediate(ATTEMPT, 3, 1);
    assertThat(append(List.of(point, point))).isEqualTo(1);
  }

  @Test
  void aRepetitionIsDroppedAfterReopening() throws Exception {
    append(series(ATTEMPT, 0, 10));
    append(List.of(result(ATTEMPT, 10, 1)));
    reopen();
    assertThat(append(series(ATTEMPT, 0, 10))).isZero();
    assertThat(append(List.of(result(ATTEMPT, 10, 1)))).isZero();
    reopen();
    assertThat(append(series(ATTEMPT, 9, 11))).isEqualTo(1);
  }

  @Test
  void attemptSourceKindAndOrdinalTellPointsApart() throws Exception {
    MetricPoint one = intermediate(ATTEMPT, 0, 1);
    MetricPoint otherSource =
        new MetricPoint(ATTEMPT, "pod", 0, one.kind(), 0, null, one.time(), one.value());
    append(List.of(one));
    assertThat(append(List.of(otherSource))).isEqualTo(1);
    assertThat(append(List.of(result(ATTEMPT, 0, 1)))).isEqualTo(1);
    assertThat(append(List.of(intermediate(new AttemptRef(TRIAL, 2), 0, 1)))).isEqualTo(1);
    assertThat(append(List.of(intermediate(ATTEMPT, 1, 1)))).isEqualTo(1);
    assertThat(append(List.of(one, otherSource))).isZero();
  }

  @Test
  void ordinalsMayComeInAnyOrderAndWithGaps() throws Exception {
    Random random = new Random(7);
    List<MetricPoint> points = new ArrayList<>(series(ATTEMPT, 0, 600));
    Collections.shuffle(points, random);
    List<MetricPoint> some = points.subList(0, 400);
    assertThat(append(some)).isEqualTo(400);
    reopen();
    MetricLog.Appended all = answer(log().append(points));
    assertThat(all.duplicates()).isEqualTo(400);
    assertThat(all.fresh()).isEqualTo(points.subList(400, 600));
  }

  @Test
  void ordinalsAndSequencesThatCountDifferentlyAreKept() throws Exception {
    long[][] numbers = {
      {0, 0},
      {1, 1},
      {2, 3},
      {3, 2},
      {4, 3},
      {6, 4},
      {5, 5},
      {7, Long.MAX_VALUE},
      {8, Long.MIN_VALUE}
    };
    List<MetricPoint> points =
        Arrays.stream(numbers)
            .map(number ->
                new MetricPoint(
                    ATTEMPT,
                    "main",
                    number[0],
                    MetricKind.INTERMEDIATE,
                    number[1],
                    null,
                    7,
                    MetricValue.of(0.5)))
            .toList();
    append(points);
    for (int time = 0; time < 2; time++) {
      assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(points);
      reopen();
    }
  }

  @Test
  void theResultIsTheLastFinalInTheOrderOfTheLog() throws Exception {
    assertThat(answer(log().lastFinal(ATTEMPT))).isEmpty();
    append(List.of(result(ATTEMPT, 5, 0.5), intermediate(ATTEMPT, 6, 9), result(ATTEMPT, 2, 0.2)));
    assertThat(answer(log().lastFinal(ATTEMPT))).contains(result(ATTEMPT, 2, 0.2));
    append(List.of(result(ATTEMPT, 5, 0.5)));
    assertThat(answer(log().lastFinal(ATTEMPT))).contains(result(ATTEMPT, 2, 0.2));
    reopen();
    assertThat(answer(log().lastFinal(ATTEMPT))).contains(result(ATTEMPT, 2, 0.2));
    assertThat(answer(log().lastFinal(new AttemptRef(TRIAL, 2)))).isEmpty();
  }

  @Test
  void aQuestionSeesWhatWasHandedInBeforeIt() throws Exception {
    for (int i = 0; i < 50; i++) {
      log().append(List.of(result(ATTEMPT, i, i)));
      Future<Optional<MetricPoint>> asked = log().lastFinal(ATTEMPT);
      log().append(List.of(intermediate(ATTEMPT, i, i)));
      Future<List<MetricPoint>> listed = log().lastAttempt(TRIAL);
      assertThat(answer(asked)).contains(result(ATTEMPT, i, i));
      assertThat(answer(listed)).hasSize(2 * i + 2);
    }
  }

  @Test
  void theLastAttemptOfATrialIsTheHighestOneThatReported() throws Exception {
    AttemptRef second = new AttemptRef(TRIAL, 2);
    append(series(second, 0, 3));
    append(series(ATTEMPT, 0, 4));
    append(series(new AttemptRef(trial("other"), 7), 0, 4));
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(series(second, 0, 3));
    reopen();
    assertThat(answer(log().lastAttempt(TRIAL))).isEqualTo(series(second, 0, 3));
    assertThat(answer(log().lastAttempt(trial("unknown")))).isEmpty();
  }

  @Test
  void aCursorReadsEachPointOnce() throws Exception {
    List<MetricPoint> points = series(ATTEMPT, 0, 100);
    for (int from = 0; from < 100; from += 10) {
      append(points.subList(from, from + 10));
    }
    List<MetricPoint> read = new ArrayList<>();
    long cursor = 0;
    for (MetricLog.Page page = answer(log().read(cursor, 25));
        page.next() > cursor;
        page = answer(log().read(cursor, 25))) {
      assertThat(page.first()).isEqualTo(cursor);
      read.addAll(page.points());
      cursor = page.next();
    }
    assertThat(read).isEqualTo(points);
    MetricLog.Appended more = answer(log().append(series(ATTEMPT, 100, 103)));
    MetricLog.Page page = answer(log().read(cursor, 25));
    assertThat(page.points()).isEqualTo(more.fresh());
    assertThat(page.next()).isEqualTo(more.offset());
  }

  @Test
  void anImpossiblePointIsRefusedAndNothingIsTaken() throws Exception {
    MetricPoint good = intermediate(ATTEMPT, 0, 1);
    Future<MetricLog.Appended> refused = log().append(List.of(good, intermediate(ATTEMPT, -1, 1)));
    assertThat(refused.transform(Future::succeededFuture).await().cause())
        .hasMessageContaining("/points/1/ordinal");
    assertThat(append(List.of(point(ATTEMPT, 0, good.kind(), good.value())))).isEqualTo(1);
  }

  @Test
  void aBatchThatIsRefusedTakesNoOtherWithIt() throws Exception {
    List<Outcome<MetricLog.Appended>> outcomes =
        answer(
            log()
                .appendAll(
                    List.of(
                        series(ATTEMPT, 0, 3),
                        List.of(intermediate(ATTEMPT, 3, 1), intermediate(ATTEMPT, -1, 1)),
                        series(ATTEMPT, 4, 6))));

    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Undone.class);
    assertThat(answer(log().lastAttempt(TRIAL)))
        .isEqualTo(
            Stream.of(series(ATTEMPT, 0, 3), series(ATTEMPT, 4, 6)).flatMap(List::stream).toList());
  }
}
