package io.orrery.tuner.search;

import io.orrery.core.trial.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * How a trial ended.
 *
 * @param parameterId of the suggestion, null when a user chose the parameters
 * @param value the final metric; NaN when there is none, whatever the reason
 */
public record Result(@Nullable String parameterId, Parameters parameters, double value) {
  /** Whether there is a number to learn from. */
  public boolean usable() {
    return !Double.isNaN(value);
  }
}
