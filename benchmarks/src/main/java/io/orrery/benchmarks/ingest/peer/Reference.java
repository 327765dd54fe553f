package io.orrery.benchmarks.ingest.peer;

import java.util.List;
import java.util.Map;

/**
 * A figure that a server reached elsewhere, for where it is not measured: on a quiet machine with
 * two cores, the loader included, in November 2026. Good for the order of magnitude only.
 *
 * @param peer whether it would be measured here if it were installed
 * @param cpuMicros processor time of a point, by points that are posted together
 */
public record Reference(String name, boolean peer, Map<Integer, Double> cpuMicros) {
  /** All that are known. */
  public static final List<Reference> ALL =
      List.of(
          new Reference("victoriametrics", true, Map.of(1, 22.8, 100, 0.73, 1_000, 0.43)),
          new Reference("influxdb", true, Map.of(1, 77.0, 100, 4.5, 1_000, 2.9)),
          new Reference("pushgateway", true, Map.of(1, 361.0)),
          new Reference("nni", false, Map.of(1, 650.0)));
}
