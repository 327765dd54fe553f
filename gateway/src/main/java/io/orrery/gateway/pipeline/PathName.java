package io.orrery.gateway.pipeline;

import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.vertx.ext.web.RoutingContext;

/** The name of a template or pipeline in a path. */
final class PathName {
  private PathName() {}

  /**
   * The name in a path; one that can be no name exists not.
   *
   * @param parameter of the path, which is the word for the object as well
   */
  static PipelineName of(RoutingContext context, String parameter) {
    String text = context.pathParam(parameter);
    if (!PipelineName.valid(text)) {
      throw new Problem.NotFound("There is no %s '%s'.".formatted(parameter, text)).toException();
    }
    return new PipelineName(text);
  }
}
