package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.util.OptionalLong;

/** A server that takes points. */
interface Subject extends AutoCloseable {
  /** The name in the table. */
  String name();

  /** Whether a point is synced to the disk before it is acknowledged. */
  boolean syncs();

  ProcessHandle process();

  /** What loads it, over connections of its own. */
  IngestLoad load(int batch, IngestTally tally) throws IOException, InterruptedException;

  /** How many points it has, if it can tell. */
  OptionalLong kept() throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
