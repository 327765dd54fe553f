package io.orrery.orchestrator.action;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.time.Clock;
import io.vertx.core.Vertx;
import java.time.Instant;

/**
 * The surroundings of the work of an attempt.
 *
 * @param project of the run, which everything that the work makes belongs to
 * @param runner on whose behalf it is done
 * @param begun when the attempt was begun first
 */
public record WorkContext(
    Vertx vertx,
    Bus bus,
    Clock clock,
    RunId run,
    String step,
    int number,
    int attempt,
    ProjectName project,
    String runner,
    Instant begun) {
  ResourceOwner ownership() {
    return new ResourceOwner(project, runner);
  }

  Actor actor() {
    return new Actor(runner, "run " + run);
  }

  /**
   * Checks that a run may change an object that is there already.
   *
   * @param what such as "service digits"
   * @throws io.orrery.core.problem.ProblemException Forbidden when it belongs to another project or
   *     person
   */
  void checkMayChange(String what, ProjectName itsProject, String itsOwner) {
    if (!itsProject.equals(project)) {
      throw new Problem.Forbidden(
              "There is no %s in project %s, and its name is taken.".formatted(what, project))
          .toException();
    }
    if (!itsOwner.equals(runner)) {
      throw new Problem.Forbidden(
              "%s belongs to %s: a run of %s does not change it.".formatted(what, itsOwner, runner))
          .toException();
    }
  }
}
