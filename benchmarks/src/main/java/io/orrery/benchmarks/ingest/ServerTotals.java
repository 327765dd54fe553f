package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.report.Quantiles;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * The figures of all rounds of a server.
 *
 * @param syncs whether a point is synced to the disk before it is acknowledged
 * @param lost points that were acknowledged and are not stored; empty for a server that keeps only
 *     the last of each series
 */
record ServerTotals(String name, boolean syncs, List<Round> rounds, OptionalLong lost) {
  /** A figure of all rounds. */
  Quantiles all(ToDoubleFunction<Round> figure) {
    return new Quantiles(rounds.stream().mapToDouble(figure).toArray());
  }

  /** Our processor time divided by this server's, the median of all rounds. */
  double ratioOf(ServerTotals ours) {
    double[] ratios = new double[rounds.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ours.rounds.get(i).cpuMicros() / rounds.get(i).cpuMicros();
    }
    return new Quantiles(ratios).at(0.5);
  }
}
