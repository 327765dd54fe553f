package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.json.Json;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.trial.TrialWalk;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The NNI calls {@code experiment/import-data} and {@code experiment/imported-data}. */
final class NniResults {
  private static final int MAX_BYTES = 16 << 20;

  private final Bus bus;
  private final RequestBody bodies;
  private final NniTarget target;

  NniResults(Bus bus, RequestBody bodies, NniTarget target) {
    this.bus = bus;
    this.bodies = bodies;
    this.target = target;
  }

  void mount(ApiRouter router, String base) {
    router.post(base + "/experiment/import-data", RouteNeed.CHECKED, NniErrors.told(this::take));
    router.get(base + "/experiment/imported-data", RouteNeed.CHECKED, NniErrors.told(this::taken));
  }

  private Future<Reply> take(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            target
                .id(context)
                .compose(id -> bus.request(Trials.IMPORT, new Trials.Import(id, text))))
        .map(imported -> Reply.empty(200));
  }

  /**
   * A list of texts, one for each import: the list of its results in JSON. We keep the results and
   * not how they were put together, but what came in together came in at one instant.
   */
  private Future<Reply> taken(RoutingContext context) {
    Map<Instant, ArrayNode> imports = new LinkedHashMap<>();
    return target
        .id(context)
        .compose(id ->
            TrialWalk.over(
                bus,
                id,
                TrialStatus.SUCCEEDED,
                List.of(),
                trials -> {
                  trials.stream()
                      .filter(trial -> trial.current().source() == ParameterSource.IMPORTED)
                      .forEach(trial ->
                          imports
                              .computeIfAbsent(
                                  trial.createdAt(), time -> Json.MAPPER.createArrayNode())
                              .add(result(trial)));
                  return Future.succeededFuture();
                }))
        .map(walked -> {
          ArrayNode texts = Json.MAPPER.createArrayNode();
          imports.values().forEach(results -> texts.add(Json.write(results)));
          return Reply.ok(texts);
        });
  }

  private static ObjectNode result(Trial trial) {
    ObjectNode result = Json.MAPPER.createObjectNode();
    result.set("parameter", NniShapes.parameter(trial.current().values()));
    if (trial.metric() != null) {
      result.set("value", Json.parse(trial.metric().toJson()));
    }
    return result;
  }
}
