package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Objective;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import java.util.List;

/** The API of the Pareto front, {@code /experiments/…/front}. */
final class FrontApi implements Api {
  private final Bus bus;

  public FrontApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ApiRouter.V1 + "/experiments/:experiment/front",
        RouteNeed.READ,
        context -> {
          int limit = (int) Query.of(context).integer("limit", 100, 1, 1_000);
          return bus.request(Trials.FRONT, new Trials.FrontOf(PathIds.experiment(context), limit))
              .map(front -> Reply.ok(shape(front)));
        },
        "limit");
  }

  private static ObjectNode shape(Trials.ParetoFront front) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.set("objectives", ExperimentShape.objectives(front.objectives()));
    ArrayNode items = json.putArray("items");
    front.members().forEach(member -> items.add(item(member, front.objectives())));
    return json.put("total", front.total()).put("trials", front.trials());
  }

  private static ObjectNode item(Trials.FrontMember member, List<Objective> objectives) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("trial", member.trial().value())
            .put("sequenceId", member.sequenceId());
    ObjectNode values = json.putObject("values");
    for (int i = 0; i < objectives.size(); i++) {
      values.put(objectives.get(i).metric(), member.values().get(i));
    }
    json.set("parameters", Wire.parameters(member.parameters()));
    return json;
  }
}
