package io.orrery.orchestrator.experiment;

import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;

/** The parameters and the result of a trial that ran elsewhere. */
record ImportedResult(Parameters parameters, MetricValue value) {
  /** Equal for results that say the same. */
  String canonical() {
    return parameters.canonical() + value.toJson();
  }
}
