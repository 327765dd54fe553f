package io.orrery.gateway.mlflow;

import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.FindExperiment;
import io.orrery.core.bus.contract.Tracking.RunState;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.problem.Problem;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds experiments and runs upon which a caller may do something. */
final class MlflowAccess {
  /** The header that names the project of what is created or looked for by name. */
  static final String PROJECT_HEADER = "Orrery-Project";

  /** The tag of a new experiment or model that names its project. */
  static final String PROJECT_TAG = "orrery.project";

  private final Bus bus;

  MlflowAccess(Bus bus) {
    this.bus = bus;
  }

  /** The project that a request names; null for none. */
  static @Nullable ProjectName project(RoutingContext context, Map<String, String> tags) {
    String header = context.request().getHeader(PROJECT_HEADER);
    String named = header == null ? tags.get(PROJECT_TAG) : header;
    return named == null || named.isBlank() ? null : ProjectAccess.named(named.strip());
  }

  /** The experiment of an id; fails with NotFound, also where it is hidden, or Forbidden. */
  Future<TrackedExperiment> experiment(RoutingContext context, String id, Need need) {
    boolean own = TrialRunId.isOfExperiment(id);
    return bus.request(
            own ? TrialRuns.EXPERIMENT : Tracking.EXPERIMENT, new FindExperiment(id, null, null))
        .map(found -> {
          require(context, found, own ? Need.READ : need);
          if (own && need != Need.READ) {
            throw MlflowRequest.refused(
                ("The experiment %s belongs to a search of this server: its runs are its trials,"
                        + " and it is changed as an experiment is, not through MLflow's API. Log to"
                        + " another experiment.")
                    .formatted(id));
          }
          return found;
        });
  }

  /** The experiment of a name: of the project that the request names, or one that is seen. */
  Future<TrackedExperiment> experimentOfName(RoutingContext context, String name) {
    List<ProjectName> among = ProjectAccess.among(context, project(context, Map.of()));
    FindExperiment wanted = new FindExperiment(null, name, among);
    return bus.request(Tracking.EXPERIMENT, wanted)
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound && TrialRunId.named(name).isPresent()
                ? bus.request(TrialRuns.EXPERIMENT, wanted)
                : Future.failedFuture(failure))
        .map(found -> require(context, found, Need.READ));
  }

  private static TrackedExperiment require(
      RoutingContext context, TrackedExperiment found, Need need) {
    Callers.require(
        Callers.of(context),
        need,
        found.ownership(),
        "experiment with the id '" + found.id() + "'");
    return found;
  }

  /** The run of an id; fails as {@link #experiment} does. */
  Future<RunState> run(RoutingContext context, String id, Need need) {
    boolean trial = TrialRunId.isOfTrial(id);
    return bus.request(trial ? TrialRuns.STATE : Tracking.STATE, new Tracking.OfRun(id))
        .map(run -> {
          require(context, run.ownership(), id, trial ? Need.READ : need);
          if (trial && need != Need.READ) {
            throw MlflowRequest.refused(
                ("The run %s is a trial of a search: what it reports is its own, and is read here"
                        + " and not written. Create a run in another experiment.")
                    .formatted(id));
          }
          return run;
        });
  }

  /** A run that may be logged to. */
  Future<RunState> loggable(RoutingContext context, String id) {
    return run(context, id, Need.CHANGE)
        .map(run -> {
          if (run.deleted()) {
            throw MlflowRequest.refused(
                "The run %s must be in the 'active' state. Current state is deleted."
                    .formatted(id));
          }
          return run;
        });
  }

  static void require(RoutingContext context, ResourceOwner ownership, String run, Need need) {
    Callers.require(Callers.of(context), need, ownership, "run with the id '" + run + "'");
  }
}
