package io.orrery.orchestrator.build;

import io.orrery.core.access.ProjectName;
import io.vertx.core.Future;

/** A pause of the builds of a project, in which none of them begins. From any thread. */
interface BuildPause {
  /** Fails with Conflict when a build of the project runs, or when it pauses already. */
  Future<Void> begin(ProjectName project);

  /** Ends a pause that has begun. */
  void end(ProjectName project);
}
