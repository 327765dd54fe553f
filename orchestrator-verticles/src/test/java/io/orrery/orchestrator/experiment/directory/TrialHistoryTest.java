package io.orrery.orchestrator.experiment.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Metrics.PointsSince;
import io.orrery.core.bus.contract.Metrics.Stretch;
import io.orrery.core.bus.contract.Tracking.HistoryOf;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.tracking.TrackedPoints;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages of a trial's history, over a log of points whose cursors are their numbers. */
class TrialHistoryTest {
  private static final TrialRef TRIAL = TrialRef.parse("exp00001/trial000");
  private static final String RUN = "trial-8-exp00001-trial000";

  private final List<Integer> questions = new ArrayList<>();
  private Vertx vertx;
  private Bus bus;
  private int reported;
  private int batch;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    reported = 0;
    batch = 1;
    await(bus.serve(Metrics.POINTS, asked -> Future.succeededFuture(stretch(asked))));
  }

  @AfterEach
  void stop() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(60, TimeUnit.SECONDS);
  }

  /** Points from a place on; a batch that was reported together is not divided. */
  private Stretch stretch(PointsSince asked) {
    questions.add(asked.maxPoints());
    int from = asked.since() == null ? 0 : Integer.parseInt(asked.since());
    int most = (asked.maxPoints() + batch - 1) / batch * batch;
    int to = Math.min(reported, from + most);
    return new Stretch(
        IntStream.range(from, to).mapToObj(TrialHistoryTest::point).toList(),
        reported == 0 ? null : String.valueOf(to));
  }

  /** Each tenth point has a loss. */
  private static MetricPoint point(int number) {
    return new MetricPoint(
        new AttemptRef(TRIAL, 1),
        "main",
        number,
        MetricKind.INTERMEDIATE,
        number,
        null,
        1_000L + number,
        number % 10 == 9
            ? new MetricValue(0.5, "{\"default\":0.5,\"loss\":" + number + "}")
            : MetricValue.of(0.5));
  }

  private record Page(List<Long> steps, @Nullable String next) {}

  private Page page(String metric, @Nullable String cursor, int limit) throws Exception {
    TrialHistory history = new TrialHistory(bus, TRIAL, new HistoryOf(RUN, metric, cursor, limit));
    String next = await(history.read());
    byte[] packed = history.points().toBytes();
    return new Page(
        IntStream.range(0, TrackedPoints.count(packed))
            .mapToObj(i -> TrackedPoints.at(packed, i).step())
            .toList(),
        next);
  }

  @Test
  void theSearchForAMetricThatNoPointHasEndsAfterAFixedNumberOfPointsAndGoesOnFromThere()
      throws Exception {
    reported = 2 * TrialHistory.MOST_READ + 1;

    Page first = page("nothing", null, 1);
    assertThat(first.steps()).isEmpty();
    assertThat(first.next()).isEqualTo(String.valueOf(TrialHistory.MOST_READ));
    assertThat(questions).hasSize(TrialHistory.MOST_READ / TrialHistory.AT_ONCE);

    Page third = page("nothing", page("nothing", first.next(), 1).next(), 1);
    assertThat(third).isEqualTo(new Page(List.of(), null));
  }

  @Test
  void aPageHasAsManyPointsAsAreAskedForAndTheNextGoesOnBehindThem() throws Exception {
    reported = 35;

    Page first = page("loss", null, 2);
    assertThat(first).isEqualTo(new Page(List.of(9L, 19L), "20"));
    assertThat(questions).as("found, then read up to its end").containsExactly(10_000, 20);
    assertThat(page("loss", first.next(), 2)).isEqualTo(new Page(List.of(29L), null));
  }

  @Test
  void whatWasReportedTogetherIsNotDivided() throws Exception {
    reported = 60;
    batch = 30;

    Page first = page("loss", null, 1);
    assertThat(first).isEqualTo(new Page(List.of(9L, 19L, 29L), "30"));
    assertThat(page("loss", first.next(), 3)).isEqualTo(new Page(List.of(39L, 49L, 59L), "60"));
    assertThat(page("loss", "60", 3)).isEqualTo(new Page(List.of(), null));
  }

  @Test
  void allPagesTogetherAreTheHistoryWhateverTheirSizeIs() throws Exception {
    reported = 1_000;
    List<Long> all = IntStream.range(0, 100).mapToObj(i -> 10L * i + 9).toList();
    for (int limit : List.of(1, 7, 99, 100, 101)) {
      List<Long> seen = new ArrayList<>();
      String cursor = null;
      do {
        Page page = page("loss", cursor, limit);
        assertThat(page.steps()).hasSizeLessThanOrEqualTo(limit);
        seen.addAll(page.steps());
        cursor = page.next();
      } while (cursor != null);
      assertThat(seen).as("pages of " + limit).isEqualTo(all);
    }
  }

  @Test
  void aTrialThatReportedNothingHasAnEmptyHistory() throws Exception {
    assertThat(page("default", null, 10)).isEqualTo(new Page(List.of(), null));
  }
}
