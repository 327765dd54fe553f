package io.orrery.gateway.trial;

import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import java.util.ArrayList;
import java.util.List;

/** The result of one parameter set of a trial. */
record TrialResult(Trial trial, Parameters parameters, MetricValue value) {
  /** All results of these trials, in their order and in that of their sets. */
  static List<TrialResult> of(List<Trial> trials) {
    List<TrialResult> results = new ArrayList<>();
    for (Trial trial : trials) {
      for (ParameterSet set : trial.tried()) {
        if (set.result() != null) {
          results.add(new TrialResult(trial, set.values(), set.result()));
        }
      }
    }
    return results;
  }
}
