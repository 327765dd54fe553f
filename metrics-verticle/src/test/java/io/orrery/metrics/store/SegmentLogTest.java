package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.EXPERIMENT;
import static io.orrery.metrics.store.Points.TRIAL;
import static io.orrery.metrics.store.Points.point;
import static io.orrery.metrics.store.Points.series;
import static io.orrery.metrics.store.Points.trial;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests the log in files: the contract, what it announces, moves, keeps and deletes. */
class SegmentLogTest extends SegmentLogFixture {
  /** So small that a hundred points fill a segment, and hardly an idle attempt is remembered. */
  private static final LogLimits TINY = new LogLimits(200_000, 32 << 20, 4_000, 4, 1_000, 8);

  abstract class Contract extends MetricLogContract {
    private final LogLimits limits;

    Contract(LogLimits limits) {
      this.limits = limits;
    }

    @BeforeEach
    void openWithLimits() throws Exception {
      clock = clock();
      SegmentLogTest.this.reopen(limits);
    }

    @Override
    protected SegmentLog log() {
      return log;
    }

    @Override
    protected void reopen() throws Exception {
      SegmentLogTest.this.reopen(limits);
    }
  }

  /** The contract with limits that keep everything in one segment, in memory. */
  @Nested
  class WithTheUsualLimits extends Contract {
    WithTheUsualLimits() {
      super(LogLimits.DEFAULT);
    }

    @Override
    protected boolean movesSoon() {
      return false;
    }
  }

  /**
   * The contract with limits so small that nearly every append closes a segment and drops states.
   */
  @Nested
  class WithTinySegments extends Contract {
    WithTinySegments() {
      super(TINY);
    }
  }

  @Test
  void pastTheBoundOfTheQueueNothingIsTaken() throws Exception {
    reopen(new LogLimits(100, 1 << 20, 16 << 20, 4, 4, 1_000));
    List<Future<MetricLog.Appended>> appends = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      appends.add(log.append(series(ATTEMPT, 10L * i, 10L * i + 10)));
    }
    int taken = 0;
    int refused = 0;
    for (Future<MetricLog.Appended> append : appends) {
      AsyncResult<MetricLog.Appended> result = append.transform(Future::succeededFuture).await();
      if (result.succeeded()) {
        taken++;
      } else {
        refused++;
        assertThat(((ProblemException) result.cause()).problem()).isInstanceOf(Problem.Busy.class);
      }
    }
    assertThat(refused).isPositive();
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).hasSize(10 * taken);
    AsyncResult<MetricLog.Appended> tooLarge =
        log.append(series(ATTEMPT, 0, 101)).transform(Future::succeededFuture).await();
    assertThat(((ProblemException) tooLarge.cause()).problem())
        .isInstanceOf(Problem.TooLarge.class);
  }

  @Test
  void newPointsAreAnnouncedInTheOrderOfTheLogBeforeTheirCallersHear() throws Exception {
    for (int i = 0; i < 20; i++) {
      log.append(series(ATTEMPT, 2L * i, 2L * i + 3)).await(5, SECONDS);
      assertThat(announced).isEqualTo(series(ATTEMPT, 0, 2L * i + 3));
    }
  }

  @Test
  void aHundredThousandPointsOfManyTrialsLeaveLittleBehindInMemoryAndInTheLog() throws Exception {
    LogLimits limits = new LogLimits(50_000, 8 << 20, 100_000, 4, 2, 100);
    reopen(limits);
    for (int t = 0; t < 100; t++) {
      AttemptRef attempt = new AttemptRef(trial("t" + t), 1);
      List<MetricPoint> points = series(attempt, 0, 1_000);
      while (log.append(points).transform(Future::succeededFuture).await().failed()) {
        Thread.onSpinWait();
      }
    }
    awaitMoved(limits);
    assertThat(sizeOf(".log")).isLessThan(5 * 200_000);
    for (int t = 0; t < 100; t += 33) {
      AttemptRef attempt = new AttemptRef(trial("t" + t), 1);
      assertThat(log.lastAttempt(attempt.trial()).await(5, SECONDS))
          .isEqualTo(series(attempt, 0, 1_000));
      assertThat(log.append(series(attempt, 0, 1_000)).await(5, SECONDS).duplicates())
          .isEqualTo(1_000);
    }
  }

  @Test
  void whatIsInChunksAloneIsKnownAfterAStart() throws Exception {
    LogLimits limits = new LogLimits(50_000, 8 << 20, 4_000, 4, 0, 100);
    reopen(limits);
    ExperimentId later = new ExperimentId("later");
    AttemptRef other = new AttemptRef(new TrialRef(later, new TrialId("t")), 1);
    log.append(series(ATTEMPT, 0, 1_000)).await(5, SECONDS);
    log.append(series(other, 0, 1_000)).await(5, SECONDS);
    log.append(series(new AttemptRef(trial("last"), 1), 0, 1_000)).await(5, SECONDS);
    awaitMoved(limits);

    reopen(limits);

    for (AttemptRef attempt : List.of(ATTEMPT, other)) {
      assertThat(log.append(series(attempt, 500, 1_500)).await(5, SECONDS).duplicates())
          .isEqualTo(500);
    }
  }

  private void awaitMoved(LogLimits limits) throws Exception {
    while (segments().size() > limits.keptSegments() + 1) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReaderThatFellBehindTheKeptFilesSeesThatItDid() throws Exception {
    LogLimits limits = new LogLimits(50_000, 8 << 20, 4_000, 4, 1, 100);
    reopen(limits);
    for (int i = 0; i < 20; i++) {
      log.append(series(ATTEMPT, 200L * i, 200L * i + 200)).await(5, SECONDS);
      awaitMoved(limits);
    }
    MetricLog.Page page = log.read(0, 10_000).await(5, SECONDS);
    assertThat(page.first()).isPositive();
    assertThat(page.points()).isNotEmpty().isSubsetOf(series(ATTEMPT, 3_000, 4_000));
  }

  @Test
  void forgettingGivesTheDiskBack() throws Exception {
    LogLimits limits = new LogLimits(50_000, 8 << 20, 200_000, 4, 0, 100);
    reopen(limits);
    appendLarge(EXPERIMENT, 60, limits);
    long before = sizeOf("chunks.db");
    assertThat(before).isGreaterThan(18_000_000);
    log.forget(EXPERIMENT).await(20, SECONDS);
    awaitDeleted();
    // SQLite shortens its file at a checkpoint, which comes after some megabytes of writes.
    appendLarge(new ExperimentId("other"), 15, limits);
    assertThat(sizeOf("chunks.db")).isLessThan(before / 2);
  }

  /** Appends 400,000 bytes at a time. */
  private void appendLarge(ExperimentId experiment, int times, LogLimits limits) throws Exception {
    MetricValue large = new MetricValue(0, "\"" + "x".repeat(20_000) + "\"");
    for (int i = 0; i < times; i++) {
      AttemptRef attempt = new AttemptRef(new TrialRef(experiment, new TrialId("t" + i % 7)), 1);
      List<MetricPoint> points = new ArrayList<>();
      for (int j = 0; j < 20; j++) {
        points.add(point(attempt, 20L * i + j, MetricKind.INTERMEDIATE, large));
      }
      log.append(points).await(5, SECONDS);
      awaitMoved(limits);
    }
  }

  @Test
  void pointsThatComeWhileTheOldOnesAreBeingDeletedAreANewHistory() throws Exception {
    fillManyChunks();

    log.forget(EXPERIMENT).await(5, SECONDS);
    MetricLog.Appended fresh = log.append(series(ATTEMPT, 0, 500)).await(5, SECONDS);

    assertThat(fresh.duplicates()).isZero();
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, 500));
    awaitDeleted();
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, 500));
    reopen(TINY);
    assertThat(log.append(series(ATTEMPT, 0, 500)).await(5, SECONDS).duplicates()).isEqualTo(500);
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, 500));
  }

  @Test
  void aDeletionGoesOnAtTheNextStartWhenTheLogNoLongerTellsOfIt() throws Exception {
    fillManyChunks();
    log.forget(EXPERIMENT).await(5, SECONDS);
    AttemptRef other = otherAttempt();
    for (long from = 0; from < 2_000; from += 200) {
      log.append(series(other, from, from + 200)).await(5, SECONDS);
    }
    while (log.waitingSegments() > 0) {
      Thread.onSpinWait();
    }
    assertThat(log.deletions()).as("it is still under way").isOne();

    reopen(TINY);
    assertThat(log.lastAttempt(trial("t7")).await(5, SECONDS)).isEmpty();
    awaitDeleted();

    log.close().await(20, SECONDS);
    SqliteStore chunks = SqliteStore.openForLargeValues(vertx, directory.resolve("chunks.db"));
    for (String table : List.of("metric_chunk", "metric_attempt")) {
      Statement left =
          Statement.of("select count(*) as n from " + table + " where experiment = 'exp'");
      assertThat(chunks.read(left, row -> row.integer("n")).await(5, SECONDS)).containsExactly(0L);
    }
    chunks.close().await(5, SECONDS);
    log = open(TINY);
    assertThat(log.lastAttempt(other.trial()).await(5, SECONDS)).isEqualTo(series(other, 0, 2_000));
  }

  /** So many that their deletion takes dozens of pieces. */
  private void fillManyChunks() throws Exception {
    reopen(new LogLimits(200_000, 32 << 20, 40_000, 4, 1_000, 8));
    for (int from = 0; from < 1_500; from += 100) {
      List<MetricPoint> points = new ArrayList<>();
      for (int t = from; t < from + 100; t++) {
        points.addAll(series(new AttemptRef(trial("t" + t), 1), 0, 3));
      }
      while (settled(log.append(points)).failed()) {
        Thread.onSpinWait();
      }
    }
    reopen(TINY);
    while (log.waitingSegments() > 0) {
      Thread.onSpinWait();
    }
  }

  private static AttemptRef otherAttempt() {
    return new AttemptRef(new TrialRef(new ExperimentId("other"), new TrialId("abcde")), 1);
  }

  private void awaitDeleted() {
    while (log.deletions() > 0) {
      Thread.onSpinWait();
    }
  }

  private long sizeOf(String suffix) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }
}
