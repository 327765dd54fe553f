package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class ReportFeedTest {
  private final AttemptRef attempt =
      new AttemptRef(new TrialRef(new ExperimentId("feed"), new TrialId("t")), 1);
  private final List<MetricPoint> stored = new ArrayList<>();
  private int batches;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2_500, 4_999, 5_000, 11_999})
  void aPointThatTheStoreRefusesCostsNoOther(int bad) throws Exception {
    ReportFeed feed = feed(12_000, point -> point.sequence() == bad);

    assertThat(feed.drained(true)).isTrue();

    assertThat(stored)
        .extracting(point -> (int) point.sequence())
        .containsExactlyElementsOf(
            IntStream.range(0, 12_000).filter(i -> i != bad).boxed().toList());
    assertThat(feed.complaint()).isEqualTo("1 of its reports could not be stored");
    assertThat(batches).isLessThan(50);
  }

  @Test
  void aTrialWhoseReportsAreAllRefusedStillComesToItsEnd() throws Exception {
    ReportFeed feed = feed(1_000, point -> true);

    assertThat(feed.drained(true)).isTrue();

    assertThat(stored).isEmpty();
    assertThat(feed.complaint()).startsWith("1000 of its reports");
    assertThat(batches).isLessThan(1_100);
  }

  @Test
  void whatIsStoredGivesNoComplaint() throws Exception {
    ReportFeed feed = feed(10, point -> false);

    assertThat(feed.drained(true)).isTrue();

    assertThat(stored).hasSize(10);
    assertThat(feed.complaint()).isNull();
  }

  /** A store that is taken over is away for a moment, and as many trials report as there are. */
  @ParameterizedTest
  @CsvSource({"0, 0", "6, 0", "7, 1", "20, 1"})
  void aStoreThatIsAwayForLongIsAWarningOnce(int failures, int warnings) throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger(ReportFeed.class);
    logger.addAppender(log);
    try {
      List<Runnable> waiting = new ArrayList<>();
      Supplier<Optional<Problem>> away = away(failures);
      ReportFeed feed = feed(10, points -> away.get(), clock(waiting::add));
      while (!feed.drained(true)) {
        waiting.removeFirst().run();
      }
    } finally {
      logger.detachAppender(log);
    }

    assertThat(stored).hasSize(10);
    assertThat(log.list).hasSize(warnings);
    assertThat(log.list)
        .allSatisfy(event ->
            assertThat(event.getFormattedMessage())
                .startsWith("could not store reports of " + attempt)
                .endsWith("no store"));
  }

  private static Supplier<Optional<Problem>> away(int failures) {
    AtomicInteger left = new AtomicInteger(failures);
    return () ->
        left.getAndDecrement() > 0 ? Optional.of(new Problem.Broken("no store")) : Optional.empty();
  }

  /** A feed of that many reports into a store that never takes some of them. */
  private ReportFeed feed(int count, Predicate<MetricPoint> bad) throws Exception {
    Problem never = new Problem.Refused(new Finding("/points/0", "never"));
    return feed(
        count,
        points -> points.stream().anyMatch(bad) ? Optional.of(never) : Optional.empty(),
        CLOCK);
  }

  private ReportFeed feed(
      int count, Function<List<MetricPoint>, Optional<Problem>> problem, Clock clock)
      throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("orrery: intermediate ").append(i).append('\n');
    }
    Path file = Files.writeString(directory.resolve("stdout"), lines);
    PlatformListener store =
        new PlatformListener() {
          @Override
          public void happened(PlatformEvent event) {}

          @Override
          public Future<Void> reported(List<MetricPoint> points) {
            batches++;
            Optional<Problem> failed = problem.apply(points);
            if (failed.isPresent()) {
              return Future.failedFuture(failed.get().toException());
            }
            stored.addAll(points);
            return Future.succeededFuture();
          }
        };
    List<FileTailReader> tails =
        List.of(
            new FileTailReader(file.getParent(), file, new OutputLines(attempt, () -> "0", CLOCK)));
    return new ReportFeed(() -> tails, store, clock, () -> {});
  }

  private static final Clock CLOCK =
      clock(task -> {
        throw new AssertionError("nothing here is to wait");
      });

  private static Clock clock(Consumer<Runnable> later) {
    return new Clock() {
      @Override
      public Instant now() {
        return Instant.EPOCH;
      }

      @Override
      public Timer after(Duration delay, Runnable task) {
        later.accept(task);
        return () -> {};
      }
    };
  }
}
