package io.orrery.metrics;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.EXPERIMENT;
import static io.orrery.metrics.store.Points.TRIAL;
import static io.orrery.metrics.store.Points.point;
import static io.orrery.metrics.store.Points.result;
import static io.orrery.metrics.store.Points.series;
import static io.orrery.metrics.store.Points.trial;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink.Receipt;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.TrialStatus;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.LogPlace;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests what the metrics take, publish, forget and count. */
class MetricsVerticleTest extends MetricsFixture {
  @Test
  void aReceiptTellsNewPointsFromRepeatedOnes() throws Exception {
    assertThat(append(series(ATTEMPT, 0, 10))).isEqualTo(new Receipt(10, 0));
    assertThat(answer(metrics.sink().append(series(ATTEMPT, 8, 13)))).isEqualTo(new Receipt(3, 2));
  }

  @Test
  void theSinkAnswersOnTheCallersContext() throws Exception {
    Promise<Context> seen = Promise.promise();
    Context home = vertx.getOrCreateContext();
    home.runOnContext(go ->
        metrics
            .sink()
            .append(series(ATTEMPT, 0, 1))
            .onComplete(done -> seen.complete(Vertx.currentContext())));
    assertThat(answer(seen.future())).isEqualTo(home);
  }

  @Test
  void aSinkThatIsNotStartedRefuses() {
    AsyncResult<Receipt> early =
        new MetricsVerticle(
                bus,
                Future.succeededFuture(new LogPlace.Files(directory)),
                LogLimits.DEFAULT,
                meters,
                new SystemClock(vertx))
            .sink()
            .append(series(ATTEMPT, 0, 1))
            .transform(Future::succeededFuture)
            .await();
    assertThat(((ProblemException) early.cause()).problem()).isInstanceOf(Problem.Broken.class);
  }

  @Test
  void theFinalWaitsForEverythingThatWasHandedInBefore() throws Exception {
    for (int i = 0; i < 30; i++) {
      metrics.sink().append(series(ATTEMPT, 100L * i, 100L * i + 100));
      metrics.sink().append(List.of(result(ATTEMPT, i, i)));
      Future<Metrics.Final> asked = bus.request(Metrics.FINAL, new Metrics.FinalOf(ATTEMPT));
      assertThat(answer(asked).point()).isEqualTo(result(ATTEMPT, i, i));
    }
    AttemptRef silent = new AttemptRef(trial("silent"), 1);
    assertThat(answer(bus.request(Metrics.FINAL, new Metrics.FinalOf(silent))).point()).isNull();
  }

  @Test
  void whatBecameDurableIsPublishedOnceAndInOrder() throws Exception {
    List<MetricPoint> heard = Collections.synchronizedList(new ArrayList<>());
    Promise<Void> all = Promise.promise();
    bus.listen(
        Metrics.STORED.of(EXPERIMENT),
        stored -> {
          heard.addAll(stored.points());
          if (heard.size() >= 101) {
            all.tryComplete();
          }
        });
    for (int i = 0; i < 50; i++) {
      metrics.sink().append(series(ATTEMPT, 2L * i, 2L * i + 3));
    }
    answer(all.future());
    assertThat(heard).isEqualTo(series(ATTEMPT, 0, 101));
  }

  @Test
  void aForgottenExperimentHasNoPoints() throws Exception {
    append(series(ATTEMPT, 0, 10));
    append(List.of(result(ATTEMPT, 10, 1)));
    curves(10, 0, 9, TRIAL);
    answer(bus.request(Metrics.FORGET, new Metrics.Forget(EXPERIMENT)));
    assertThat(seriesOf(10)).isEqualTo(new Metrics.Series(List.of(), null, 0));
    assertThat(curves(10, 0, 9, TRIAL).curves().getFirst().sequences()).isEmpty();
    assertThat(answer(bus.request(Metrics.FINAL, new Metrics.FinalOf(ATTEMPT))).point()).isNull();
  }

  private String scrape() throws Exception {
    return answer(bus.request(Metrics.SCRAPE, new Metrics.Scrape())).text();
  }

  @Test
  void prometheusIsToldWhatWasTakenAndWhatWasNot() throws Exception {
    append(series(ATTEMPT, 0, 10));
    append(series(ATTEMPT, 5, 12));
    MetricPoint unfit = point(ATTEMPT, -1, MetricKind.INTERMEDIATE, MetricValue.of(1));
    metrics.sink().append(List.of(unfit)).transform(Future::succeededFuture).await();

    assertThat(scrape().lines())
        .contains(
            "orrery_metric_points_total{result=\"accepted\"} 12.0",
            "orrery_metric_points_total{result=\"duplicate\"} 5.0",
            "orrery_metric_refused_points_total{reason=\"refused\"} 1.0",
            "orrery_metric_commit_seconds_count 2",
            "orrery_metric_commit_points_sum 12.0",
            "orrery_metric_queue_points 0.0");
  }

  @Test
  void experimentsAndTrialsAreCountedAnewWhenSomethingHasChanged() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    bus.serve(
            Experiments.LIST,
            question -> {
              asked.incrementAndGet();
              boolean first = question.cursor() == null;
              return Future.succeededFuture(
                  new Experiments.Page(List.of(experiment(first ? 3 : 4)), first ? "more" : null));
            })
        .await(20, SECONDS);

    assertThat(scrape().lines())
        .contains(
            "orrery_experiments{status=\"running\"} 2.0",
            "orrery_trials{status=\"succeeded\"} 7.0",
            "orrery_trials{status=\"failed\"} 0.0");
    scrape();
    assertThat(asked).hasValue(2);
    bus.publish(Experiments.NEWS, new ExperimentEvent.Deleted(EXPERIMENT, ResourceOwner.PUBLIC));
    await()
        .untilAsserted(() -> {
          scrape();
          assertThat(asked).hasValue(4);
        });
  }

  private static Experiment experiment(long succeeded) {
    return new Experiment(
        EXPERIMENT,
        ResourceOwner.PUBLIC,
        null,
        ExperimentStatus.RUNNING,
        Map.of(TrialStatus.SUCCEEDED, succeeded),
        0,
        null,
        0,
        Instant.EPOCH,
        null,
        null,
        null);
  }
}
