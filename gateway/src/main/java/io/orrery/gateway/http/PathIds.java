package io.orrery.gateway.http;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import io.vertx.ext.web.RoutingContext;

/** The ids in {@code /experiments/:experiment/trials/:trial}. What can be no id exists not. */
public final class PathIds {
  private PathIds() {}

  public static ExperimentId experiment(RoutingContext context) {
    String text = context.pathParam("experiment");
    if (!ExperimentId.valid(text)) {
      throw new Problem.NotFound("There is no experiment '" + text + "'.").toException();
    }
    return new ExperimentId(text);
  }

  public static TrialRef trial(RoutingContext context) {
    ExperimentId experiment = experiment(context);
    String text = context.pathParam("trial");
    if (!TrialId.valid(text)) {
      throw new Problem.NotFound("Experiment " + experiment + " has no trial '" + text + "'.")
          .toException();
    }
    return new TrialRef(experiment, new TrialId(text));
  }
}
