package io.orrery.core.experiment;

import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.space.SearchSpace;
import org.jspecify.annotations.Nullable;

/**
 * The search of an experiment: for what, where and with which algorithms.
 *
 * @param assessor which trials it ends early; null for none
 * @param objectives what results should be
 * @param seed of all randomness of the search
 */
public record SearchSpec(
    SearchSpace space,
    AlgorithmSpec tuner,
    @Nullable AlgorithmSpec assessor,
    Objectives objectives,
    long seed) {
  /** A random one without an assessor. */
  public static SearchSpec random(SearchSpace space, Direction direction, long seed) {
    return new SearchSpec(
        space, AlgorithmSpec.named("Random"), null, Objectives.of(direction), seed);
  }

  /** Whether more or less of the first objective is better. */
  public Direction direction() {
    return objectives.direction();
  }

  /** The names and kinds of the parameters of its trials. */
  public ParameterShape parameterShape() {
    return tuner.parameterShape(space);
  }

  /** The same over another space. */
  public SearchSpec withSpace(SearchSpace other) {
    return new SearchSpec(other, tuner, assessor, objectives, seed);
  }

  /** The same with other chance. */
  public SearchSpec withSeed(long other) {
    return new SearchSpec(space, tuner, assessor, objectives, other);
  }
}
