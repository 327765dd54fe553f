package io.orrery.gateway.artifact;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * The API of uploaded files, {@code /api/v1/artifacts/<digest>}: the SHA-256 of the content names
 * it. What is there already need not be sent. Files are read as those of a model or a run.
 */
public final class ArtifactApi implements Api {
  private static final String ONE = ApiRouter.V1 + "/artifacts/:digest";

  private final Bus bus;
  private final ArtifactUploads uploads;

  public ArtifactApi(Bus bus, ArtifactUploads uploads) {
    this.bus = bus;
    this.uploads = uploads;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ONE, RouteNeed.CALLER, this::find);
    router.put(ONE, RouteNeed.CALLER, this::put);
  }

  private Future<Reply> find(RoutingContext context) {
    return bus.request(Artifacts.FIND, new Artifacts.Find(context.pathParam("digest")))
        .map(found -> Reply.empty(204));
  }

  private Future<Reply> put(RoutingContext context) {
    return uploads
        .receive(context.request(), context.pathParam("digest"))
        .map(stored -> Reply.empty(204));
  }
}
