package io.orrery.tuner.search;

import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objective;
import io.orrery.core.trial.Parameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a trial, with its values.
 *
 * @param parameterId of the suggestion, null when a user chose the parameters
 * @param values the final metric for each objective, in their order, as {@link
 *     io.orrery.core.metric.Objectives#measures} has it: NaN where there is none, whatever the
 *     reason, and infinity in the bad direction where it is worse than anything
 * @param cancelled whether it was ended by a user or by the system, so that a missing number says
 *     nothing of the parameters
 * @param cost what it cost by the setting's measure, above 0; NaN where that is not known
 */
public record Result(
    @Nullable String parameterId,
    Parameters parameters,
    List<Double> values,
    boolean cancelled,
    double cost) {
  public Result {
    values = List.copyOf(values);
  }

  /** Of a trial whose cost is not known. */
  public Result(
      @Nullable String parameterId, Parameters parameters, List<Double> values, boolean cancelled) {
    this(parameterId, parameters, values, cancelled, Double.NaN);
  }

  /** Of a trial that came to its own end. */
  public Result(@Nullable String parameterId, Parameters parameters, List<Double> values) {
    this(parameterId, parameters, values, false);
  }

  /** Of a search with one objective. */
  public Result(@Nullable String parameterId, Parameters parameters, double value) {
    this(parameterId, parameters, List.of(value));
  }

  /** The metric of the first objective. */
  public double value() {
    return values.getFirst();
  }

  /** The loss of the first objective, see {@link #losses}. */
  public double loss(Direction goal) {
    return loss(value(), goal);
  }

  /**
   * The losses for objectives, in their order: less is better.
   *
   * @return NaN where there is no measure, positive infinity where it is worse than anything
   */
  public double[] losses(List<Objective> objectives) {
    double[] losses = new double[objectives.size()];
    for (int i = 0; i < losses.length; i++) {
      losses[i] = loss(values.get(i), objectives.get(i).goal());
    }
    return losses;
  }

  private static double loss(double value, Direction goal) {
    return Double.isNaN(value) ? Double.NaN : goal.loss(value);
  }
}
