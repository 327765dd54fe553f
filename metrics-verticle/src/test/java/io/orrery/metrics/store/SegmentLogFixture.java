package io.orrery.metrics.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.MetricPoint;
import io.orrery.core.time.Clock;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A log in the files of a folder, which tests close, open and damage. */
@ExtendWith(VertxExtension.class)
abstract class SegmentLogFixture {
  @TempDir Path directory;
  final List<MetricPoint> announced = Collections.synchronizedList(new ArrayList<>());
  Clock clock = new TestClock();
  Vertx vertx;
  SegmentLog log;

  @BeforeEach
  void open(Vertx injected) throws Exception {
    vertx = injected;
    log = open(LogLimits.DEFAULT);
  }

  @AfterEach
  void close() throws Exception {
    log.close().await(20, SECONDS);
  }

  final SegmentLog open(LogLimits limits) throws Exception {
    return SegmentLog.open(
            vertx, new LogPlace.Files(directory), limits, announced::addAll, LogWatch.NONE, clock)
        .await(20, SECONDS);
  }

  final void reopen(LogLimits limits) throws Exception {
    log.close().await(20, SECONDS);
    log = open(limits);
  }

  static <T> AsyncResult<T> settled(Future<T> future) throws Exception {
    return future.transform(Future::succeededFuture).await(5, SECONDS);
  }

  final Path onlySegment() throws Exception {
    assertThat(segments()).hasSize(1);
    return segments().getFirst();
  }

  final List<Path> segments() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }
}
