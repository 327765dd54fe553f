package io.orrery.metrics.store;

import io.orrery.core.sql.Store;
import java.nio.file.Path;

/** The storage of a log, files or tables, which decides what makes a point durable. */
public sealed interface LogPlace {
  /**
   * Files of this machine: a point is acknowledged when its file is synced.
   *
   * @param directory made when it is not there; one process at a time may have it open
   */
  record Files(Path directory) implements LogPlace {}

  /**
   * Tables: a point is acknowledged when the database has committed it.
   *
   * @param store outlives the log
   */
  record Tables(Store store) implements LogPlace {}
}
