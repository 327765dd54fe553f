package io.orrery.orchestrator.trial;

import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.TrialStatus;
import org.jspecify.annotations.Nullable;

/**
 * A parameter set that a trial was given, and its places in the experiment's history.
 *
 * @param suggested when it was given
 * @param settled when it came to its end by itself; null while it has not, and for the set of a
 *     trial that has one: that ends with its trial
 * @param status how it ended then, else null
 */
public record GivenSet(
    ParameterSet set, long suggested, @Nullable Long settled, @Nullable TrialStatus status) {
  /** One that has just been given. */
  public GivenSet(ParameterSet set, long suggested) {
    this(set, suggested, null, null);
  }

  boolean open() {
    return settled == null;
  }

  GivenSet ended(TrialStatus as, @Nullable MetricValue result, long ordinal) {
    return new GivenSet(set.withResult(result), suggested, ordinal, as);
  }

  GivenSet corrected(MetricValue result, long ordinal) {
    return new GivenSet(set.withResult(result), suggested, ordinal, status);
  }

  GivenSet again() {
    return new GivenSet(set.withResult(null), suggested);
  }
}
