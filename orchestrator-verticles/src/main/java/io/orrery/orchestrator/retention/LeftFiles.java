package io.orrery.orchestrator.retention;

import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Finds and removes the files of a kind that has a rule of retention. */
public interface LeftFiles {
  /**
   * The one thread on which all of them are found and removed, in turn; it may be long at it. To be
   * closed: it ends with the last that has it.
   */
  static WorkerExecutor threads(Vertx vertx) {
    return vertx.createSharedWorkerExecutor("old-files", 1, 30, TimeUnit.MINUTES);
  }

  /**
   * Those that are older than an instant, each with what uses it. A directory that cannot be read
   * is logged and counted, and does not keep the others from being found.
   */
  Future<OldFiles.Found> find(Instant before);

  /** Removes one; fails with Conflict when it is used, being made, or not older than an instant. */
  Future<?> remove(OldObject object, Instant before);

  /** Gives the thread back. */
  Future<?> close();
}
