package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.report.Quantiles;

/**
 * The figures of one turn.
 *
 * @param cpuMicros of the server's process, for a point
 * @param p50 milliseconds until an answer, as {@code p99}
 */
record Round(double pointsPerSecond, double cpuMicros, double p50, double p99) {
  /**
   * @param cpuMicros of all points
   */
  static Round of(IngestTally tally, double seconds, double cpuMicros) {
    Quantiles millis = new Quantiles(tally.millis());
    return new Round(
        tally.points() / seconds, cpuMicros / tally.points(), millis.at(0.5), millis.at(0.99));
  }
}
