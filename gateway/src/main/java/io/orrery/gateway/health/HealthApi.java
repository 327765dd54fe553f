package io.orrery.gateway.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;

/**
 * The API of health checks: {@code /health/live} answers 200 while the event loop runs; {@code
 * /health/ready} 200 when requests are served and can be stored, else 503 with the reason.
 */
public final class HealthApi implements Api {
  private final Readiness readiness;

  public HealthApi(Readiness readiness) {
    this.readiness = readiness;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        "/health/live",
        RouteNeed.OPEN,
        context -> Future.succeededFuture(say(200, new Readiness.State("up", null))));
    router.get(
        "/health/ready",
        RouteNeed.OPEN,
        context -> readiness.now().map(state -> say(state.isReady() ? 200 : 503, state)));
  }

  private static Reply say(int status, Readiness.State state) {
    ObjectNode body = Json.MAPPER.createObjectNode().put("status", state.word());
    if (state.reason() != null) {
      body.put("reason", state.reason());
    }
    return Reply.status(status, body);
  }
}
