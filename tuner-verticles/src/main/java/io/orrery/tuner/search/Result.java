package io.orrery.tuner.search;

import io.orrery.core.trial.Parameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a trial ended.
 *
 * @param parameterId of the suggestion, null when a user chose the parameters
 * @param values the final metric for each objective, in their order; NaN where there is none,
 *     whatever the reason
 */
public record Result(@Nullable String parameterId, Parameters parameters, List<Double> values) {
  public Result {
    values = List.copyOf(values);
  }

  /** Of a search with one objective. */
  public Result(@Nullable String parameterId, Parameters parameters, double value) {
    this(parameterId, parameters, List.of(value));
  }

  /** The metric of the first objective. */
  public double value() {
    return values.getFirst();
  }

  /** Whether there is a number to learn from. */
  public boolean usable() {
    return !Double.isNaN(value());
  }
}
