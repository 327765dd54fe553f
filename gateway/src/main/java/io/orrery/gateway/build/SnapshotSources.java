package io.orrery.gateway.build;

import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.gateway.auth.Callers;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * Says who may keep the state of a container as an image: who may change its workload, of a
 * notebook its owner alone, and within its project.
 */
final class SnapshotSources {
  private static final String POINTER = "/snapshotOf";

  private final Bus bus;

  SnapshotSources(Bus bus) {
    this.bus = bus;
  }

  /** Completes when the caller may; fails as for what is not there when it is hidden. */
  Future<Void> check(RoutingContext context, ProjectName project, BuildSpec spec) {
    String source = spec.snapshotOf();
    if (source == null) {
      return Future.succeededFuture();
    }
    return bus.request(Workloads.GET, new Workloads.Get(WorkloadRef.parse(source)))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(missing(source))
                : Future.failedFuture(failure))
        .map(workload -> {
          check(context, project, workload, source);
          return null;
        });
  }

  private static void check(
      RoutingContext context, ProjectName project, Workload workload, String source) {
    boolean personal = workload.workload().kind() != WorkloadKind.SERVICE;
    if (personal && !Callers.actor(context).name().equals(workload.owner())) {
      throw missing(source);
    }
    try {
      Callers.require(
          Callers.of(context),
          Need.CHANGE,
          new ResourceOwner(workload.project(), workload.owner()),
          source);
    } catch (RuntimeException e) {
      throw Problem.of(e) instanceof Problem.NotFound ? missing(source) : e;
    }
    if (!workload.project().equals(project)) {
      throw refused(
          "%s is of project %s, and the build of project %s"
              .formatted(source, workload.project(), project));
    }
    if (workload.runtime().equals(Workloads.HERE)) {
      throw refused(
          source + " is a process of the server's machine: only a container becomes an image");
    }
  }

  private static RuntimeException missing(String source) {
    return refused("there is no workload %s that runs".formatted(source));
  }

  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding(POINTER, message)).toException();
  }
}
