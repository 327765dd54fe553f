package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.metric.Objectives;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Tuner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tuner of the catalogue. It hears only of what fits its space: of an experiment whose space was
 * changed, some of the past does not.
 */
record BuiltInTuner(Tuner tuner, Objectives objectives, @Nullable TrialCost cost)
    implements HostedTuner {
  /** One that does not look at costs. */
  BuiltInTuner(Tuner tuner, Objectives objectives) {
    this(tuner, objectives, null);
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    return tuner.suggest(count, firstNumber);
  }

  @Override
  public void remember(Suggestion suggestion) {
    if (tuner.fits(suggestion.parameters())) {
      tuner.remember(suggestion);
    }
  }

  @Override
  public void learn(Settled settled) {
    if (tuner.fits(settled.parameters())) {
      List<Double> values = objectives.measures(settled.result());
      tuner.learn(
          new Result(
              settled.parameterId(),
              settled.parameters(),
              values,
              cancelled(settled.status()),
              cost(settled)));
    }
  }

  private double cost(Settled settled) {
    return cost == null ? Double.NaN : cost.of(settled.result(), settled.duration());
  }

  private static boolean cancelled(TrialStatus status) {
    return status == TrialStatus.USER_CANCELED || status == TrialStatus.SYS_CANCELED;
  }
}
