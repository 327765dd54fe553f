package io.orrery.gateway.workspace;

import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.gateway.auth.Callers;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.function.Function;

/** Runs operations upon claims in the pods of the notebooks of a person. */
final class ClaimPods {
  /** A minute without output, or ten where all of a tree is deleted first. */
  private static final int PATIENCE = 6;

  private static final int PATIENCE_OF_DELETIONS = 60;

  private final Bus bus;

  ClaimPods(Bus bus) {
    this.bus = bus;
  }

  /**
   * Runs an operation and ends it, whatever it came to.
   *
   * @param verb that says in messages what is done to the path
   */
  <T> Future<T> run(
      RoutingContext context, ClaimPath path, String verb, Function<ClaimCommand, Future<T>> work) {
    return begin(context, path, verb, false)
        .compose(
            command -> Future.succeededFuture(command).compose(work).eventually(command::close));
  }

  /**
   * Begins an operation, which the caller ends.
   *
   * @param isUse whether the notebook is in use meanwhile
   */
  Future<ClaimCommand> begin(RoutingContext context, ClaimPath path, String verb, boolean isUse) {
    int patience = verb.equals("delete") ? PATIENCE_OF_DELETIONS : PATIENCE;
    return replica(context, path)
        .compose(replica ->
            ClaimCommand.begin(
                bus,
                new Shells.RunCommand(replica, ClaimProgram.WORDS, Callers.actor(context), isUse),
                verb,
                path,
                patience));
  }

  private Future<ReplicaRef> replica(RoutingContext context, ClaimPath path) {
    NotebookName name = path.notebook();
    return bus.request(Notebooks.GET, new Notebooks.GetNotebook(name))
        .recover(failure ->
            Future.failedFuture(
                Problem.of(failure) instanceof Problem.NotFound
                    ? ClaimPath.none(name.value())
                    : failure))
        .compose(notebook -> {
          if (!notebook.owner().equals(path.path().user())) {
            throw ClaimPath.none(name.value());
          }
          // As for a terminal there: who was taken out of the project has neither.
          Callers.require(
              Callers.of(context),
              Need.OPERATE,
              new ResourceOwner(notebook.project(), notebook.owner()),
              "notebook " + name);
          requireRunning(notebook, path);
          return bus.request(Workloads.GET, new Workloads.Get(workload(name)));
        })
        .map(workload ->
            workload.replicas().stream()
                .filter(replica -> replica.phase().isReady())
                .map(Replica::ref)
                .max(Comparator.naturalOrder())
                .orElseThrow(() ->
                    new Problem.Conflict("Notebook %s has no program now.".formatted(name))
                        .toException()));
  }

  static WorkloadRef workload(NotebookName name) {
    return new WorkloadRef(WorkloadKind.NOTEBOOK, name.value());
  }

  /** Whether the pod of a notebook can be asked. */
  static boolean isRunning(Notebook notebook) {
    return switch (notebook.state().status()) {
      case RUNNING, IDLE -> true;
      case STOPPED, WAITING, STARTING, STOPPING, FAILED, UNREACHABLE -> false;
    };
  }

  private static void requireRunning(Notebook notebook, ClaimPath path) {
    if (isRunning(notebook)) {
      return;
    }
    String hint =
        switch (notebook.state().status()) {
          case STOPPED, STOPPING, FAILED ->
              "start it with orrery notebook start " + notebook.name();
          case WAITING, STARTING, UNREACHABLE, RUNNING, IDLE -> "wait until it is RUNNING";
        };
    throw new Problem.Conflict(
            "Notebook %s is %s, and %s is reached through its pod: %s."
                .formatted(notebook.name(), notebook.state().status(), path.root(), hint))
        .toException();
  }
}
