package io.orrery.orchestrator.experiment;

import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;

/** What a trial that ran elsewhere was given, and what came of it. */
record ImportedResult(Parameters parameters, MetricValue value) {
  /** Equal for results that say the same. */
  String canonical() {
    return parameters.canonical() + value.toJson();
  }
}
