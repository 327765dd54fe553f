package io.orrery.core.experiment;

import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The measure of what a trial costs, for a search that prefers cheap ones, and how much all trials
 * may cost.
 *
 * @param metric the entry of a result that is the cost; null for the measured time in seconds
 * @param trials how many trials there may be; null is unlimited
 * @param time how long trials may run, added up; null is unlimited. It limits the cost only where
 *     that is the time
 */
public record TrialCost(@Nullable String metric, @Nullable Long trials, @Nullable Duration time) {
  private static final double MILLIS = 1e3;

  /**
   * The cost of a trial, above 0.
   *
   * @param result what it reported, null for nothing
   * @param duration from its start to its end, null where it did not run or that is not known
   * @return NaN where nothing was measured, or what is no cost
   */
  public double of(@Nullable MetricValue result, @Nullable Duration duration) {
    double cost = Double.NaN;
    if (metric == null) {
      cost = duration == null ? Double.NaN : duration.toMillis() / MILLIS;
    } else if (result != null && result.document() != null) {
      Double number = MetricValue.numberAt(Json.parse(result.document()), metric);
      cost = number == null ? Double.NaN : number;
    }
    return cost > 0 && cost < Double.POSITIVE_INFINITY ? cost : Double.NaN;
  }

  /**
   * The share of what may be spent that is spent, from 0 to 1, by the limit that is nearer.
   *
   * @param ended how many trials have ended
   * @param spent what they have cost
   * @return NaN where there is no limit
   */
  public double share(long ended, double spent) {
    double ofTrials = trials == null ? Double.NaN : ended / (double) trials;
    double ofTime =
        metric != null || time == null ? Double.NaN : spent / (time.toMillis() / MILLIS);
    double nearer =
        Double.isNaN(ofTrials)
            ? ofTime
            : Double.isNaN(ofTime) ? ofTrials : Math.max(ofTrials, ofTime);
    return Double.isNaN(nearer) ? Double.NaN : Math.clamp(nearer, 0, 1);
  }
}
