package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.json.Json;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** The API of simulations, {@code /rehearsals}. */
final class SimulationApi implements Api {
  private static final int MOST_RUNS = 100;
  private static final int RUNS = 10;

  private final Bus bus;
  private final CheckedConfig configs;

  public SimulationApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.configs = new CheckedConfig(bus, bodies);
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(
        ApiRouter.V1 + "/rehearsals", RouteNeed.CALLER, this::rehearse, "base", "runs", "project");
  }

  private Future<Reply> rehearse(RoutingContext context) {
    Query query = Query.of(context);
    String base = query.text("base");
    int runs = (int) query.integer("runs", RUNS, 1, MOST_RUNS);
    return configs
        .checked(context)
        .compose(wanted ->
            bus.request(
                Simulations.REHEARSE,
                new Simulations.Rehearse(
                    wanted.text(), base, runs, wanted.ownership(), Callers.serverFiles(context))))
        .map(rehearsed -> Reply.ok(shape(rehearsed)));
  }

  private static ObjectNode shape(Simulations.Rehearsed rehearsed) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("optimizeMode", rehearsed.spec().search().direction().text())
            .put("trialConcurrency", rehearsed.spec().limits().slots());
    ArrayNode runs = json.putArray("runs");
    rehearsed.runs().forEach(run -> runs.add(shape(run)));
    json.set("notices", Json.MAPPER.valueToTree(rehearsed.notices()));
    return json;
  }

  private static ObjectNode shape(Simulations.Run run) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("seed", run.seed())
            .put("status", run.status().name())
            .put("error", run.error());
    json.set("trialCounts", ExperimentShape.counts(run.trials()));
    json.put("attempts", run.attempts())
        .put("durationSeconds", run.duration())
        .put("trialSeconds", run.busy());
    json.set("best", best(run.best()));
    return json;
  }

  private static JsonNode best(Simulations.@Nullable Best best) {
    if (best == null) {
      return Json.MAPPER.nullNode();
    }
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("metric", best.metric().number())
            .put("afterSeconds", best.after());
    json.set("parameters", Wire.parameters(best.parameters()));
    return json;
  }
}
