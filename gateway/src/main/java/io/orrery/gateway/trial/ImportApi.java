package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * The API of imports, {@code /experiments/{id}/import}: accepts what {@link ExportApi} wrote, and
 * NNI's list.
 */
final class ImportApi implements Api {
  private static final int MAX_BYTES = 16 << 20;

  private final Bus bus;
  private final RequestBody bodies;

  public ImportApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(
        ApiRouter.V1 + "/experiments/:experiment/import",
        RouteNeed.CHANGE,
        this::take,
        DryRun.PARAMETER);
  }

  private Future<Reply> take(RoutingContext context) {
    ExperimentId experiment = PathIds.experiment(context);
    var address = DryRun.isAsked(context) ? Trials.CHECK_IMPORT : Trials.IMPORT;
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> bus.request(address, new Trials.Import(experiment, text)))
        .map(imported -> Reply.ok(shape(imported)));
  }

  private static ObjectNode shape(Trials.Imported imported) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("imported", imported.imported())
            .put("duplicates", imported.duplicates());
    return json.set("notices", Json.MAPPER.valueToTree(imported.notices()));
  }
}
