package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.report.Quantiles;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * The figures of all turns of a server.
 *
 * @param syncs whether a point is synced to the disk before it is acknowledged
 * @param lost points that were acknowledged and are not there; unknown of one that keeps the last
 */
record ServerTotals(String name, boolean syncs, List<Round> rounds, OptionalLong lost) {
  /** A figure of all turns. */
  Quantiles all(ToDoubleFunction<Round> figure) {
    return new Quantiles(rounds.stream().mapToDouble(figure).toArray());
  }

  /** Our processor time in parts of its, the median over pairs of one round. */
  double ratioOf(ServerTotals ours) {
    double[] ratios = new double[rounds.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ours.rounds.get(i).cpuMicros() / rounds.get(i).cpuMicros();
    }
    return new Quantiles(ratios).at(0.5);
  }
}
