package io.orrery.orchestrator.experiment.model;

import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;

/** The parameters and the result of a trial that ran elsewhere. */
public record ImportedResult(Parameters parameters, MetricValue value) {
  /** Equal for results that say the same. */
  public String canonical() {
    return parameters.canonical() + value.toJson();
  }
}
