package io.orrery.benchmarks.ingest;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** A load that sends points, as fast as they are acknowledged. */
interface IngestLoad extends Closeable {
  /** Sends and hears answers for some time. */
  void run(Duration time) throws IOException, InterruptedException;

  /** Sends nothing more until it is run again, and waits for what is still to be answered. */
  void finish() throws IOException, InterruptedException;

  /** Points that were acknowledged so far, or that the broker has taken. */
  long sent();
}
