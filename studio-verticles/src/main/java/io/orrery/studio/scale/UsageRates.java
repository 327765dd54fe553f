package io.orrery.studio.scale;

import io.orrery.core.bus.contract.Usages.ReplicaUsage;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up what was read at the replicas of one service. Of a total its growth each second counts,
 * so it has a value from the second reading of a replica on.
 */
public final class UsageRates {
  private final Map<ReplicaRef, Before> before = new HashMap<>();

  /** The totals of a replica at an earlier moment. */
  private record Before(Instant at, Map<String, Double> totals) {}

  /**
   * Takes in what was read at a moment.
   *
   * @return the sum over all replicas of each value; without those that no replica has
   */
  public Map<String, Double> add(Instant now, List<ReplicaUsage> replicas) {
    Map<String, Double> sums = new HashMap<>();
    Map<ReplicaRef, Before> next = new HashMap<>();
    for (ReplicaUsage replica : replicas) {
      Readings readings = replica.readings();
      readings.levels().forEach((name, value) -> sums.merge(name, value, Double::sum));
      Before earlier = before.get(replica.replica());
      next.put(replica.replica(), new Before(now, readings.totals()));
      double seconds =
          earlier == null ? 0 : Duration.between(earlier.at(), now).toMillis() / 1_000.0;
      if (earlier != null && seconds > 0) {
        readings
            .totals()
            .forEach((name, total) -> {
              Double then = earlier.totals().get(name);
              // A total that fell was begun anew by a restart.
              if (then != null && total >= then) {
                sums.merge(name, (total - then) / seconds, Double::sum);
              }
            });
      }
    }
    before.clear();
    before.putAll(next);
    return sums;
  }
}
