package io.orrery.tuner.surrogate;

import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a search when it asks for the next place.
 *
 * @param observations what was measured, in the order in which it came
 * @param failed places that failed and of which nothing was measured, in their order
 * @param awaited places whose values are to come
 * @param changes another number whenever observations or failures are others than before
 * @param successes the model of success; null when failures count as observations
 * @param price how much cheap places are preferred; null when costs are not looked at
 */
public record Knowledge(
    List<Observation> observations,
    List<double[]> failed,
    Collection<double[]> awaited,
    long changes,
    @Nullable SuccessModel successes,
    @Nullable Price price) {

  /** A number that grows whenever an earlier observation is replaced. */
  long replaced() {
    return changes - observations.size() - failed.size();
  }

  /**
   * The probability of success, and what is paid less: the worth of a place is multiplied with it.
   */
  Factor factor() {
    Factor success =
        successes == null ? Factor.NONE : successes.after(succeeded(), failed, changes).factor();
    return price == null ? success : success.times(price.factor());
  }

  /** How likely it is, from 0 to 1, that trials fail because of their parameters. */
  public double share() {
    return successes == null ? 0 : successes.after(succeeded(), failed, changes).share();
  }

  private List<double[]> succeeded() {
    return observations.stream().map(Observation::place).toList();
  }
}
