package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;

/** The API of parameter importance, {@code /experiments/…/importance}. */
final class ImportanceApi implements Api {
  private final Bus bus;

  public ImportanceApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ApiRouter.V1 + "/experiments/:experiment/importance",
        RouteNeed.READ,
        context ->
            bus.request(Tuners.IMPORTANCE, new Tuners.ImportanceOf(PathIds.experiment(context)))
                .map(found -> Reply.ok(shape(found))));
  }

  private static ObjectNode shape(Tuners.Importances found) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    ArrayNode items = json.putArray("items");
    found
        .items()
        .forEach(item ->
            items
                .addObject()
                .put("parameter", item.parameter())
                .put("importance", item.importance()));
    return json.put("method", found.method())
        .put("trials", found.trials())
        .put("total", found.total())
        .put("reason", found.reason());
  }
}
