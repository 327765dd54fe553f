package io.orrery.core.experiment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;

/**
 * The form in which training services store a job. It is that of a whole experiment, as they stored
 * it before, with a search, limits and a description that say nothing: a server of the release
 * before reads what this one has written, and the other way round.
 */
public record StoredJob(JobSpec job) {
  private static final ExperimentDescription NO_NAME = ExperimentDescription.named(null);
  private static final SearchSpec NO_SEARCH =
      SearchSpec.random(SearchSpace.EMPTY, Direction.MAXIMIZE, 0);
  private static final ExperimentLimits ONE_TRIAL = ExperimentLimits.of(1, 1L);

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static StoredJob of(FlatSpec flat) {
    return new StoredJob(flat.job());
  }

  @JsonValue
  FlatSpec flat() {
    return FlatSpec.of(new ExperimentSpec(NO_NAME, NO_SEARCH, job, ONE_TRIAL));
  }
}
