package io.orrery.metrics.retention;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.MetricPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.SystemClock;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.Parameters;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.LogPlace;
import io.orrery.metrics.store.LogWatch;
import io.orrery.metrics.store.Points;
import io.orrery.metrics.store.SegmentLog;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class RetentionTest {
  private static final MetricPolicy TWO_DAYS = new MetricPolicy(Duration.ofDays(2), 20, false);

  /** Hardly anything stays in memory. */
  private static final LogLimits TINY = new LogLimits(20_000, 1 << 20, 4_000, 8, 100, 8);

  @TempDir Path directory;

  /** Both belong to the context, as the retention does. */
  private VirtualClock clock;

  private Retention retention;
  private Context home;
  private SegmentLog log;
  private Bus bus;

  @BeforeEach
  void open(Vertx vertx) throws Exception {
    bus = Bus.of(vertx);
    log =
        SegmentLog.open(
                vertx,
                new LogPlace.Files(directory),
                TINY,
                points -> {},
                LogWatch.NONE,
                new SystemClock(vertx))
            .await(20, SECONDS);
    for (String name : List.of("keeps", "thins", "last")) {
      log.append(Points.series(attempt(name), 0, 500)).await(20, SECONDS);
    }
    log.lastFinal(attempt("last")).await(20, SECONDS);
    await().until(() -> log.waitingSegments() == 0);
    home = vertx.getOrCreateContext();
    onHome(() -> {
      clock = new VirtualClock(Instant.now().plus(Duration.ofDays(1)));
      retention = new Retention(bus, log, clock);
      retention.start();
    });
  }

  @AfterEach
  void close() throws Exception {
    onHome(retention::stop);
    log.close().await(20, SECONDS);
  }

  private void onHome(Runnable action) throws Exception {
    Promise<Void> done = Promise.promise();
    home.runOnContext(go -> {
      action.run();
      done.complete();
    });
    done.future().await(20, SECONDS);
  }

  private void passes(Duration time) throws Exception {
    onHome(() -> clock.advance(time));
  }

  private static AttemptRef attempt(String experiment) {
    return new AttemptRef(new TrialRef(new ExperimentId(experiment), new TrialId("abcde")), 1);
  }

  private int left(String experiment) throws Exception {
    List<MetricPoint> points = log.lastAttempt(attempt(experiment).trial()).await(20, SECONDS);
    return points.size();
  }

  @Test
  void experimentsThatSetATimeAreThinnedOutOnceTheirPointsAreOlder() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    serve(rounds, () -> false);

    passes(Duration.ofHours(1));
    await().until(() -> rounds.get() >= 2);
    assertThat(left("thins")).as("a day old").isEqualTo(500);
    passes(Duration.ofDays(2));
    await().untilAsserted(() -> assertThat(left("last")).isLessThan(40));

    assertThat(left("thins")).isLessThan(40);
    assertThat(left("keeps")).isEqualTo(500);
  }

  @Test
  void aRoundThatFailsIsLeftToTheNextOne() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    serve(rounds, () -> rounds.get() == 1);

    passes(Duration.ofDays(3));
    await().until(() -> rounds.get() == 1);
    await()
        .untilAsserted(() -> {
          passes(Duration.ofHours(1));
          assertThat(left("last")).isLessThan(40);
        });
  }

  /** Two pages: one that keeps all and one that does not, and one more. */
  private void serve(AtomicInteger asked, BooleanSupplier fails) throws Exception {
    bus.serve(
            Experiments.LIST,
            question -> {
              asked.incrementAndGet();
              if (fails.getAsBoolean()) {
                return Future.failedFuture(new Problem.Broken("not now").toException());
              }
              return Future.succeededFuture(
                  question.cursor() == null
                      ? new Experiments.Page(
                          List.of(
                              experiment("keeps", MetricPolicy.STANDARD),
                              experiment("thins", TWO_DAYS)),
                          "more")
                      : new Experiments.Page(List.of(experiment("last", TWO_DAYS)), null));
            })
        .await(20, SECONDS);
  }

  private static Experiment experiment(String id, MetricPolicy policy) {
    ExperimentSpec spec =
        new ExperimentSpec(
            ExperimentDescription.named(null),
            SearchSpec.random(SearchSpace.EMPTY, Direction.MAXIMIZE, 1),
            JobSpec.of("true", "/", null, new TrainingServiceSpec("local", Parameters.EMPTY))
                .withMetrics(policy),
            ExperimentLimits.of(1, null));
    return new Experiment(
        new ExperimentId(id),
        ResourceOwner.PUBLIC,
        spec,
        ExperimentStatus.DONE,
        Map.of(),
        0,
        null,
        0,
        Instant.EPOCH,
        null,
        null,
        null);
  }
}
