package io.orrery.benchmarks.scaling;

import io.orrery.studio.scale.ScaleModel;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.scale.ScalePolicy.Measure;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A run of a scaler under a load, second by second. A replica is ready some seconds after it is
 * wanted, and gone as soon as it is not wanted.
 *
 * @param over replica-seconds beyond what the load needed, as a share of what it needed
 * @param under replica-seconds that the load needed and were not ready, as the same share
 * @param changes the number of times that another number was wanted
 * @param most the largest number that was wanted
 */
record ScalingRun(double over, double under, int changes, int most) {
  private static final int MOST_REPLICAS = 1_000;
  private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");

  /** A rule for the number of replicas. */
  @FunctionalInterface
  interface Scaler {
    /**
     * @param concurrency the requests under way in this second
     * @param wanted the present number
     * @param ready how many of them are ready
     */
    int wanted(int second, double concurrency, int wanted, int ready);
  }

  /** The scaler of this server, for a concurrency of each replica. */
  static Scaler ours(double each) {
    ScaleModel model =
        new ScaleModel(
            new ScalePolicy(
                1, MOST_REPLICAS, List.of(new Target(Measure.CONCURRENCY, each)), List.of()),
            ZoneOffset.UTC);
    return (second, concurrency, wanted, ready) -> {
      model.add(
          new ScaleModel.Sample(
              BEGIN.plusSeconds(second), (int) Math.round(concurrency), 0, second));
      return model.decide(wanted, ready).map(ScaleModel.Decision::replicas).orElse(wanted);
    };
  }

  /**
   * Runs a scaler.
   *
   * @param each the concurrency that one replica can have
   * @param start the seconds until a replica is ready
   */
  static ScalingRun of(Scaler scaler, LoadShape load, double each, int start) {
    Deque<Integer> starting = new ArrayDeque<>();
    int ready = Math.max(1, (int) Math.ceil(load.at(0) / each));
    double needed = 0;
    double over = 0;
    double under = 0;
    int changes = 0;
    int most = ready;
    for (int second = 0; second < LoadShape.SECONDS; second++) {
      while (!starting.isEmpty() && starting.getFirst() <= second) {
        starting.removeFirst();
        ready++;
      }
      int present = ready + starting.size();
      int need = (int) Math.ceil(load.at(second) / each - 1e-9);
      needed += need;
      over += Math.max(0, present - need);
      under += Math.max(0, need - ready);
      int wanted = scaler.wanted(second, load.at(second), present, ready);
      changes += wanted == present ? 0 : 1;
      most = Math.max(most, wanted);
      for (int more = present; more < wanted; more++) {
        starting.addLast(second + start);
      }
      for (int fewer = present; fewer > wanted; fewer--) {
        if (starting.isEmpty()) {
          ready--;
        } else {
          starting.removeLast();
        }
      }
    }
    return new ScalingRun(over / needed, under / needed, changes, most);
  }
}
