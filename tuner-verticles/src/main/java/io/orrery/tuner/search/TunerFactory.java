package io.orrery.tuner.search;

import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import java.util.List;

/** Makes tuners of one algorithm, and says what it takes. Stateless and thread safe. */
public interface TunerFactory {
  Description description();

  /**
   * What is wrong with a space beyond the types of its parameters, which the catalogue checks.
   *
   * @return findings with pointers below {@code /searchSpace}; empty when all is well
   */
  default List<Finding> check(SearchSpace space) {
    return List.of();
  }

  /**
   * Makes a tuner that knows nothing of the past yet.
   *
   * @param setting checked: the space is one that this algorithm takes
   */
  Tuner open(Setting setting);
}
