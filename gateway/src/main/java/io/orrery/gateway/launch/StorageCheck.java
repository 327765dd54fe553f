package io.orrery.gateway.launch;

import io.orrery.core.file.SyncedFile;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.gateway.cluster.LeasedMetricLog;
import io.orrery.gateway.health.Readiness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A readiness check of the store, the metric log, and the disk of the home, on which a small file
 * is written. The disk is checked once a second at most, however often health is requested.
 */
final class StorageCheck implements Readiness {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** More than a file system keeps within an inode. */
  private static final int BYTES = 64 << 10;

  private final Vertx vertx;
  private final Path file;
  private volatile @Nullable Started started;

  /** The answer that is current; the event loop's. */
  private @Nullable Future<State> answer;

  private long askedAt;

  private record Started(Store store, LeasedMetricLog metrics) {}

  /**
   * @param home in which the server writes
   */
  StorageCheck(Vertx vertx, Path home) {
    this.vertx = vertx;
    this.file = home.resolve("health.tmp");
  }

  /** From now on the server counts as ready, as long as these can be written. */
  void started(Store store, LeasedMetricLog metrics) {
    started = new Started(store, metrics);
  }

  @Override
  public Future<State> now() {
    Started parts = started;
    if (parts == null) {
      return Future.succeededFuture(State.STARTING);
    }
    Future<State> known = answer;
    // A clock that only goes forward: this is not about the time of day.
    if (known == null || (known.isComplete() && System.nanoTime() - askedAt > FRESH_NANOS)) {
      askedAt = System.nanoTime();
      known =
          Future.all(disk(), parts.store().probe(), parts.metrics().probe())
              .map(all -> State.READY)
              .otherwise(failure -> State.failing(Problem.of(failure).detail()));
      answer = known;
    }
    return known;
  }

  private Future<Void> disk() {
    return vertx.executeBlocking(
        () -> {
          try {
            SyncedFile.write(file, new byte[BYTES]);
          } catch (IOException e) {
            throw new Problem.Broken(
                    "nothing can be written to " + file.getParent() + ": " + FileFault.words(e))
                .toException();
          } finally {
            Files.deleteIfExists(file);
          }
          return null;
        },
        false);
  }
}
