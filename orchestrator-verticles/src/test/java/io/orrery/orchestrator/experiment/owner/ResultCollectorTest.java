package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.time.VirtualClock;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looks results up in the log unless they are known already. */
class ResultCollectorTest {
  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final Context loop = vertx.getOrCreateContext();
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final Map<AttemptRef, MetricPoint> log = new ConcurrentHashMap<>();
  private final List<AttemptRef> asked = new CopyOnWriteArrayList<>();
  private final List<Occurrence> happened = new CopyOnWriteArrayList<>();
  private final ResultCollector line = line(false);

  @BeforeEach
  void serve() throws TimeoutException {
    get(
        bus.serve(
            Metrics.FINAL,
            question -> {
              asked.add(question.attempt());
              return Future.succeededFuture(new Metrics.Final(log.get(question.attempt())));
            }));
  }

  @AfterEach
  void close() throws TimeoutException {
    get(vertx.close());
  }

  @Test
  void aResultThatWasHeardOfIsNotLookedUp() {
    run(() -> line.heard(result(1, 0.1)));
    run(() -> line.heard(result(2, 0.2)));
    run(() -> line.collect(attempt(2), Duration.ZERO));

    assertThat(happened).containsExactly(collected(2, 0.2));
    assertThat(asked).isEmpty();
  }

  @Test
  void theLastThatWasHeardCounts() {
    run(() -> line.heard(result(1, 0.1)));
    run(() -> line.heard(result(1, 0.7)));
    run(() -> line.collect(attempt(1), Duration.ZERO));

    assertThat(happened).containsExactly(collected(1, 0.7));
  }

  @Test
  void theFirstOfManyThatWereHeardIsLookedUpAgain() {
    log.put(attempt(0), result(0, 0.5));
    for (int trial = 0; trial <= 1_000; trial++) {
      MetricPoint result = result(trial, 0.1);
      run(() -> line.heard(result));
    }
    run(() -> line.collect(attempt(1_000), Duration.ZERO));
    run(() -> line.collect(attempt(0), Duration.ZERO));
    answered(2);

    assertThat(happened).containsExactly(collected(1_000, 0.1), collected(0, 0.5));
    assertThat(asked).containsExactly(attempt(0));
  }

  @Test
  void whatWasNotHeardIsLookedUp() {
    log.put(attempt(1), result(1, 0.5));
    run(() -> line.heard(result(2, 0.2)));
    run(() -> line.collect(attempt(1), Duration.ZERO));
    answered(1);

    assertThat(happened).containsExactly(collected(1, 0.5));
    assertThat(asked).containsExactly(attempt(1));
  }

  @Test
  void whatWasBroughtHomeIsLookedUpWhenItIsWantedAgain() {
    log.put(attempt(1), result(1, 0.5));
    run(() -> line.heard(result(1, 0.1)));
    run(() -> line.collect(attempt(1), Duration.ZERO));
    run(() -> line.collect(attempt(1), Duration.ZERO));
    answered(2);

    assertThat(happened).containsExactly(collected(1, 0.1), collected(1, 0.5));
  }

  @Test
  void whoIsGivenTimeForAResultIsAskedForItAfterThat() {
    run(() -> line.collect(attempt(1), Duration.ofMillis(200)));
    run(() -> line.heard(result(1, 0.3)));
    assertThat(happened).isEmpty();
    run(() -> clock.advance(Duration.ofMillis(200)));

    assertThat(happened).containsExactly(collected(1, 0.3));
  }

  @Test
  void whereServersShareTheirWorkTheLogAloneKnows() {
    log.put(attempt(1), result(1, 0.9));
    ResultCollector between = line(true);
    run(() -> between.heard(result(1, 0.1)));
    run(() -> between.collect(attempt(1), Duration.ZERO));
    answered(1);

    assertThat(happened).containsExactly(collected(1, 0.9));
  }

  private ResultCollector line(boolean shared) {
    return new ResultCollector(bus, clock, shared, attempt -> true, happened::add);
  }

  private void run(Runnable action) {
    Promise<Void> done = Promise.promise();
    loop.runOnContext(go -> {
      action.run();
      done.complete();
    });
    done.future().await();
  }

  private void answered(int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (happened.size() < count) {
      assertThat(System.nanoTime()).as("the answer came in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static AttemptRef attempt(int trial) {
    return new AttemptRef(new TrialRef(new ExperimentId("exp00001"), new TrialId("t" + trial)), 1);
  }

  private static MetricPoint result(int trial, double value) {
    return new MetricPoint(
        attempt(trial), "test", 0, MetricKind.FINAL, 0, "7", 0, MetricValue.of(value));
  }

  private static Occurrence collected(int trial, double value) {
    return new Occurrence.ResultCollected(attempt(trial), MetricValue.of(value), "7");
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }
}
