package io.orrery.tuner.assess;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;

/** Makes assessors of one algorithm, and says what it takes. Stateless and thread safe. */
public interface AssessorFactory {
  /** As for tuners; an assessor takes every type of parameter, for it looks at none. */
  Description description();

  /** Makes an assessor that has seen no trial yet. */
  Assessor open(Arguments arguments, Direction direction);
}
