package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.bus.contract.TrainingServices.Platform;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.json.Json;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.TreeMap;

/**
 * The API of platforms, {@code /platforms}: the list with the keys of each, and the check of a
 * configuration.
 */
final class PlatformApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/platforms";

  private final Bus bus;
  private final CheckedConfig configs;

  public PlatformApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.configs = new CheckedConfig(bus, bodies);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL,
        RouteNeed.CALLER,
        context ->
            bus.request(TrainingServices.LIST, new TrainingServices.ListAll())
                .map(all -> Reply.ok(page(context, all))),
        "cursor",
        "limit");
    router.post(ALL + "/check", RouteNeed.CALLER, this::check, "base", "project");
  }

  private static ObjectNode page(RoutingContext context, TrainingServices.Catalogue all) {
    ObjectNode page =
        Pages.cut(Query.of(context), Pages.of(all.platforms(), PlatformApi::shape, null), "/name");
    page.set("faults", Json.MAPPER.valueToTree(new TreeMap<>(all.faults())));
    return page;
  }

  private Future<Reply> check(RoutingContext context) {
    String base = Query.of(context).text("base");
    return configs
        .checked(context)
        .compose(wanted ->
            bus.request(
                TrainingServices.CHECK,
                new TrainingServices.Check(
                    wanted.text(), base, wanted.ownership(), Callers.serverFiles(context))))
        .map(checked -> Reply.ok(shape(checked)));
  }

  private static ObjectNode shape(TrainingServices.Checked checked) {
    ObjectNode json = Json.MAPPER.createObjectNode().put("platform", checked.platform());
    json.put("works", checked.items().stream().noneMatch(item -> item.verdict() == Verdict.BAD));
    ArrayNode items = json.putArray("items");
    checked
        .items()
        .forEach(item ->
            items
                .addObject()
                .put("what", item.what())
                .put("verdict", item.verdict().name())
                .put("found", item.found())
                .put("mend", item.remedy()));
    json.set("notices", Json.MAPPER.valueToTree(checked.notices()));
    return json;
  }

  private static ObjectNode shape(Platform platform) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("name", platform.name())
            .put("summary", platform.summary())
            .put("jar", platform.jar());
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
