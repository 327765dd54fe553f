package io.orrery.tuner.search.bayes;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.surrogate.Look;
import io.orrery.tuner.surrogate.Surrogate;

/**
 * A plan by which one suggestion is found.
 *
 * @param additive whether the model may add up the effects of parameters, instead of having all of
 *     them depend on each other
 * @param look how far the model is trusted
 * @param aim what a place is worth
 */
public record Plan(boolean additive, Look look, Surrogate.Aim aim) {
  private static final double ELSEWHERE = 0.3;
  private static final double WARY = 0.3;

  /**
   * A look, drawn: mostly a trusting one, and now and then one of those that keep a search from
   * staying where it first saw something good.
   *
   * <p>The shares are round numbers from the search benchmark. Without {@link Look#ELSEWHERE}, half
   * of the runs on its nested problem stayed in the wrong branch; with more of it, smooth problems
   * take longer.
   */
  public static Look look(Rng rng) {
    double share = rng.nextDouble();
    return share < ELSEWHERE
        ? Look.ELSEWHERE
        : share < ELSEWHERE + WARY ? Look.WARY : Look.TRUSTING;
  }
}
