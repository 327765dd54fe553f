package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.bus.contract.TrainingServices.Platform;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Reply;
import java.util.List;

/** {@code /platforms}: where trials can run, with the keys that each place takes. */
public final class PlatformApi implements Api {
  private final Bus bus;

  public PlatformApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ApiRouter.V1 + "/platforms",
        context ->
            bus.request(TrainingServices.LIST, new TrainingServices.ListAll())
                .map(all -> Reply.ok(Pages.of(all.platforms(), PlatformApi::shape, null))));
  }

  private static ObjectNode shape(Platform platform) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("name", platform.name())
            .put("summary", platform.summary());
    json.set("options", options(platform.options()));
    return json;
  }

  private static ArrayNode options(List<Option> options) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    for (Option option : options) {
      ObjectNode json =
          list.addObject()
              .put("name", option.name())
              .put("type", option.type())
              .put("required", option.required());
      json.set("default", option.standard());
      json.put("meaning", option.meaning()).put("note", option.note());
      json.set("words", Json.MAPPER.valueToTree(option.words()));
      json.set("options", options(option.options()));
    }
    return list;
  }
}
