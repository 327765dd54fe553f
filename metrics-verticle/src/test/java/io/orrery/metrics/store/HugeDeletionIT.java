package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.EXPERIMENT;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.sql.PostgresAddress;
import io.orrery.core.sql.PostgresServer;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.StoreOwner;
import io.orrery.core.time.SystemClock;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a deletion of a large experiment refuses no report of others. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@ExtendWith(VertxExtension.class)
class HugeDeletionIT {
  /** {@code -Dorrery.delete.points=10000000} is the slow proof; it prints what it measured. */
  private static final int POINTS = Integer.getInteger("orrery.delete.points", 100_000);

  private static final int TRIALS = 1_000;
  private static final int BATCH = 100;

  /** A hundredth of the experiment fills a segment, but no segment is larger than usual. */
  private static final LogLimits LIMITS =
      new LogLimits(500_000, 64L << 20, Math.min(16 << 20, 4 * POINTS), 4, 4, 200_000);

  @Test
  @Timeout(900)
  void aLargeDeletionStallsNoWriterOfFiles(Vertx vertx, @TempDir Path directory) throws Exception {
    SegmentLog log = open(vertx, new LogPlace.Files(directory));
    deleteWhileOthersReport("files", log);
    log.close().await(20, SECONDS);
  }

  @Test
  @Timeout(900)
  void aLargeDeletionStallsNoWriterOfADatabase(Vertx vertx) throws Exception {
    PostgresStore store =
        PostgresStore.open(
            vertx,
            PostgresAddress.parse(PostgresServer.newDatabase(), Map.of()),
            new StoreOwner("deleter", "this test"));
    SegmentLog log = open(vertx, new LogPlace.Tables(store));
    deleteWhileOthersReport("tables", log);
    log.close().eventually(store::close).await(20, SECONDS);
  }

  private static SegmentLog open(Vertx vertx, LogPlace place) throws Exception {
    return SegmentLog.open(
            vertx, place, LIMITS, points -> {}, LogWatch.NONE, new SystemClock(vertx))
        .await(60, SECONDS);
  }

  private static void deleteWhileOthersReport(String place, SegmentLog log) throws Exception {
    fill(log);
    Reporter reporter = new Reporter(log);
    int[] rounds = {0};
    long[] alone = reporter.reportWhile(() -> rounds[0]++ < 50);

    long asked = System.nanoTime();
    log.forget(EXPERIMENT).await(20, SECONDS);
    long answered = System.nanoTime();
    assertThat(log.lastAttempt(Points.trial("t0")).await(20, SECONDS)).isEmpty();
    assertThat(log.deletions()).as("it is still under way").isOne();
    long[] beside = reporter.reportWhile(() -> log.deletions() > 0);
    long gone = System.nanoTime();

    assertThat(beside).as("reports that were taken meanwhile").hasSizeGreaterThan(1);
    assertThat(log.lastAttempt(Reporter.ATTEMPT.trial()).await(20, SECONDS))
        .hasSize(BATCH * (alone.length + beside.length));
    System.out.printf(
        "%s, %,d points deleted: answered after %.1f ms, gone after %.1f s;"
            + " a report of %d points, ms: alone %s, meanwhile %s%n",
        place,
        POINTS,
        (answered - asked) / 1e6,
        (gone - asked) / 1e9,
        BATCH,
        shown(alone),
        shown(beside));
  }

  private static void fill(SegmentLog log) throws Exception {
    int each = POINTS / TRIALS;
    int step = Math.max(1, each / 10);
    for (int from = 0; from < each; from += step) {
      for (int t = 0; t < TRIALS; t++) {
        AttemptRef attempt = new AttemptRef(Points.trial("t" + t), 1);
        while (settled(log.append(Points.series(attempt, from, Math.min(each, from + step))))
            .failed()) {
          Thread.sleep(5);
        }
      }
    }
    while (log.waitingSegments() > 0) {
      Thread.sleep(5);
    }
  }

  private static <T> AsyncResult<T> settled(Future<T> future) throws Exception {
    return future.transform(Future::succeededFuture).await(60, SECONDS);
  }

  private static String shown(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return "p50 %.1f, p99 %.1f, most %.1f of %d"
        .formatted(
            sorted[sorted.length / 2] / 1e6,
            sorted[(int) (sorted.length * 0.99)] / 1e6,
            sorted[sorted.length - 1] / 1e6,
            sorted.length);
  }

  /** A sender of another experiment. */
  private static final class Reporter {
    static final AttemptRef ATTEMPT =
        new AttemptRef(new TrialRef(new ExperimentId("other"), new TrialId("abcde")), 1);

    private final SegmentLog log;
    private long next;

    Reporter(SegmentLog log) {
      this.log = log;
    }

    /** Reports one batch after the other; how long each took, in nanoseconds. */
    long[] reportWhile(BooleanSupplier more) throws Exception {
      LongStream.Builder taken = LongStream.builder();
      while (more.getAsBoolean()) {
        long start = System.nanoTime();
        log.append(Points.series(ATTEMPT, next, next + BATCH)).await(60, SECONDS);
        taken.add(System.nanoTime() - start);
        next += BATCH;
      }
      return taken.build().toArray();
    }
  }
}
