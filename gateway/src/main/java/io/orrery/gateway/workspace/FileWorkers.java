package io.orrery.gateway.workspace;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A small pool of threads for work with the files of people, made at its first use. */
final class FileWorkers {
  private final String name;
  private final int threads;
  private final Duration longest;
  private @Nullable WorkerExecutor workers;

  /**
   * @param longest after which work that has not ended is warned of
   */
  FileWorkers(String name, int threads, Duration longest) {
    this.name = name;
    this.threads = threads;
    this.longest = longest;
  }

  <T> Future<T> run(RoutingContext context, Callable<T> work) {
    WorkerExecutor present = workers;
    if (present == null) {
      present =
          context
              .vertx()
              .createSharedWorkerExecutor(name, threads, longest.toSeconds(), TimeUnit.SECONDS);
      workers = present;
    }
    return present.executeBlocking(work, false);
  }
}
