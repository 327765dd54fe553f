package io.orrery.gateway.log;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.log.RecentLines.Level;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * The API of the server's log, {@code /api/v1/logs}: lines, newest first, of all or of one
 * experiment. Lines name paths and commands: only an administrator sees them.
 */
public final class ServerLogApi implements Api {
  @Override
  public void mount(ApiRouter router) {
    router.get(ApiRouter.V1 + "/logs", RouteNeed.ADMIN, this::show, "experiment", "level", "limit");
  }

  private Future<Reply> show(RoutingContext context) {
    Query query = Query.of(context);
    Level asked = query.oneOf("level", Level.class);
    Level least = asked == null ? Level.DEBUG : asked;
    ExperimentId experiment = query.read("experiment", ServerLogApi::experiment);
    RecentLines.Excerpt excerpt =
        RecentLines.newest(
            Pages.limit(query),
            line -> line.level().compareTo(least) >= 0 && concerns(line, experiment));
    ObjectNode body = Json.MAPPER.createObjectNode();
    ArrayNode items = body.putArray("items");
    excerpt
        .newestFirst()
        .forEach(line ->
            items
                .addObject()
                .put("time", Wire.time(line.time()))
                .put("level", line.level().name())
                .put("source", line.source())
                .put("message", line.message()));
    return Future.succeededFuture(Reply.ok(body.put("since", Wire.time(excerpt.since()))));
  }

  private static ExperimentId experiment(String text) {
    if (!ExperimentId.valid(text)) {
      throw new Problem.Refused(new Finding("", "not an id of an experiment")).toException();
    }
    return new ExperimentId(text);
  }

  /** Lines about an experiment, or about one of its trials, name it. */
  private static boolean concerns(RecentLines.Entry line, @Nullable ExperimentId experiment) {
    return experiment == null || line.message().contains(experiment.value());
  }
}
