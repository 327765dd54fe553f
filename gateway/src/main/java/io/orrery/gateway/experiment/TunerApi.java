package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Reply;

/** {@code /tuners}: every algorithm, with what it accepts. */
public final class TunerApi implements Api {
  private final Bus bus;

  public TunerApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ApiRouter.V1 + "/tuners",
        context ->
            bus.request(Tuners.LIST, new Tuners.ListAll())
                .map(all -> Reply.ok(Pages.of(all.algorithms(), TunerApi::shape, null))));
  }

  private static ObjectNode shape(Tuners.Algorithm algorithm) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("name", algorithm.name())
            .put("kind", algorithm.kind())
            .put("summary", algorithm.summary())
            .put("severalObjectives", algorithm.severalObjectives());
    json.set("aliases", Json.MAPPER.valueToTree(algorithm.aliases()));
    json.set("types", Json.MAPPER.valueToTree(algorithm.types()));
    ArrayNode arguments = json.putArray("arguments");
    algorithm
        .arguments()
        .forEach(argument ->
            arguments
                .addObject()
                .put("name", argument.name())
                .put("type", argument.type())
                .put("default", argument.standard())
                .put("meaning", argument.meaning()));
    return json;
  }
}
