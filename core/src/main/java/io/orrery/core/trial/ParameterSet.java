package io.orrery.core.trial;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.orrery.core.metric.MetricValue;
import org.jspecify.annotations.Nullable;

/**
 * A parameter set that a trial was given. A trial may be given several, one after another
 * (multi-phase); a result names the one that it belongs to.
 *
 * @param index 0 for the first of the trial
 * @param parameterId the tuner's number of this suggestion, as text (Hyperband's are not numbers);
 *     null when a user chose the values
 * @param result of this one of several, null until it is known; the result of an only one is that
 *     of its trial
 */
public record ParameterSet(
    int index,
    @Nullable String parameterId,
    ParameterSource source,
    Parameters values,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable MetricValue result) {
  @JsonCreator
  public ParameterSet {}

  /** One without a result. */
  public ParameterSet(
      int index, @Nullable String parameterId, ParameterSource source, Parameters values) {
    this(index, parameterId, source, values, null);
  }

  /** The same with a result. */
  public ParameterSet withResult(@Nullable MetricValue found) {
    return new ParameterSet(index, parameterId, source, values, found);
  }
}
