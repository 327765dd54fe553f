package io.orrery.gateway.http;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.UserName;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.vertx.ext.web.RoutingContext;

/**
 * The ids in {@code /experiments/:experiment/trials/:trial}, {@code /projects/:project} and {@code
 * /users/:user}. What can be no id exists not.
 */
public final class PathIds {
  private PathIds() {}

  public static ExperimentId experiment(RoutingContext context) {
    String text = context.pathParam("experiment");
    if (!ExperimentId.valid(text)) {
      throw new Problem.NotFound("There is no experiment '" + text + "'.").toException();
    }
    return new ExperimentId(text);
  }

  public static ProjectName project(RoutingContext context) {
    String text = context.pathParam("project");
    if (!ProjectName.valid(text)) {
      throw new Problem.NotFound("There is no project '" + text + "'.").toException();
    }
    return new ProjectName(text);
  }

  public static UserName user(RoutingContext context) {
    String text = context.pathParam("user");
    if (!UserName.valid(text)) {
      throw new Problem.NotFound("There is no user '" + text + "'.").toException();
    }
    return new UserName(text);
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
