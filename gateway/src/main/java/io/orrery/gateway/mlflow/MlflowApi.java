package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.artifact.ArtifactUploads;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * MLflow's REST API 2.0 below {@code /api/2.0/mlflow} and {@code /api/2.0/mlflow-artifacts}. Whom a
 * run or model is hidden from is told that it does not exist, in MLflow's words.
 */
public final class MlflowApi implements Api {
  private static final String ROOT = "/api/2.0/mlflow/";

  private final RequestBody bodies;
  private final MlflowExperiments experiments;
  private final MlflowRuns runs;
  private final MlflowLog log;
  private final MlflowModels models;
  private final MlflowVersions versions;
  private final MlflowArtifacts artifacts;

  /**
   * @param patience how long a client may read nothing
   */
  public MlflowApi(
      Bus bus, RequestBody bodies, ArtifactUploads uploads, Clock clock, Duration patience) {
    MlflowAccess access = new MlflowAccess(bus);
    this.bodies = bodies;
    this.experiments = new MlflowExperiments(bus, access);
    this.runs = new MlflowRuns(bus, access, clock);
    this.log = new MlflowLog(bus, bodies, access);
    this.models = new MlflowModels(bus);
    this.versions = new MlflowVersions(bus, access);
    this.artifacts = new MlflowArtifacts(bus, access, uploads, clock, patience);
  }

  /** An operation: from the fields of a request to the object of the answer. */
  @FunctionalInterface
  interface Operation extends BiFunction<RoutingContext, MlflowRequest, Future<ObjectNode>> {}

  /** The declaration of operations by their names below the root. */
  final class Mount {
    private final ApiRouter router;

    private Mount(ApiRouter router) {
      this.router = router;
    }

    void get(String name, Operation operation) {
      router.get(ROOT + name, RouteNeed.STUDIO, answered(false, operation));
    }

    void post(String name, Operation operation) {
      router.post(ROOT + name, RouteNeed.STUDIO, answered(false, operation));
    }

    void patch(String name, Operation operation) {
      router.patch(ROOT + name, RouteNeed.STUDIO, answered(false, operation));
    }

    void delete(String name, Operation operation) {
      router.delete(ROOT + name, RouteNeed.STUDIO, answered(false, operation));
    }

    /** A POST whose conflict means that there is an object of this name. */
    void creating(String name, Operation operation) {
      router.post(ROOT + name, RouteNeed.STUDIO, answered(true, operation));
    }

    /** A POST that reads its body itself. */
    void raw(String name, Function<RoutingContext, Future<Reply>> route) {
      router.post(ROOT + name, RouteNeed.STUDIO, MlflowErrors.told(false, route));
    }

    /** A GET that writes its answer itself. */
    void rawGet(String name, Function<RoutingContext, Future<Reply>> route) {
      router.get(ROOT + name, RouteNeed.STUDIO, MlflowErrors.told(false, route));
    }

    private Function<RoutingContext, Future<Reply>> answered(boolean creates, Operation operation) {
      return MlflowErrors.told(
          creates,
          context ->
              MlflowRequest.read(bodies, context)
                  .compose(request -> operation.apply(context, request))
                  .map(Reply::ok));
    }
  }

  @Override
  public void mount(ApiRouter router) {
    Mount mount = new Mount(router);
    experiments.mount(mount);
    runs.mount(mount);
    log.mount(mount);
    models.mount(mount);
    versions.mount(mount);
    artifacts.mount(mount, router);
    mount.rawGet("*", MlflowApi::unknown);
    mount.raw("*", MlflowApi::unknown);
  }

  private static Future<Reply> unknown(RoutingContext context) {
    return Future.failedFuture(
        new Problem.NotFound(
                "This server does not have %s of MLflow's API.".formatted(context.request().path()))
            .toException());
  }
}
